/** Faults at limits: none, one, many, the first and the last, long, large, and just beyond. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { transformEngine } from './engine.ts'

const { rule, route } = faultsOf(transformEngine, 'transform')

const TWEAK_BYTES = 7
const MOST_LETTERS = 64
const COLUMN = 255
const MINUTE = 60

rule(
  'south-long-tweak-cut',
  'TRANSFORM-TWEAK-04',
  'of a tweak of more than 7 bytes the first 7 are used (001 8: Transform tweak, 7 bytes before base64 encoding)',
  {
    tweakOf: (original) => (item) => {
      const bytes = Buffer.from(typeof item.tweak === 'string' ? item.tweak : '', 'base64')
      const isLong = bytes.length > TWEAK_BYTES && bytes.toString('base64') === item.tweak
      return original(isLong ? { ...item, tweak: bytes.subarray(0, TWEAK_BYTES).toString('base64') } : item)
    },
  },
)

rule(
  'south-mask-by-code-unit',
  'TRANSFORM-MASK-02',
  'of a masking_character beyond the basic plane half is used (001 4.4: masking_character, first character only)',
  { maskingCharacterOf: (original) => (body, kind, previous) => original(body, kind, previous).charAt(0) },
)

rule(
  'south-no-ttl-no-maximum',
  'TRANSFORM-MAXTTL-02',
  'a token for which no ttl is asked never ends, whatever max_ttl (001 4.4: max_ttl, default 0 = tokens may never expire)',
  { tokenTtl: (original) => (requested, maximum) => (requested === 0 ? 0 : original(requested, maximum)) },
)

rule(
  'south-two-groups-at-most',
  'TRANSFORM-TEMPLATE-19',
  'of a pattern with three or more groups the first two are transformed (001 4.4: pattern, the capture group marks the characters)',
  { spansOf: (original) => (pattern, value) => original(pattern, value)?.slice(0, 2) },
)

rule(
  'south-tail-lost',
  'TRANSFORM-TEMPLATE-13',
  'what stands behind the last group is lost (001 4.4: pattern, matches outside groups are retained)',
  {
    replacedIn: (original) => (value, spans, transform) => original(value.slice(0, spans.at(-1)?.[1]), spans, transform),
  },
)

rule(
  'south-alphabet-of-64',
  'TRANSFORM-ENCODE-01',
  'characters of an alphabet behind the 64th are not known when values are encoded (001 2.4: alphabet, string of characters)',
  { lettersOf: (original) => (alphabet) => original(alphabet).slice(0, MOST_LETTERS) },
)

route(
  'south-batch-of-one',
  'TRANSFORM-BATCH-11',
  'a batch of a single item is answered like a scalar request (001 4.4: data.batch_results, array of objects)',
  ['transform.encode', 'transform.decode'],
  (original) => (call) => {
    const batch = call.body.batch_input
    return Array.isArray(batch) && batch.length === 1 ? original({ ...call, body: batch[0] as JsonObject }) : original(call)
  },
)

rule(
  'south-session-lifetime-in-minutes',
  'TRANSFORM-POOL-05',
  'a lifetime of sessions below a minute is none at all (001 4.4: max_connection_lifetime, duration, 0 = no limit)',
  {
    poolLimits: (original) => (settings) => {
      const limits = original(settings)
      return { ...limits, lifetime: Math.floor(limits.lifetime / MINUTE) * MINUTE }
    },
  },
)

rule(
  'south-ttl-overflows',
  'TRANSFORM-METADATA-01',
  'a ttl of more than 24 days, counted in milliseconds of 32 bits, overflows (001 4.4: ttl, duration; data.expiration_time)',
  {
    expiresAt: (original) => (ttl, now) => (ttl === 0 ? original(ttl, now) : now + ((ttl * 1000) | 0) / 1000),
  },
)

rule(
  'south-first-of-several',
  'TRANSFORM-ACCESS-07',
  'a role with several transformations uses the first where none is named (001 4.4: transformation, required when it has several)',
  {
    chosenName: (original) => (item, transformations) => {
      const [first] = transformations
      return (item.transformation ?? '') === '' && first !== undefined ? first : original(item, transformations)
    },
  },
)

rule(
  'south-long-value-cut',
  'TRANSFORM-KEPT-04',
  'of a value beyond 255 characters its token keeps the beginning (001 4.4: decode returns data.decoded_value)',
  {
    sealed: (original) => (transformation, value, random) => original(transformation, value.slice(0, COLUMN), random),
  },
)
