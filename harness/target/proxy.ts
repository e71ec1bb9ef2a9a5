/** Which proxy leads to a server: what the user says, else what the environment says for all programs. */
import { isIP } from 'node:net'
import { getProxyForUrl } from 'proxy-from-env'
import { UsageError } from '../base/usage.ts'

/** The word that stands for no proxy at all. */
const NONE = 'none'

/** True for this machine itself: no proxy leads there, and one elsewhere would reach its own machine instead. */
const isLoopback = (url: URL): boolean => {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase()
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/**
 * The address of a proxy, checked.
 *
 * @param what flag, key or variable that names it, for the message.
 * @throws UsageError that names `what`, never the password.
 */
export const proxyUrl = (text: string, what: string): URL => {
  if (!URL.canParse(text) || !['http:', 'https:'].includes(new URL(text).protocol))
    throw new UsageError(`${what} is not a proxy URL such as http://proxy.example:3128`)
  return new URL(text)
}

/** An address as it may be shown: without user name and password. */
export const withoutPassword = (text: string): string => {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  url.username = ''
  url.password = ''
  return url.href
}

/**
 * The proxy through which a server is reached; undefined: directly.
 *
 * @param said what flag or configuration say, `none` included; it holds for every address. Else `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`
 * and `NO_PROXY` do (small letters too), and never for loopback.
 * @throws UsageError for an address that cannot be that of a proxy.
 */
export const proxyTo = (url: URL, said?: string): URL | undefined => {
  if (said === NONE) return undefined
  if (said !== undefined) return proxyUrl(said, 'the proxy')
  const found = isLoopback(url) ? '' : getProxyForUrl(url.href)
  return found === '' ? undefined : proxyUrl(found, `the environment variable ${url.protocol.slice(0, -1).toUpperCase()}_PROXY`)
}
