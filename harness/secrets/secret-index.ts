/** Finds registered values and pieces of them in a text, in one pass over it, however many values there are. */

import { beginningOf } from '../base/text.ts'
import { GramPlaces } from './gram-places.ts'
import { LatestStretches } from './latest-stretches.ts'
import type { SearchWork } from './search-work.ts'

/** A stretch of a text: from `start` up to, not including, `end`. */
export interface Span {
  start: number
  end: number
}

const GRAM = 6
/** A gram of fewer different characters is a row or a rhythm, and says nothing. */
const TELLING_CHARACTERS = 3
/** Every third gram is kept: each common piece of eight characters holds one that is. */
const STRIDE = 3
const BASE = 257
/** What the first character of a gram weighs. */
const HIGHEST = [...Array(GRAM - 1).keys()].reduce((weight) => Math.imul(weight, BASE), 1)
const FILTER_BITS = 22
const MAX_VALUE = 1 << 16
const CUT_MARK = '…'
/** Steps for each character of a piece that is asked about: patterns are sought in it. */
const COST_OF_ASKING = 8

const hashAt = (text: string, start: number): number => {
  let hash = 0
  for (let index = start; index < start + GRAM; index += 1) hash = (Math.imul(hash, BASE) + text.charCodeAt(index)) | 0
  return hash
}

const filterBit = (hash: number): number => Math.imul(hash, 0x9e3779b1) >>> (32 - FILTER_BITS)

/** Letters in one case, at the same places: a value is known in either. The capital İ alone has a longer small letter. */
const inOneCase = (text: string): string => text.replaceAll('İ', 'i').toLowerCase()

const isTellingGram = (value: string, offset: number): boolean => {
  let different = 0
  for (let index = offset; index < offset + GRAM; index += 1) if (value.indexOf(value[index]!, offset) === index) different += 1
  return different >= TELLING_CHARACTERS
}

/** Where the grams of a value stand that are kept: those that tell something, or all of them where none does. */
const gramsOf = (value: string): number[] => {
  const last = value.length - GRAM
  const all = Array.from({ length: Math.floor(last / STRIDE) + 1 }, (_, nth) => nth * STRIDE)
  if (last % STRIDE !== 0) all.push(last)
  const telling = all.filter((offset) => isTellingGram(value, offset))
  return telling.length > 0 ? telling : all
}

/** Accepts or refuses a piece that is not a whole value. */
export type PieceRule = (piece: string) => boolean

/** One pass over a text. */
interface Search {
  /** In one case. */
  text: string
  /** As it stands. */
  shown: string
  least: number
  isTelling: PieceRule
  work: SearchWork
  /** Whether a piece tells something, by its place. */
  told: Map<number, boolean>
}

/** The longest stretch around `start` that text and value share. */
const commonOf = ({ text, work }: Search, start: number, value: string, offset: number): Span | undefined => {
  let end = start
  for (let index = offset; index < value.length && text.charCodeAt(end) === value.charCodeAt(index); index += 1) end += 1
  if (end - start < GRAM) return undefined
  let begin = start
  for (let index = offset - 1; index >= 0 && begin > 0 && text.charCodeAt(begin - 1) === value.charCodeAt(index); index -= 1) begin -= 1
  work.add(end - begin)
  return { start: begin, end }
}

const isFound = ({ text, shown, least, isTelling, told, work }: Search, { start, end }: Span, value: string): boolean => {
  const length = end - start
  if (length === value.length) return true
  // What was cut off in the middle begins as the value does.
  if (text[end] === CUT_MARK && value.startsWith(text.slice(start, end))) return true
  if (length < least) return false
  // Many values share the same piece of a text.
  const key = start * (MAX_VALUE + 1) + length
  const known = told.get(key)
  if (known !== undefined) return known
  work.add(COST_OF_ASKING * length)
  const tells = isTelling(shown.slice(start, end))
  told.set(key, tells)
  return tells
}

export class SecretIndex {
  /** The shortest value that can be found. */
  static readonly shortest = GRAM
  readonly #known = new Set<string>()
  /** Known ones whose grams are not kept yet: most are known long before anything is sought, and often nothing ever is. */
  #waiting: string[] = []
  readonly #values: string[] = []
  readonly #latest = new LatestStretches()
  #grams: { places: GramPlaces; filter: Uint8Array } | undefined

  get size(): number {
    return this.#known.size
  }

  /** Takes in a value of at least six characters; the same one again changes nothing. */
  add(value: string): void {
    const kept = inOneCase(beginningOf(value, MAX_VALUE))
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
      for (const offset of gramsOf(value)) keep(value, number, offset)
    }
    this.#waiting = []
    return this.#grams
  }

  /**
   * Stretches of `text` that are a value, or a piece of one, in letters of either case.
   *
   * @param least characters of a piece; eight or more.
   * @param isTelling asked of each piece that is less than a whole value.
   * @param work is counted; once it is used up nothing more is found.
   */
  find(text: string, least: number, isTelling: PieceRule, work: SearchWork): Span[] {
    const spans: Span[] = []
    if (text.length < GRAM || this.#known.size === 0) return spans
    const { places, filter } = this.#allGrams()
    this.#latest.begin(this.#values.length)
    const search: Search = { text: inOneCase(text), shown: text, least, isTelling, work, told: new Map() }
    let hash = hashAt(search.text, 0)
    work.add(text.length)
    for (let start = 0; !work.isUsedUp; ) {
      const bit = filterBit(hash)
      const span = (filter[bit >> 3]! & (1 << (bit & 7))) === 0 ? undefined : this.#longestAt(places, search, start, hash)
      if (span !== undefined) spans.push(span)
      // Inside a stretch that was found nothing new begins but what reaches beyond it, of which one of the last three grams is kept.
      const beyond = span === undefined ? start + 1 : Math.max(start + 1, span.end - GRAM - STRIDE + 2)
      if (beyond + GRAM > text.length) return spans
      const entering = search.text.charCodeAt(start + GRAM)
      hash =
        beyond === start + 1
          ? (Math.imul(hash - Math.imul(search.text.charCodeAt(start), HIGHEST), BASE) + entering) | 0
          : hashAt(search.text, beyond)
      start = beyond
    }
    return spans
  }

  #longestAt(places: GramPlaces, search: Search, start: number, hash: number): Span | undefined {
    let longest: Span | undefined
    places.visit(hash, (number, offset) => {
      search.work.add(1)
      const value = this.#values[number]!
      if (!this.#latest.covers(number, start - offset, start + GRAM)) {
        const span = commonOf(search, start, value, offset)
        if (span === undefined) return
        this.#latest.set(number, start - offset, span)
      }
      const length = this.#latest.lengthOf(number)
      if (longest !== undefined && length <= longest.end - longest.start) return
      const span = this.#latest.spanOf(number)
      if (isFound(search, span, value)) longest = span
    })
    return longest
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
