/** Tokens and headers that a user gave, checked before anything is sent. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '../base/usage.ts'
import type { IdentityConfig } from './run-configuration.ts'

const requireHeaderText = (text: string, what: string): void => {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(text)) throw new UsageError(`${what} holds a line break or another character that no header can carry`)
}

/** Headers that say how a message is sent: the client's own. */
const OURS = ['connection', 'content-length', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade']

/**
 * Checks the headers of every request.
 *
 * @throws UsageError that names the header.
 */
export const requireHeaders = (headers: Record<string, string>): void => {
  for (const [name, value] of Object.entries(headers)) {
    const what = `the header ${JSON.stringify(name)}`
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw new UsageError(`${what} has a name that HTTP does not allow`)
    if (OURS.includes(name.toLowerCase())) throw new UsageError(`${what} says how requests are sent, and cannot be chosen`)
    requireHeaderText(value, `the value of ${what}`)
  }
}

/**
 * A token as given.
 *
 * @throws UsageError that names `what`, never the token.
 */
export const usableToken = (token: string, what: string): string => {
  if (token.trim() === '') throw new UsageError(`${what} is empty`)
  requireHeaderText(token, what)
  return token
}

/**
 * The token in a file, without the white space around it.
 *
 * @throws UsageError that names `what` and the file.
 */
export const tokenInFile = (file: string, what: string, folder = process.cwd()): string =>
  usableToken(textInFile(file, what, folder).trim(), `${what}: ${file}`)

/**
 * What a file holds that a user names.
 *
 * @throws UsageError that names `what` and the file.
 */
export const textInFile = (file: string, what: string, folder = process.cwd()): string => {
  try {
    return readFileSync(resolve(folder, file), 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new UsageError(`${what}: ${file} does not exist`)
    if (code === 'EISDIR') throw new UsageError(`${what}: ${file} is not a file`)
    throw new UsageError(`${what}: ${file} cannot be read: ${message}`)
  }
}

/**
 * The token of an identity of the configuration.
 *
 * @param folder where the name of its file starts from.
 * @throws UsageError where the file or the environment variable that it names holds none.
 */
export const tokenOf = (name: string, { token, tokenFile, tokenEnv }: IdentityConfig, folder: string): string => {
  if (tokenFile !== undefined) return tokenInFile(tokenFile, `identities.${name}.tokenFile`, folder)
  if (tokenEnv === undefined) return usableToken(token ?? '', `identities.${name}.token`)
  const found = process.env[tokenEnv]
  if (found === undefined) throw new UsageError(`identities.${name}.tokenEnv: the environment variable ${tokenEnv} is not set`)
  return usableToken(found, `identities.${name}.tokenEnv: ${tokenEnv}`)
}
