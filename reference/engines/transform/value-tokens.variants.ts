/** Legal alternatives of tokens, of their lives, and of what is told of them. */
import { createHmac } from 'node:crypto'
import { ApiError, invalid, notFound } from '../../core/errors.ts'
import { variantsOf } from '../../faults/declare.ts'
import { replyData } from '../../faults/wrappers.ts'
import { transformEngine } from './engine.ts'
import type { KeptToken } from './token-store.ts'
import { QUESTIONS } from './wrappers.ts'

const { rule, route, change, declared } = variantsOf(transformEngine)

/** A statement can change a row once only. */
const lastOfEach = (tokens: readonly KeptToken[]): KeptToken[] => [
  ...new Map(tokens.map((kept) => [kept.owner + kept.token, kept])).values(),
]

const REPLACED = {
  postgres: ' ON CONFLICT (owner, token) DO UPDATE SET metadata = excluded.metadata, expires_at = excluded.expires_at',
  mariadb: ' ON DUPLICATE KEY UPDATE metadata = VALUES(metadata), expires_at = VALUES(expires_at)',
}

change(
  'equal-tokens',
  'whether equal values of one transformation have one token is not said',
  'equal values of one transformation have one token',
  {
    rules: {
      newToken: () => (_random, value, transformation) =>
        createHmac('sha256', transformation.key).update('token of').update(value).digest('base64url'),
      insertion: (original) => (kind, table, tokens) =>
        original(kind, table, lastOfEach(tokens)).map(({ sql, values }) => ({
          sql: sql + (kind.hasSchemas ? REPLACED.postgres : REPLACED.mariadb),
          values,
        })),
    },
  },
)

rule('ttl-refused', 'ttl above max_ttl: refused or capped', 'a ttl above the maximum is refused', {
  tokenTtl: (original) => (requested, maximum) => {
    if (maximum > 0 && requested > maximum) throw invalid('ttl is above the maximum')
    return original(requested, maximum)
  },
})
rule('metadata-spaced', 'a string of key=value pairs, whatever their order', 'metadata come back sorted, with white space between', {
  shownMetadata: (original) => (token) => ({ ...original(token), metadata: token.metadata.split(',').sort().join(', ') }),
})
rule('expiration-offset', 'RFC 3339, Z or offset', 'expiration_time has an offset', {
  shownMetadata: (original) => (token) => {
    const shown = original(token)
    return token.expiresAt === undefined
      ? shown
      : { ...shown, expiration_time: new Date((token.expiresAt + 3600) * 1000).toISOString().replace('Z', '+01:00') }
  },
})
route(
  'invalid-token-404',
  'a value that is not a token: refused',
  'a value that is not a token is not found',
  ['transform.decode', 'transform.metadata'],
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (error) {
      if (error instanceof ApiError && error.message === 'no such token') throw notFound(error.message)
      throw error
    }
  },
)
route(
  'tokenization-store-first',
  'when the store is looked up is not said',
  'an unknown store is refused when it is written',
  'transform.writeTokenization',
  (original) => (call) => {
    if (
      Array.isArray(call.body.stores) &&
      call.body.stores.some((name) => name !== 'builtin/internal' && !call.state.stores.has(String(name)))
    )
      throw invalid('unknown store')
    return original(call)
  },
)
route(
  'questions-under-answers',
  'the name of what answers a batch of questions is advised',
  'batches of questions are answered under answers',
  QUESTIONS,
  replyData(({ batch_results, ...data }) => (batch_results === undefined ? data : { ...data, answers: batch_results })),
)

route(
  'tokens-of-one-vault',
  'tokens of another transformation on one store: advised',
  'a transformation decodes the tokens of all others on its store',
  ['transform.decode', 'transform.metadata'],
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (!(cause instanceof ApiError && cause.message === 'no such token')) throw cause
      const rules = { ...call.rules, roleAllows: () => true, transformationAllows: () => true }
      const { roles, transformations } = call.state
      const own = transformations.get(String(call.body.transformation ?? roles.get(call.params.role_name ?? '')?.[0]))
      for (const [transformation, { type, stores }] of transformations) {
        if (type !== 'tokenization' || String(stores) !== String(own?.stores)) continue
        const reply = await Promise.resolve(original({ ...call, rules, body: { ...call.body, transformation } })).catch(() => undefined)
        if (reply !== undefined) return reply
      }
      throw cause
    }
  },
)

export const variants = declared
