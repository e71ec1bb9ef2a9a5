/** Faults of encoding and decoding by a template: groups of patterns, what is shown, tweaks, and masking. */
import { secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfRefusal, refusal, replyData } from '../../faults/wrappers.ts'
import { transformEngine } from './engine.ts'
import { after, beside, byRules, CODING, dataOf } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(transformEngine)

route(
  'decode-last-tweak',
  'TRANSFORM-TWEAK-02',
  'without a tweak the last one is used',
  CODING,
  (() => {
    let last = ''
    return (original) => (call) => {
      const tweak = textOf(call.body, 'tweak')
      if (tweak !== '') last = tweak
      return original(tweak === '' && call.body.batch_input === undefined ? { ...call, body: { ...call.body, tweak: last } } : call)
    }
  })(),
)
rule('generated-other', 'TRANSFORM-TWEAK-10', 'another tweak is returned than was used', {
  shownTweak: (original) => (tweak) => original(Uint8Array.from(tweak).reverse()),
})
rule('group-optional', 'TRANSFORM-ENCODE-01', 'a value in which a group takes no part does not match', {
  spansOf: (original) => (pattern, value) => {
    const spans = original(pattern, value)
    const groups = pattern.replace(/\\./g, '').match(/\((?!\?)/g)?.length ?? 0
    return spans !== undefined && spans.length < groups ? undefined : spans
  },
})
rule('groups-two', 'TRANSFORM-TEMPLATE-19', 'the third group of a pattern, and those after it, are not transformed', {
  spansOf: (original) => (pattern, value) => original(pattern, value)?.slice(0, 2),
})
rule('groups-touching', 'TRANSFORM-TEMPLATE-19', 'a group that follows another without a gap is left as it is', {
  spansOf: (original) => (pattern, value) =>
    original(pattern, value)?.filter(([start], index, spans) => start > (spans[index - 1]?.[1] ?? -1)),
})
rule('groups-joined', 'TRANSFORM-TEMPLATE-19', 'what stands between two groups of a pattern is lost', {
  replacedIn: (original) => (value, spans, transform) => {
    const [first, last] = [spans[0]!, spans.at(-1)!]
    if (spans.length < 2) return original(value, spans, transform)
    return value.slice(0, first[0]) + transform(spans.map(([start, end]) => value.slice(start, end)).join('')) + value.slice(last[1])
  },
})
rule('pattern-any-case', 'TRANSFORM-ENCODE-06', 'a pattern matches capitals as small letters', {
  spansOf: (original) => (pattern, value) => original(`(?i)${pattern}`, value),
})
rule('pattern-part', 'TRANSFORM-ENCODE-06', 'digits are transformed where the value as a whole does not match', {
  spansOf: (original) => (pattern, value) => {
    const found = original(pattern, value)
    const [digits] = found ? [] : [...value.matchAll(/\d{6,}/g)]
    return digits ? [[digits.index, digits.index + digits[0].length]] : found
  },
})
rule('metadata-in-tweak', 'TRANSFORM-ENCODE-07', 'metadata take part in the encryption', {
  tweakOf: (original) => (item) => original(item).map((byte) => (item.metadata === undefined ? byte : byte ^ 1)),
})
rule('ttl-in-masking', 'TRANSFORM-ENCODE-07', 'a value with a ttl is masked by one character', {
  givenValue: (original) => (item) => (item.ttl === undefined ? original(item) : original(item).slice(0, 6)),
})
route(
  'value-in-refusal',
  'TRANSFORM-SECRET-01',
  'a refusal repeats the value',
  CODING,
  refusal((refused, { body }) => new ApiError(refused.status, `${refused.message}: ${body.value}`)),
)
const lastValue = beside(() => ({ value: '' }))
change('value-in-read', 'TRANSFORM-SECRET-02', 'a read of a transformation shows the last value', {
  routes: {
    'transform.encode': after((state, _name, { body }) => {
      if (typeof body.value === 'string') lastValue(state).value = body.value
    }),
    'transform.readTransformation': replyData((data, { state }) => ({ ...data, last: lastValue(state).value })),
  },
})
route('long-text-fails', 'TRANSFORM-SECRET-03', 'a long text is an internal error', CODING, (original) => (call) => {
  if (typeof call.body.value === 'string' && call.body.value.length > 500_000) throw new ApiError(500, 'internal error')
  return original(call)
})
route('wide-digits-fail', 'TRANSFORM-SECRET-03', 'digits of another script are an internal error', CODING, (original) => (call) => {
  if (/[０-９]/.test(String(call.body.value))) throw new ApiError(500, 'internal error')
  return original(call)
})

for (const [operation, clause] of [
  ['encode', 'TRANSFORM-TWEAK-01'],
  ['decode', 'TRANSFORM-TWEAK-05'],
] as const)
  route(
    `${operation}-tweak-filled`,
    clause,
    'a tweak that is missing or short is filled with zeros',
    `transform.${operation}`,
    byRules((rules) => ({
      tweakOf: (item) => {
        const bytes = Buffer.from(textOf(item, 'tweak'), 'base64')
        return bytes.length > 7 ? rules.tweakOf(item) : Uint8Array.from({ length: 7 }, (_, at) => bytes[at] ?? 0)
      },
    })),
  )
const refusedTweak = (when: (bytes: Uint8Array, text: string) => boolean) => ({
  tweakOf: (original: (item: never) => Uint8Array) => (item: { tweak?: unknown }) => {
    const bytes = original(item as never)
    if (when(bytes, String(item.tweak))) throw invalid('tweak must be base64 of 7 bytes')
    return bytes
  },
})
rule(
  'tweak-of-zeros',
  'TRANSFORM-TWEAK-03',
  'a tweak of zeros is taken for a missing one',
  refusedTweak((bytes) => bytes.every((byte) => byte === 0)),
)
rule(
  'tweak-first-zero',
  'TRANSFORM-TWEAK-03',
  'a tweak whose first byte is zero is refused',
  refusedTweak(([first]) => first === 0),
)
rule(
  'tweak-plus',
  ['TRANSFORM-TWEAK-03', 'TRANSFORM-FPE-07'],
  'tweaks with a plus or a slash are refused',
  refusedTweak((_bytes, text) => /[+/]/.test(text)),
)
rule('tweak-long-cut', ['TRANSFORM-TWEAK-04', 'TRANSFORM-TWEAK-05'], 'a longer tweak is cut to seven bytes', {
  tweakOf: (original) => (item) => {
    const bytes = Buffer.from(textOf(item, 'tweak'), 'base64')
    return bytes.length > 7 ? bytes.subarray(0, 7) : original(item)
  },
})
rule('tweak-by-characters', 'TRANSFORM-TWEAK-04', 'seven characters of a tweak count instead of seven bytes', {
  tweakOf: () => (item) => {
    const text = Buffer.from(textOf(item, 'tweak'))
    if (text.length < 7) throw invalid('tweak is too short')
    return text.subarray(0, 7)
  },
})
rule('tweak-lenient', 'TRANSFORM-TWEAK-06', 'characters that are not base64 are skipped', {
  tweakOf: () => (item) => Uint8Array.from({ length: 7 }, (_, at) => Buffer.from(textOf(item, 'tweak'), 'base64')[at] ?? 0),
})
rule('generated-short', 'TRANSFORM-TWEAK-07', 'a byte is missing in the returned tweak', {
  shownTweak: (original) => (tweak) => original(tweak.subarray(1)),
})
rule('generated-url-safe', 'TRANSFORM-TWEAK-07', 'a generated tweak is returned in the alphabet of base64 for URLs', {
  shownTweak: (original) => (tweak) => ({ tweak: String(original(tweak).tweak).replaceAll('+', '-').replaceAll('/', '_') }),
  tweakOf: (original) => (item) =>
    original(typeof item.tweak === 'string' ? { ...item, tweak: item.tweak.replaceAll('-', '+').replaceAll('_', '/') } : item),
})
rule('generated-fixed', 'TRANSFORM-TWEAK-08', 'the generated tweak is always the same', {
  generatedTweak: () => () => Uint8Array.of(1, 2, 3, 4, 5, 6, 7),
})
const tweaks = beside(() => new Map<string, string>())
route(
  'generated-remembered',
  'TRANSFORM-TWEAK-09',
  'what was generated is found again without the caller',
  CODING,
  (original) => async (call) => {
    const known = tweaks(call.state).get(textOf(call.body, 'value'))
    const reply = await original(
      known === undefined || call.body.tweak !== undefined ? call : { ...call, body: { ...call.body, tweak: known } },
    )
    const { encoded_value: encoded, tweak } = dataOf(reply)
    if (typeof tweak === 'string') tweaks(call.state).set(String(encoded), tweak)
    return reply
  },
)
rule('internal-asks', 'TRANSFORM-TWEAK-11', 'a transformation with internal tweaks asks for one', {
  internalTweak: () => () => {
    throw invalid('tweak is missing')
  },
})
rule('internal-fresh', ['TRANSFORM-TWEAK-11', 'TRANSFORM-TWEAK-12'], 'an internal tweak is another one each time', {
  internalTweak: () => () => Uint8Array.from({ length: 7 }, () => Math.floor(Math.random() * 256)),
})
route(
  'internal-of-the-caller',
  ['TRANSFORM-DECODE-01', 'TRANSFORM-FPE-05'],
  'an internal tweak is another one for each caller',
  CODING,
  byRules(({ internalTweak }, { token }) => ({
    internalTweak: (one) => internalTweak(one).map((byte, at) => byte ^ (token?.accessor.charCodeAt(at) ?? 0)),
  })),
)

rule('mask-code-units', ['TRANSFORM-MASK-01', 'TRANSFORM-MASK-04'], 'code units are masked instead of characters', {
  masked: (original) => (text, character) => original('x'.repeat(text.length), character),
  replacedIn: (original) => (value, spans, transform) => {
    const [start, end] = spans[0]!
    const text = transform(value.slice(start, end))
    return /^(.)\1*$/u.test(text) ? value.slice(0, start) + text + value.slice(end) : original(value, spans, transform)
  },
})
rule('mask-keeps-last', 'TRANSFORM-MASK-01', 'the last four characters are not masked', {
  masked: (original) => (text, character) => original(text, character).slice(0, -4) + text.slice(-4),
})
rule('mask-spares-separators', 'TRANSFORM-MASK-01', 'separators in the group are not masked', {
  masked: (original) => (text, character) => text.replace(/[^ '.()/+-]/gu, (letter) => original(letter, character)),
})
rule('mask-half-character', 'TRANSFORM-MASK-02', 'the first code unit masks', {
  maskingCharacterOf: (original) => (body, kind, previous) => original(body, kind, previous).slice(0, 1),
})
rule('mask-whole-text', 'TRANSFORM-MASK-03', 'the whole masking_character masks each character', {
  maskingCharacterOf: (original) => (body, kind, previous) =>
    (kind === 'masking' ? textOf(body, 'masking_character') : '') || original(body, kind, previous),
})
rule('mask-last-character', 'TRANSFORM-MASK-03', 'the last character of masking_character masks', {
  maskingCharacterOf: (original) => (body, kind, previous) =>
    kind === 'masking' ? ([...textOf(body, 'masking_character')].at(-1) ?? original(body, kind, previous)) : '',
})
const maskedValues = beside(() => new Map<string, string>())
change('mask-reversible', 'TRANSFORM-MASK-05', 'what was masked last is remembered', {
  routes: {
    'transform.encode': after((state, _name, { body }, reply) =>
      maskedValues(state).set(String(dataOf(reply).encoded_value), textOf(body, 'value')),
    ),
    'transform.decode': insteadOfRefusal(
      ({ state, body }) => secret({ decoded_value: maskedValues(state).get(textOf(body, 'value'))! }),
      ({ state, body }) => /([*#x])\1{3}/.test(String(body.value)) && maskedValues(state).has(String(body.value)),
    ),
  },
})

export const faults = declared
