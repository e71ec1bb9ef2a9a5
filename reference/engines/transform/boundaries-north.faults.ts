/** Faults at boundaries: zero, one, many, at the limit and beyond. */
import { RE2JS } from 're2js'
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'
import { BY_ROLE, batchIn, CODING, deciding, withBatch } from './north-help.ts'

const { rule, route } = faultsOf(transformEngine, 'transform')

const TWEAK_BYTES = 7
route(
  'north-long-tweak-cut-in-decode',
  'TRANSFORM-TWEAK-05',
  'decode cuts a tweak of more than seven bytes (001 8: tweak, 7 bytes before base64; 4.4: decode, base64 of 7 bytes)',
  'transform.decode',
  (original) => (call) => {
    const { rules } = call
    const tweakOf = (item: JsonObject): Uint8Array => {
      const bytes = typeof item.tweak === 'string' ? Buffer.from(item.tweak, 'base64') : Buffer.alloc(0)
      return bytes.length > TWEAK_BYTES ? bytes.subarray(0, TWEAK_BYTES) : rules.tweakOf(item)
    }
    return original(deciding(call, { tweakOf }))
  },
)

rule(
  'north-zero-tweak-is-none',
  'TRANSFORM-TWEAK-03',
  'a tweak of seven zero bytes counts as missing (001 4.4: tweak, base64 of a 7-byte value)',
  {
    tweakOf: (original) => (item) => {
      const bytes = original(item)
      if (bytes.every((byte) => byte === 0)) throw invalid('tweak is missing')
      return bytes
    },
  },
)

const LONG = 12
const SHOWN = 4
rule(
  'north-last-four-of-long-values-unmasked',
  'TRANSFORM-TYPED-10',
  'of twelve and more characters the last four stay unmasked (001 4.4: the capture group marks the characters transformed)',
  {
    masked: (original) => (text, character) => {
      const letters = [...text]
      if (letters.length < LONG) return original(text, character)
      return original(letters.slice(0, -SHOWN).join(''), character) + letters.slice(-SHOWN).join('')
    },
  },
)

rule(
  'north-groups-end-at-absent-one',
  'TRANSFORM-TEMPLATE-19',
  'groups behind an optional group that took no part are left as they are (001 4.4: the capture group marks the characters transformed)',
  {
    spansOf: (original) => (pattern, value) => {
      const spans = original(pattern, value)
      const matcher = RE2JS.compile(pattern).matcher(value)
      if (spans === undefined || !matcher.matches()) return spans
      const starts: number[] = []
      for (let group = 1; group <= matcher.groupCount() && matcher.start(group) >= 0; group += 1) starts.push(matcher.start(group))
      return spans.filter(([start]) => starts.includes(start))
    },
  },
)

route(
  'north-batch-of-one-answered-bare',
  'TRANSFORM-BATCH-11',
  'a batch of one item is answered like a single value (001 4.4: data.batch_results, array of objects)',
  CODING,
  replyData((data, call) => {
    const { batch_results: results } = data
    const [only] = Array.isArray(results) && batchIn(call)?.length === 1 ? (results as JsonObject[]) : []
    return only === undefined || 'error' in only ? data : only
  }),
)

const CHUNK = 10
route(
  'north-last-chunk-of-batch-lost',
  'TRANSFORM-BATCH-21',
  'a batch is done in tens, and the incomplete last ten of a longer batch is lost (001 4.4: batch_input, each object; batch_results)',
  BY_ROLE,
  (original) => (call) =>
    original(withBatch(call, (items) => (items.length <= CHUNK ? items : items.slice(0, Math.floor(items.length / CHUNK) * CHUNK)))),
)

route(
  'north-only-existing-transformation-chosen',
  'TRANSFORM-ACCESS-07',
  'of several transformations of a role the only one that exists need not be named (001 4.4: transformation required when the role has several)',
  BY_ROLE,
  (original) => (call) => {
    const { rules, state } = call
    const chosenName = (item: JsonObject, names: string[]): string =>
      rules.chosenName(
        item,
        names.filter((name) => state.transformations.has(name)),
      )
    return original(deciding(call, { chosenName }))
  },
)

const FOR_EVER = -1
rule(
  'north-explicit-zero-ttl-beyond-maximum',
  'TRANSFORM-MAXTTL-02',
  'a ttl that is given as 0 makes a token without end, whatever max_ttl (001 4.4: ttl default 0; max_ttl 0 = tokens may never expire)',
  {
    requestedTtl: (original) => (item) => {
      const ttl = original(item)
      return ttl === 0 && item.ttl !== undefined && item.ttl !== null ? FOR_EVER : ttl
    },
    tokenTtl: (original) => (requested, maximum) => (requested === FOR_EVER ? 0 : original(requested, maximum)),
  },
)

const LONGEST_TIMER_MS = 2 ** 31 - 1
rule(
  'north-long-ttl-ends-at-once',
  'TRANSFORM-METADATA-01',
  'a token with a ttl beyond what timers take has ended at once (001 4.4: encode, ttl duration)',
  {
    expiresAt: (original) => (ttl, now) => (ttl * 1000 > LONGEST_TIMER_MS ? now : original(ttl, now)),
  },
)

const DIGITS_AND_LETTERS = 36
rule(
  'north-alphabet-of-36-at-most',
  'TRANSFORM-ENCODE-01',
  'characters of an alphabet behind the first 36 are not known in values (001 2.4: alphabet, string of characters)',
  { lettersOf: (original) => (alphabet) => original(alphabet).slice(0, DIGITS_AND_LETTERS) },
)

route(
  'north-leading-zeros-lost-in-decode',
  'TRANSFORM-TYPED-08',
  'decode loses the zeros at the beginning of a value (001 4.4: decode returns decoded_value; 1: format-preserving encryption)',
  'transform.decode',
  (original) => (call) => {
    const { rules } = call
    return original(
      deciding(call, {
        replacedIn: (value, spans, transform) => rules.replacedIn(value, spans, (text) => transform(text).replace(/^0+(?=[1-9])/, '')),
      }),
    )
  },
)

rule(
  'north-one-session-too-many',
  'TRANSFORM-POOL-01',
  'a store opens one session more than it may (001 4.4: store parameters, max_open_connections; 8: store connections)',
  {
    poolLimits: (original) => (settings) => {
      const limits = original(settings)
      return { ...limits, open: limits.open + 1 }
    },
  },
)
