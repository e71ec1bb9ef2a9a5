/** Texts that look like secrets but are not: the words of the contract, names that the run made, what every key file begins with. */
import { STATUS_CODES } from 'node:http'
import { constants } from 'node:os'
import type { Contract } from '../contract/contract.ts'
import { isMixed, readingsOf } from './text-readings.ts'

const WORDS = /[A-Za-z][A-Za-z0-9]{2,}/g

/** Words without which no answer is written. */
const COMMON =
  'unable cannot could would should connect connected connection refused denied internal server request response unknown invalid missing required expected received ' +
  'already exists found permission unauthorized forbidden unsupported unavailable temporarily timeout exceeded deadline context canceled parameter argument ' +
  'database password username certificate private public credential credentials authentication authorization failed failure verification verify ' +
  'application octet stream charset standard default internal handler template statement function relation duplicate violates constraint transaction ' +
  'occurred following multiple attempting attempted processing executing executed specified provided necessary currently previously encountered unexpected ' +
  'unexpectedly malformed character characters exception security transport includesubdomains sameorigin protocol directory resource resources ' +
  'namespace namespaces capability capabilities version versions creating deleting updating reading writing retrieving validating validation validate ' +
  'supplied including contains containing contained different identical existing properly correctly instance instances maximum minimum greater smaller ' +
  'description violation rejected reserved restricted referenced references conflict conflicts contacting initialize initialized uninitialized ' +
  'incoming outgoing localhost endpoint configuration configured available supported operation permitted allowed disabled enabled generate generated ' +
  'parsing requested semicolon unterminated identified identifier statements connecting parameters operations characters authenticate authenticated'

const wordsIn = (text: string, into: Set<string>): void => {
  for (const [word] of text.matchAll(WORDS)) into.add(word.toLowerCase())
}

const collect = (value: unknown, into: Set<string>, seen: Set<unknown>): void => {
  if (typeof value === 'string') wordsIn(value, into)
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  for (const [name, member] of Object.entries(value)) {
    wordsIn(name, into)
    collect(member, into, seen)
  }
}

const vocabularies = new WeakMap<Contract, ReadonlySet<string>>()

/** All words that the contract uses, in lower case: in clauses, paths, names and descriptions of schemas. */
export const vocabularyOf = (contract: Contract): ReadonlySet<string> => {
  const known = vocabularies.get(contract)
  if (known !== undefined) return known
  const words = new Set<string>()
  const seen = new Set<unknown>()
  wordsIn(COMMON, words)
  for (const text of Object.values(STATUS_CODES)) wordsIn(text ?? '', words)
  for (const code of Object.keys(constants.errno)) wordsIn(code, words)
  for (const part of [contract.apis, contract.clauses, contract.operations]) for (const item of part.values()) collect(item, words, seen)
  vocabularies.set(contract, words)
  return words
}

const RUN_NAME = /assay-[a-z0-9]{6}(?:-[a-z0-9]{1,12})*/g
const ARMOR = /-{2,5}(?:(?:BEGIN|END) [A-Z0-9 ]+)?-{0,5}/g
const MOMENT = /\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g
const DURATION = /(?<![A-Za-z0-9])(?:\d+(?:ms|[smhd]))+(?![A-Za-z0-9])/g
const MAX_AGE = /(?<![A-Za-z0-9])max-age=\d+/g

const withoutForms = (text: string): string =>
  [RUN_NAME, ARMOR, MOMENT, DURATION, MAX_AGE].reduce((rest, form) => rest.replaceAll(form, ' '), text)

/** A word, or two that are written as one, such as a product's name. */
const SENTENCE_WORD = /^(?=.{1,13}$)(?:[A-Z]?[a-z]+|[A-Z][a-z]+[A-Z][a-z]+)$/

/** Base64 with its padding. Words of a language have none. */
const PADDED = /(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)(?!=)/g

const isVaried = (text: string): boolean => new Set(text).size >= 4

export class Harmless {
  readonly #words: ReadonlySet<string>

  constructor(words: ReadonlySet<string> = new Set()) {
    this.#words = words
  }

  /** Whether a text is a single word that documents use: no value of its own. */
  isWord(text: string): boolean {
    return this.#words.has(text.toLowerCase())
  }

  /** Whether a part without punctuation reads like a word or a small number. */
  #isPlain(part: string): boolean {
    if (/^\d{1,5}$/.test(part)) return true
    if (/^(?:[A-Z]?[a-z]{0,7}|[A-Z]{1,8})$/.test(part)) return true
    return this.#words.has(part.toLowerCase())
  }

  /** Whether nothing of a text looks like a secret in any reading: it is made of words, small numbers, times and names of the run. */
  isHarmless(text: string): boolean {
    return this.#isMadeOf(text, (part) => this.#isPlain(part))
  }

  /** The same of a word in a sentence, which may be one of a language: letters alone, as words are written, and fewer than issued secrets have. */
  isHarmlessInSentence(word: string): boolean {
    return this.#isMadeOf(word, (part) => this.#isPlain(part) || SENTENCE_WORD.test(part))
  }

  #isMadeOf(text: string, isPart: (part: string) => boolean): boolean {
    const isMade = (reading: string): boolean =>
      !(reading.match(PADDED) ?? []).some(isMixed) &&
      withoutForms(reading)
        .split(/[^\p{L}\p{N}]+/u)
        .every((part) => part === '' || isPart(part))
    return isMade(text) && readingsOf(text).every((reading) => !reading.isBytes && isMade(reading.text))
  }

  /** Whether a piece of a secret is telling: at least eight of its characters belong to nothing harmless, and they vary. */
  isTelling(piece: string): boolean {
    const rest = withoutForms(piece).replace(/[\p{L}\p{N}]+/gu, (part) => (part.length >= 3 && this.isWord(part) ? ' ' : part))
    const left = rest.replace(/[\s-]+/g, '')
    return left.length >= 8 && isVaried(left)
  }
}
