/** Legal alternatives of encryption, masking and batches. */
import { ApiError, invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { variantsOf } from '../../faults/declare.ts'
import { replyData } from '../../faults/wrappers.ts'
import { transformEngine } from './engine.ts'
import { beside, CODING, dataOf, type Handle } from './wrappers.ts'

const { rule, route, declared } = variantsOf(transformEngine)

rule('decoded-items', 'batch decode items carry decoded_value or encoded_value', 'items to decode carry decoded_value', {
  shownDecodedItem: () => (value) => ({ decoded_value: value }),
})
route(
  'batch-fails-whole',
  'failing batch items in place: advised',
  'a batch with an item that fails is refused',
  ['transform.encode', 'transform.decode'],
  (original) => async (call) => {
    const reply = await original(call)
    const failed = ((dataOf(reply).batch_results ?? []) as JsonObject[]).find((result) => 'error' in result)
    if (failed !== undefined) throw new ApiError(400, String(failed.error))
    return reply
  },
)
rule('groups-apart', 'several groups: open', 'each group is transformed alone', {
  replacedIn: (original) => (value, spans, transform) =>
    [...spans].reverse().reduce((text, span) => original(text, [span], transform), value),
})
rule('unmatched-returned', 'values that do not match: refused or returned', 'a value that does not match is returned as it is', {
  unmatched: () => (value) => value,
})
rule(
  'mask-decodes-to-itself',
  'decoding of what was masked is refused, or gives not the value',
  'decoding what was masked gives it as it is',
  { maskDecodable: () => () => true },
)
rule('url-safe-tweaks', 'the URL-safe spelling of base64: open', 'tweaks are taken in either spelling of base64', {
  tweakOf: (original) => (item) => original({ ...item, tweak: textOf(item, 'tweak').replaceAll('-', '+').replaceAll('_', '/') }),
})
route(
  'internal-tweak-refused',
  'a tweak with source internal: open',
  'a tweak that nobody asked for is refused',
  'transform.encode',
  (original) => (call) => {
    const [only] = call.state.roles.get(call.params.role_name ?? '') ?? []
    const source = call.state.transformations.get(textOf(call.body, 'transformation') || (only ?? ''))?.tweakSource
    if (call.body.tweak !== undefined && source === 'internal') throw invalid('tweak is not taken')
    return original(call)
  },
)
route(
  'tweak-always-shown',
  'further members of answers',
  'an answer shows the tweak that was used',
  'transform.encode',
  replyData((data, call) => ('encoded_value' in data && typeof call.body.tweak === 'string' ? { ...data, tweak: call.body.tweak } : data)),
)
const keptTweaks = beside(() => new Map<string, string>())
/** Keeps generated tweaks instead of returning them, and finds them when a value is decoded. */
const keepsTweaks: (original: Handle) => Handle = (original) => async (call) => {
  const kept = keptTweaks(call.state)
  const withKept = (item: Json): Json => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
    const tweak = typeof item.value === 'string' ? kept.get(item.value) : undefined
    return tweak === undefined || item.tweak !== undefined ? item : { ...item, tweak }
  }
  const items = call.body.batch_input
  const body = Array.isArray(items) ? { ...call.body, batch_input: items.map(withKept) } : (withKept(call.body) as JsonObject)
  return replyData<typeof call>((data) => {
    // A tweak that the caller gave is the caller's: without it the value is not decoded.
    const withoutTweak = (answered: JsonObject, asked: JsonObject): JsonObject => {
      const { tweak, ...rest } = answered
      if (asked.tweak !== undefined) return answered
      if (typeof tweak === 'string') kept.set(String(rest.encoded_value), tweak)
      return rest
    }
    const results = data.batch_results
    if (!Array.isArray(results)) return withoutTweak(data, call.body)
    const asked = (Array.isArray(items) ? items : []) as JsonObject[]
    return { ...data, batch_results: results.map((one, at) => withoutTweak(one as JsonObject, asked[at] ?? {})) }
  })(() => original({ ...call, body }))(call)
}
route(
  'generated-tweak-kept',
  'a generated tweak may be returned',
  'a generated tweak is kept beside the value and not returned',
  CODING,
  keepsTweaks,
)
rule('generated-tweak-fixed', 'how generated tweaks are drawn: advised', 'the generated tweak is always the same', {
  generatedTweak: () => () => Uint8Array.of(1, 2, 3, 4, 5, 6, 7),
})
route(
  'empty-batch-refused',
  'an empty batch: open',
  'an empty batch is refused',
  ['transform.encode', 'transform.decode'],
  (original) => (call) => {
    if (Array.isArray(call.body.batch_input) && call.body.batch_input.length === 0) throw invalid('batch_input is empty')
    return original(call)
  },
)

export const variants = declared
