/** Faults of what is kept and told beside a token: metadata and the time when it ends. */
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isNested, requestNestedAs } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'

const { rule, route } = faultsOf(transformEngine)

rule('metadata-lost', 'TRANSFORM-METADATA-01', 'metadata are not kept', { metadataOf: () => () => '' })
rule('metadata-first-pair', 'TRANSFORM-METADATA-01', 'of metadata the first pair is kept', {
  metadataOf: (original) => (item) => original(item).split(',')[0]!,
})
route(
  'metadata-of-neighbour',
  ['TRANSFORM-METADATA-01', 'TRANSFORM-METADATA-03'],
  'a token has the metadata of the one before',
  'transform.encode',
  (original) => {
    let before = ''
    return (call) => {
      const metadata = before
      if (call.body.metadata !== undefined) before = textOf(call.body, 'metadata')
      return original(
        call.body.metadata === undefined || isNested(call.body.metadata) ? call : { ...call, body: { ...call.body, metadata } },
      )
    }
  },
)
const byValue = new Map<string, string>()
rule('metadata-of-value', 'TRANSFORM-METADATA-03', 'the metadata of a value are those of its first token', {
  metadataOf: (original) => (item) => {
    const value = textOf(item, 'value')
    if (!byValue.has(value)) byValue.set(value, original(item))
    return byValue.get(value)!
  },
})
rule('expiration-now', 'TRANSFORM-METADATA-02', 'expiration_time is when it is asked', {
  shownMetadata: (original) => (token) => ({ ...original(token), expiration_time: new Date().toISOString() }),
})
rule('expiration-hour', 'TRANSFORM-METADATA-02', 'expiration_time is an hour off', {
  shownMetadata: (original) => (token) =>
    original({ ...token, expiresAt: token.expiresAt === undefined ? undefined : token.expiresAt + 3600 }),
})
rule('expiration-epoch', 'TRANSFORM-METADATA-05', 'expiration_time is seconds since the epoch', {
  shownMetadata: (original) => (token) => ({ ...original(token), expiration_time: String(token.expiresAt ?? 0) }),
})
route(
  'metadata-unknown-last',
  'TRANSFORM-METADATA-06',
  'what is no token shows the last metadata',
  ['transform.encode', 'transform.metadata'],
  (() => {
    let last = ''
    return (original) => async (call) => {
      if (typeof call.body.metadata === 'string') last = call.body.metadata
      try {
        return await original(call)
      } catch (error) {
        if (error instanceof ApiError && error.message === 'no such token') return secret({ metadata: last, expiration_time: null })
        throw error
      }
    }
  })(),
)
route('metadata-object', 'TRANSFORM-METADATA-08', 'an object is no metadata', 'transform.encode', requestNestedAs('metadata', ''))
