/** Faults at boundaries: none, one, several, zero, exactly the limit, long. */
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { dataOf, itemsOf, withData, withRules } from './candid-help.ts'
import { lengthsFor } from './cipher.ts'
import { transformEngine } from './engine.ts'

const { rule, route } = faultsOf(transformEngine)

rule(
  'candid-empty-role-may-all',
  'TRANSFORM-ACCESS-01',
  'a role without transformations may use every one that a request names (001 4.4: transformations, default [])',
  {
    roleAllows: (original) => (transformations, name) => transformations.length === 0 || original(transformations, name),
  },
)

rule('candid-long-tweak-cut', 'TRANSFORM-TWEAK-04', 'a tweak of more than seven bytes is cut instead of refused (001 8: tweak, 7 bytes)', {
  tweakOf: (original) => (item) => {
    const text = textOf(item, 'tweak')
    const bytes = Buffer.from(text, 'base64')
    const isLong = bytes.length > 7 && bytes.toString('base64') === text
    return original(isLong ? { ...item, tweak: bytes.subarray(0, 7).toString('base64') } : item)
  },
})

rule(
  'candid-masking-character-whole-text',
  'TRANSFORM-MASK-03',
  'a masking_character of several characters is used whole (001 4.4: first character only)',
  {
    maskingCharacterOf: (original) => (body, kind, previous) => {
      const given = body.masking_character
      return kind === 'masking' && typeof given === 'string' && given !== '' ? given : original(body, kind, previous)
    },
  },
)

rule(
  'candid-ttl-whole-minutes',
  'TRANSFORM-TTL-02',
  'the ttl of a token is cut to whole minutes; less than one is none (001 4.4: encode, ttl duration)',
  {
    requestedTtl: (original) => (item) => Math.floor(original(item) / 60) * 60,
  },
)

rule(
  'candid-no-ttl-no-maximum',
  'TRANSFORM-MAXTTL-02',
  'a token for which no ttl is asked never expires, whatever max_ttl says (001 4.4: max_ttl, 0 = may never expire)',
  {
    tokenTtl: (original) => (requested, maximum) => (requested === 0 ? 0 : original(requested, maximum)),
  },
)

rule(
  'candid-between-groups-dropped',
  'TRANSFORM-TEMPLATE-19',
  'what stands between two groups of a pattern is lost (001 4.4: matches outside groups are retained)',
  {
    replacedIn: (original) => (value, spans, transform) => {
      const [first, last] = [spans[0], spans.at(-1)]
      if (first === undefined || last === undefined || spans.length < 2) return original(value, spans, transform)
      const marked = spans.map(([start, end]) => value.slice(start, end)).join('')
      return value.slice(0, first[0]) + transform(marked) + value.slice(last[1])
    },
  },
)

route(
  'candid-leading-zeros-lost',
  'TRANSFORM-FPE-09',
  'characters at the start of a value that are the first of its alphabet are lost (001 1: encodes and decodes; 4.4: format)',
  'transform.encode',
  (original) => (call) =>
    original(
      withRules(call, {
        numeralsOf(text, letters) {
          const numerals = call.rules.numeralsOf(text, letters)
          const first = numerals.findIndex((numeral) => numeral !== 0)
          const leaves = numerals.length - first
          return first > 0 && leaves >= lengthsFor(letters.length).shortest ? numerals.slice(first) : numerals
        },
      }),
    ),
)

route(
  'candid-batch-of-one-unwrapped',
  'TRANSFORM-BATCH-11',
  'a batch of one item is answered as a single value (001 4.4: encode, data.batch_results)',
  'transform.encode',
  (original) => async (call) => {
    const reply = await original(call)
    const results = dataOf(reply).batch_results as JsonObject[] | undefined
    return results?.length === 1 ? withData(reply, results[0] ?? {}) : reply
  },
)

rule(
  'candid-zero-tweak-missing',
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

route(
  'candid-batch-repeats-once',
  'TRANSFORM-BATCH-08',
  'equal items of a batch get one result together (001 4.4: encode, each object carries its own value)',
  'transform.encode',
  (original) => (call) => {
    const items = itemsOf(call)
    if (items === undefined) return original(call)
    const distinct = [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
    return original({ ...call, body: { ...call.body, batch_input: distinct } })
  },
)

route(
  'candid-one-left-of-several',
  'TRANSFORM-ACCESS-07',
  'transformation may be omitted when one of the several that the role lists exists (001 4.4: required when it has several)',
  ['transform.encode', 'transform.decode'],
  (original) => (call) =>
    original(
      withRules(call, {
        chosenName: (item, transformations) =>
          call.rules.chosenName(
            item,
            transformations.filter((name) => call.state.transformations.has(name)),
          ),
      }),
    ),
)
