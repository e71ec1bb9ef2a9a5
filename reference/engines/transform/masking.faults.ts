/** Faults of masking. */
import { secret } from '../../core/envelope.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { transformEngine } from './engine.ts'
import { byRules, CODING, dataOf } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)

rule('mask-code-units', ['TRANSFORM-MASK-01', 'TRANSFORM-MASK-04'], 'code units are masked instead of characters', {
  replacedIn: (original) => (value, spans, transform) => {
    const [[start, end]] = spans as [readonly [number, number]]
    const text = transform(value.slice(start, end))
    return /^(.)\1*$/u.test(text)
      ? value.slice(0, start) + [...text][0]!.repeat(end - start) + value.slice(end)
      : original(value, spans, transform)
  },
})
rule('mask-keeps-last', 'TRANSFORM-MASK-01', 'the last four characters are not masked', {
  masked: (original) => (text, character) => original(text, character).slice(0, -4) + text.slice(-4),
})
route(
  'mask-always-star',
  'TRANSFORM-MASK-02',
  'a star masks whatever is written',
  'transform.encode',
  byRules((rules) => ({ masked: (text) => rules.masked(text, '*') })),
)
rule('mask-whole-text', 'TRANSFORM-MASK-03', 'the whole masking_character masks each character', {
  maskingCharacterOf: (original) => (body, kind, previous) =>
    (kind === 'masking' ? textOf(body, 'masking_character') : '') || original(body, kind, previous),
})
rule('mask-half-character', 'TRANSFORM-MASK-02', 'the first code unit masks', {
  maskingCharacterOf: (original) => (body, kind, previous) => original(body, kind, previous).slice(0, 1),
})
route(
  'mask-reversible',
  'TRANSFORM-MASK-05',
  'what was masked last is remembered',
  CODING,
  (() => {
    const values = new Map<string, string>()
    return (original) => async (call) => {
      const value = textOf(call.body, 'value')
      const remembered = values.get(value)
      try {
        const reply = await original(call)
        const encoded = String(dataOf(reply).encoded_value)
        if (encoded.includes('****')) values.set(encoded, value)
        return reply
      } catch (error) {
        if (remembered !== undefined) return secret({ decoded_value: remembered })
        throw error
      }
    }
  })(),
)
