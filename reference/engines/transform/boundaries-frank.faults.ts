import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { transformEngine } from './engine.ts'
import { dataOf, withBody, withData } from './frank-help.ts'

const { rule, route } = faultsOf(transformEngine, 'transform')

rule(
  'frank-type-changes-while-unused',
  'TRANSFORM-TYPED-12',
  'the type can be changed while no role is allowed (001 4.4: `type`, immutable)',
  {
    mayBecome: (original) => (previous, kind) => original(previous, kind) || previous.allowedRoles.length === 0,
  },
)

route(
  'frank-decode-cuts-long-tweak',
  'TRANSFORM-TWEAK-05',
  'decode takes the first seven bytes of a longer tweak (001 8: tweak, 7 bytes)',
  'transform.decode',
  (original) => (call) => {
    const { tweak } = call.body
    const bytes = typeof tweak === 'string' ? Buffer.from(tweak, 'base64') : Buffer.alloc(0)
    return original(bytes.length > 7 ? withBody(call, { tweak: bytes.subarray(0, 7).toString('base64') }) : call)
  },
)

rule(
  'frank-ttl-zero-outlasts-maximum',
  'TRANSFORM-MAXTTL-02',
  'a ttl of 0 that is sent gives a token for ever in spite of max_ttl (001 4.4: `max_ttl`)',
  {
    requestedTtl: (original) => (item) => {
      const ttl = original(item)
      return ttl === 0 && item.ttl !== undefined && item.ttl !== null ? Number.POSITIVE_INFINITY : ttl
    },
    tokenTtl: (original) => (requested, maximum) => (requested === Number.POSITIVE_INFINITY ? 0 : original(requested, maximum)),
  },
)

rule(
  'frank-first-separator-everywhere',
  'TRANSFORM-TEMPLATE-19',
  'with three groups all separators become the first one (001 4.4: matches outside groups are retained)',
  {
    replacedIn: (original) => (value, spans, transform) => {
      const [first, second] = spans
      const last = spans.at(-1)
      if (!first || !second || !last) return original(value, spans, transform)
      const parts = spans.map(([start, end]) => value.slice(start, end))
      const changed = [...transform(parts.join(''))]
      const middle = parts.map((part) => changed.splice(0, [...part].length).join('')).join(value.slice(first[1], second[0]))
      return value.slice(0, first[0]) + middle + value.slice(last[1])
    },
  },
)

rule(
  'frank-alphabet-of-36-at-most',
  'TRANSFORM-ENCODE-01',
  'characters of an alphabet beyond the 36th cannot be encoded (001 2.4: alphabet, a string of characters)',
  {
    lettersOf: (original) => (alphabet) => original(alphabet).slice(0, 36),
  },
)

route(
  'frank-decode-batch-of-one-flat',
  'TRANSFORM-BATCH-11',
  'a batch of one item is decoded like a scalar, without batch_results (001 4.4: decode, batch returns `data.batch_results`)',
  'transform.decode',
  (original) => async (call) => {
    const given = await original(call)
    const results = dataOf(given).batch_results
    return Array.isArray(results) && results.length === 1 ? withData(given, results[0] as JsonObject) : given
  },
)

rule(
  'frank-max-ttl-zero-kept-out',
  'TRANSFORM-TOKENIZATION-03',
  'an update with max_ttl 0 leaves the old maximum in force (001 4.4: `max_ttl`, 0 = tokens may never expire)',
  {
    maxTtlOf: (original) => (body, kind, previous) => original({ ...body, max_ttl: body.max_ttl || null }, kind, previous),
  },
)

rule(
  'frank-idle-up-to-open',
  'TRANSFORM-POOL-04',
  'as many sessions stay idle as may be open, whatever max_idle_connections says (001 4.4: `max_idle_connections`)',
  {
    poolLimits: (original) => (settings) => {
      const limits = original(settings)
      return { ...limits, idle: limits.idle === 0 ? 0 : limits.open }
    },
  },
)

rule(
  'frank-tokenized-by-72-characters',
  'TRANSFORM-TOKENIZED-02',
  'a value counts as tokenized when another with the same first 72 characters is (001 4.4: tokenized)',
  {
    digestOf: (original) => (transformation, purpose, text) =>
      original(transformation, purpose, purpose === 'value' ? text.slice(0, 72) : text),
  },
)

rule(
  'frank-filter-star-not-empty',
  'TRANSFORM-FILTER-02',
  'a star at the end of a filter needs a character: `app*` does not list `app` (001 4.4: LIST role, glob)',
  {
    fits: (original) => (name, filter) =>
      original(name, filter) && (filter === '*' || !filter.endsWith('*') || name !== filter.slice(0, -1)),
  },
)

rule(
  'frank-batch-answers-64',
  'TRANSFORM-BATCH-11',
  'a batch of more than 64 items gets answers for the first 64 (001 4.4: `batch_input`, `data.batch_results`)',
  {
    batchResults: (original) => (results) => original(results.slice(0, 64)),
  },
)
