/** Decisions about encoding and decoding by a template: what is transformed, with which tweak, and how a batch is taken. */
import { createHmac } from 'node:crypto'
import { RE2JS } from 're2js'
import { type ApiError, invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Random } from '../../core/random.ts'
import { lengthsFor } from './cipher.ts'
import type { Transformation } from './state.ts'

/** Part of a value, in code units: from the first to before the second. */
export type Span = readonly [number, number]

const TWEAK_BYTES = 7

let recent = RE2JS.compile('')

/** The pattern as it was compiled last: a batch asks for one and the same with each of its values. */
const compiled = (pattern: string): RE2JS => {
  if (recent.pattern() !== pattern) recent = RE2JS.compile(pattern)
  return recent
}

export const codingRules = {
  /** The items of a batch; undefined where the request is about one value. */
  batchOf(body: JsonObject): JsonObject[] | undefined {
    const batch = body.batch_input
    if (batch === undefined || batch === null) return undefined
    if (!Array.isArray(batch) || batch.some((item) => item === null || typeof item !== 'object' || Array.isArray(item)))
      throw invalid('batch_input must be a list of objects')
    return batch as JsonObject[]
  },
  failedItem: (refused: ApiError): JsonObject => ({ error: refused.message }),
  batchResults: (results: JsonObject[]): JsonObject => ({ batch_results: results }),
  givenValue(item: JsonObject): string {
    if (item.value === undefined || item.value === null) throw invalid('value is missing')
    return textOf(item, 'value')
  },
  /** The groups of a pattern in a value, the outermost where they are nested; undefined where the value as a whole does not match. */
  spansOf(pattern: string, value: string): Span[] | undefined {
    const matcher = compiled(pattern).matcher(value)
    if (!matcher.matches()) return undefined
    const spans: Span[] = []
    for (let group = 1; group <= matcher.groupCount(); group += 1) {
      const [start, end] = [matcher.start(group), matcher.end(group)]
      if (start >= (spans.at(-1)?.[1] ?? 0) && end > start) spans.push([start, end])
    }
    return spans
  },
  /** What becomes of a value that does not match its template. */
  unmatched(_value: string): string {
    throw invalid('the value does not match the template')
  },
  /** A value in which the groups, taken as one text, are replaced character by character. */
  replacedIn(value: string, spans: readonly Span[], transform: (text: string) => string): string {
    const changed = [...transform(spans.map(([start, end]) => value.slice(start, end)).join(''))]
    let [result, last] = ['', 0]
    for (const [start, end] of spans) {
      result += value.slice(last, start) + changed.splice(0, [...value.slice(start, end)].length).join('')
      last = end
    }
    return result + value.slice(last)
  },
  lettersOf: (alphabet: string): string[] => [...alphabet],
  /** The places of a text's characters in an alphabet. Throws 400 for others, and for a length that the cipher does not take. */
  numeralsOf(text: string, letters: readonly string[]): number[] {
    const places = new Map(letters.map((letter, place) => [letter, place]))
    const numerals = [...text].map((letter) => places.get(letter))
    if (numerals.includes(undefined)) throw invalid('the value holds a character that is not in the alphabet')
    if (places.size < 2) throw invalid('the alphabet needs at least two characters')
    const { shortest, longest } = lengthsFor(places.size)
    if (numerals.length < shortest || numerals.length > longest)
      throw invalid(`${shortest} to ${longest} characters of this alphabet can be transformed`)
    return numerals as number[]
  },
  /** Seven bytes of a tweak that the caller gave; throws 400 where it is none. */
  tweakOf(item: JsonObject): Uint8Array {
    const text = textOf(item, 'tweak')
    if (text === '') throw invalid('tweak is missing')
    const bytes = /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0 ? Buffer.from(text, 'base64') : new Uint8Array()
    if (bytes.length !== TWEAK_BYTES) throw invalid('tweak must be base64 of 7 bytes')
    return bytes
  },
  generatedTweak: (random: Random): Uint8Array => random.bytes(TWEAK_BYTES),
  shownTweak: (tweak: Uint8Array): JsonObject => ({ tweak: Buffer.from(tweak).toString('base64') }),
  /** A tweak that nobody else knows and that never changes. */
  internalTweak: (transformation: Transformation): Uint8Array =>
    createHmac('sha256', transformation.key).update('tweak').digest().subarray(0, TWEAK_BYTES),
  masked: (text: string, character: string): string => character.repeat([...text].length),
  maskDecodable: (): boolean => false,
  shownEncoded: (value: string): JsonObject => ({ encoded_value: value }),
  shownDecoded: (value: string): JsonObject => ({ decoded_value: value }),
  /** What a batch of decodings shows for one: the shown form carries the key `encoded_value`. */
  shownDecodedItem: (value: string): JsonObject => ({ encoded_value: value }),
}
