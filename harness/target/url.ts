/** Addresses of targets: checked, and spelled in one way. */
import { UsageError } from '../base/usage.ts'

/** An address that is wrong, for a message: without what stands before an @, which may be a password. */
const shown = (text: string): string => JSON.stringify(text.replace(/^(\s*[a-z][a-z0-9+.-]*:\/*)?.*@/is, '$1...@'))

/**
 * The address of a target, checked.
 *
 * @throws UsageError that names `what`.
 */
export const urlOf = (text: string, what: string): URL => {
  if (text.trim() === '') throw new UsageError(`${what} is empty: give an address such as https://127.0.0.1:8200`)
  if (!URL.canParse(text)) throw new UsageError(`${what}: ${shown(text)} is not a URL such as https://127.0.0.1:8200`)
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UsageError(`${what}: ${shown(text)} must begin with http:// or https://`)
  if (url.username !== '' || url.password !== '') throw new UsageError(`${what} must not contain credentials: use --token`)
  if (url.search !== '' || url.hash !== '')
    throw new UsageError(`${what} must not contain a query or a fragment: leave out what follows the path`)
  return url
}

/**
 * The address of a service of the user's own, a query included.
 *
 * @throws UsageError that names `what`.
 */
export const addressOf = (text: string, what: string): URL => {
  if (!URL.canParse(text)) throw new UsageError(`${what}: ${shown(text)} is not a URL such as http://127.0.0.1:8080/needs`)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') throw new UsageError(`${what} must not contain credentials`)
  return url
}

/** An address as it is compared and remembered: `https://HOST:443/` is `https://host`. Other text stays as it is. */
export const baseUrl = (text: string): string => (URL.canParse(text) ? new URL(text).href.replace(/\/+$/, '') : text)
