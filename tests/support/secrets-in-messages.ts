/** Finds the secrets in messages of the reference server and of its callers, by what the contract calls them. */
import type { IncomingMessage } from 'node:http'
import type { Json } from './garbled-answers.ts'

/** Members that hold secrets in the true messages of the reference server. */
const SECRET = new Set([
  'password',
  'private_key',
  'otp',
  'token',
  'client_token',
  'pem_bundle',
  'pin',
  'secret_key',
  'client_secret',
  'credentials',
  'private_key_data',
  'tweak',
])

/** What stands where a value is not shown, such as `redacted`. */
const WORD = /^[a-z]+$/

/** A tweak has seven bytes; other values of that name are not secrets. */
const TWEAK = /^[A-Za-z0-9+/]{10}==$/

const isSecret = (name: string, value: string, isCredential: boolean): boolean =>
  value.length >= 8 &&
  !WORD.test(value) &&
  (name !== 'tweak' || TWEAK.test(value)) &&
  (SECRET.has(name) || (name === 'key' && isCredential))

/** A file of credentials, as such or as base64, is searched for whole, and for the private key in it. */
const keyIn = (text: string): string[] => {
  const json = text.startsWith('{') ? text : Buffer.from(text, 'base64').toString('utf8')
  if (!json.startsWith('{')) return []
  try {
    const { private_key: key } = JSON.parse(json) as { private_key?: unknown }
    return typeof key === 'string' ? [key] : []
  } catch {
    return []
  }
}

/** Secrets in a message of the reference server or to it. @param isCredential whether its route hands out credentials: then a `key` is one. */
export const secretsIn = (text: string, isCredential: boolean): string[] => {
  const found: string[] = []
  const visit = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const item of value) visit(item)
      return
    }
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== 'string') visit(member)
      else if (isSecret(name, member, isCredential)) found.push(member, ...keyIn(member))
    }
  }
  try {
    visit(JSON.parse(text) as Json)
  } catch {
    return []
  }
  return found
}

/** Values that checks store to see where they come out. */
export const canariesIn = (text: string): string[] => text.match(/\b[a-z]+-[0-9a-f]{40}\b/g) ?? []

/** The token that a caller presents. */
export const tokenOf = ({ headers }: IncomingMessage): string[] => {
  const given = [headers.authorization?.replace(/^bearer /i, ''), headers['x-service-token'], headers['x-vault-token']]
  return given.flat().filter((token): token is string => token !== undefined && token.length >= 20)
}
