/** Decisions about tokens: what they look like, what is kept of them, when they end, and what is told of them. */
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { durationOf } from '../../core/durations.ts'
import { textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Random } from '../../core/random.ts'
import type { Transformation } from './state.ts'
import type { KeptToken } from './token-store.ts'

const TOKEN_LENGTH = 40
const NONCE = 12
const TAG = 16

const keyFor = (transformation: Transformation, purpose: string): Buffer =>
  createHmac('sha256', transformation.key).update(purpose).digest()

export const tokenRules = {
  /** Random, so that nothing can be told from it; about 238 bits. */
  newToken: (random: Random, _value: string, _transformation: Transformation): string => random.word(TOKEN_LENGTH),
  /** Keyed, so that nobody who sees a store can try values or tokens. */
  digestOf: (transformation: Transformation, purpose: 'token' | 'value', text: string): string =>
    createHmac('sha256', keyFor(transformation, purpose)).update(text).digest('hex'),
  sealed(transformation: Transformation, value: string, random: Random): string {
    const nonce = random.bytes(NONCE)
    const cipher = createCipheriv('aes-256-gcm', keyFor(transformation, 'seal'), nonce)
    return Buffer.concat([nonce, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
  },
  opened(transformation: Transformation, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', keyFor(transformation, 'seal'), bytes.subarray(0, NONCE))
    decipher.setAuthTag(bytes.subarray(-TAG))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]).toString('utf8')
  },
  requestedTtl: (item: JsonObject): number => durationOf(item.ttl, 'ttl', 0),
  /** Seconds that a token lives; 0 for ever. A request above the maximum of the transformation gets the maximum. */
  tokenTtl: (requested: number, maximum: number): number =>
    maximum === 0 ? requested : requested === 0 ? maximum : Math.min(requested, maximum),
  expiresAt: (ttl: number, now: number): number | undefined => (ttl === 0 ? undefined : now + ttl),
  isAlive: (token: KeptToken, now: number): boolean => token.expiresAt === undefined || token.expiresAt > now,
  metadataOf: (item: JsonObject): string => textOf(item, 'metadata'),
  shownValid: (valid: boolean): JsonObject => ({ valid }),
  shownTokenized: (tokenized: boolean): JsonObject => ({ tokenized }),
  shownMetadata: (token: KeptToken): JsonObject => ({
    metadata: token.metadata,
    expiration_time: token.expiresAt === undefined ? null : new Date(token.expiresAt * 1000).toISOString(),
  }),
  /** Whether an operation on tokens takes a transformation of this type. */
  hasTokens: (transformation: Transformation): boolean => transformation.type === 'tokenization',
}
