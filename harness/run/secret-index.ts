/** Finds registered values and pieces of them in a text, in one pass over it, however many values there are. */

import { beginningOf } from '../base/text.ts'
import { GramPlaces } from './gram-places.ts'

/** A stretch of a text: from `start` up to, not including, `end`. */
export interface Span {
  start: number
  end: number
}

const GRAM = 6
/** Every third gram is kept: each common piece of eight characters holds one that is. */
const STRIDE = 3
const BASE = 257
/** What the first character of a gram weighs. */
const HIGHEST = [...Array(GRAM - 1).keys()].reduce((weight) => Math.imul(weight, BASE), 1)
const FILTER_BITS = 22
const MAX_VALUE = 1 << 16
const CUT_MARK = '…'

const hashAt = (text: string, start: number): number => {
  let hash = 0
  for (let index = start; index < start + GRAM; index += 1) hash = (Math.imul(hash, BASE) + text.charCodeAt(index)) | 0
  return hash
}

const filterBit = (hash: number): number => Math.imul(hash, 0x9e3779b1) >>> (32 - FILTER_BITS)

/** Accepts or refuses a piece that is not a whole value. */
export type PieceRule = (piece: string) => boolean

export class SecretIndex {
  /** The shortest value that can be found. */
  static readonly shortest = GRAM
  readonly #known = new Set<string>()
  /** Known ones whose grams are not kept yet: most are known long before anything is sought, and often nothing ever is. */
  #waiting: string[] = []
  readonly #values: string[] = []
  #grams: { places: GramPlaces; filter: Uint8Array } | undefined

  get size(): number {
    return this.#known.size
  }

  /** Takes in a value of at least six characters; the same one again changes nothing. */
  add(value: string): void {
    const kept = beginningOf(value, MAX_VALUE)
    if (kept.length < GRAM || this.#known.has(kept)) return
    this.#known.add(kept)
    this.#waiting.push(kept)
  }

  /** The grams of all values. */
  #allGrams(): { places: GramPlaces; filter: Uint8Array } {
    this.#grams ??= { places: new GramPlaces(), filter: new Uint8Array(2 ** (FILTER_BITS - 3)) }
    const { places, filter } = this.#grams
    const keep = (value: string, number: number, offset: number): void => {
      const hash = hashAt(value, offset)
      const bit = filterBit(hash)
      filter[bit >> 3]! |= 1 << (bit & 7)
      places.add(hash, number, offset)
    }
    for (const value of this.#waiting) {
      const number = this.#values.push(value) - 1
      for (let offset = 0; offset <= value.length - GRAM; offset += STRIDE) keep(value, number, offset)
      if ((value.length - GRAM) % STRIDE !== 0) keep(value, number, value.length - GRAM)
    }
    this.#waiting = []
    return this.#grams
  }

  /**
   * Stretches of `text` that are a value, or a piece of one.
   *
   * @param least characters of a piece; eight or more.
   * @param isTelling asked of each piece that is no whole value.
   */
  find(text: string, least: number, isTelling: PieceRule): Span[] {
    const spans: Span[] = []
    if (text.length < GRAM || this.#known.size === 0) return spans
    const { places, filter } = this.#allGrams()
    let hash = hashAt(text, 0)
    for (let start = 0; ; ) {
      const bit = filterBit(hash)
      const span = (filter[bit >> 3]! & (1 << (bit & 7))) === 0 ? undefined : this.#longestAt(places, text, start, hash, least, isTelling)
      if (span !== undefined) spans.push(span)
      // Inside a stretch that was found nothing new begins but what reaches beyond it, of which one of the last three grams is kept.
      const beyond = span === undefined ? start + 1 : Math.max(start + 1, span.end - GRAM - STRIDE + 2)
      if (beyond + GRAM > text.length) return spans
      const entering = text.charCodeAt(start + GRAM)
      hash =
        beyond === start + 1 ? (Math.imul(hash - Math.imul(text.charCodeAt(start), HIGHEST), BASE) + entering) | 0 : hashAt(text, beyond)
      start = beyond
    }
  }

  #longestAt(places: GramPlaces, text: string, start: number, hash: number, least: number, isTelling: PieceRule): Span | undefined {
    let longest: Span | undefined
    places.visit(hash, (number, offset) => {
      const value = this.#values[number]!
      const span = this.#common(text, start, value, offset)
      if (span === undefined || (longest !== undefined && span.end - span.start <= longest.end - longest.start)) return
      const length = span.end - span.start
      // What was cut off in the middle begins as the value does.
      const isBeginning = text[span.end] === CUT_MARK && value.startsWith(text.slice(span.start, span.end))
      if (length === value.length || isBeginning || (length >= least && isTelling(text.slice(span.start, span.end)))) longest = span
    })
    return longest
  }

  /** The longest stretch around `start` that text and value share. */
  #common(text: string, start: number, value: string, offset: number): Span | undefined {
    let end = start
    for (let index = offset; index < value.length && text[end] === value[index]; index += 1) end += 1
    if (end - start < GRAM) return undefined
    let begin = start
    for (let index = offset - 1; index >= 0 && begin > 0 && text[begin - 1] === value[index]; index -= 1) begin -= 1
    return { start: begin, end }
  }
}

/** Spans in order, those that touch or overlap joined. */
export const joined = (spans: readonly Span[]): Span[] => {
  const result: Span[] = []
  for (const span of [...spans].sort((left, right) => left.start - right.start)) {
    const last = result.at(-1)
    if (last !== undefined && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else result.push({ ...span })
  }
  return result
}
