/** Names, drawn values and values of a server's choice in one run of a check: numbers stand for them, so that two runs can be compared. */
import { withoutVarying } from '../replay/likeness.ts'

/** A value that a check stores and looks for later, or a piece of it, forwards or backwards. Bounded: texts may be megabytes of letters. */
const CANARY = '(?<![a-z0-9])[a-z0-9]{1,24}-[0-9a-f]{36,40}|(?<![a-z0-9])[0-9a-f]{36,40}-[a-z0-9]{1,24}'

/** Shorter texts, and those without a digit, may be what every server says. */
const CHOSEN = /^(?=.*\d).{10,4096}$/s

/** Shorter values of a server's choice stand in longer texts by chance. */
const TELLING = 10

/** By so much one knows a value that a check cut short to ask with it. */
const BEGINNING = 4

/** Shorter values of a server's choice come again by chance. */
export const UNIQUE = 16

/** More chosen values have no number: each is looked for in all that comes later. */
const MOST_CHOSEN = 5_000

/** Every way in which a request may spell a value. */
const spellingsOf = (value: string): Set<string> => {
  const separated = value.includes(':') ? [':', '-', ''].map((separator) => value.replaceAll(':', separator)) : [value]
  return new Set(separated.flatMap((spelled) => [spelled, spelled.toUpperCase()]))
}

/**
 * Names, canaries and values of the server's choice in one run of a check, by the order in which they come up: the same program gives the same
 * numbers.
 */
export class Names {
  readonly #run: RegExp
  readonly #drawn: RegExp
  readonly #numbers = new Map<string, number>()
  readonly #chosen = new Map<string, number>()
  readonly #beginnings = new Map<string, string>()
  readonly #values = new Set<string>()
  #sent = ''

  constructor(run: string) {
    // Checks also ask with names that lack their beginning.
    const name = `[a-z]{0,5}-${run}-[a-z0-9-]+`
    this.#run = new RegExp(name, 'gi')
    this.#drawn = new RegExp(`${name}|${CANARY}`, 'gi')
  }

  /** Whether a text names something of another check: it may stand beside this check's objects, and is not compared. */
  isOfOthers(text: string): boolean {
    return (text.match(this.#run) ?? []).some((name) => !this.#numbers.has(name))
  }

  /**
   * Takes note of what was sent: an answer that holds it chose nothing.
   *
   * @param values the single texts in it, where it has such.
   */
  note(text: string, values: readonly string[] = []): void {
    this.#sent += `${text}\n`
    for (const value of values) this.#values.add(value)
  }

  /** Whether a value was sent as a single text, and is not so short that a server may choose it by chance. */
  wasSent(value: string): boolean {
    return value.length >= TELLING && this.#values.has(value)
  }

  /** The number of a value that the server chose, such as a serial number; undefined for one that has none. */
  numberOf(value: string): number | undefined {
    return this.#chosen.get(value)
  }

  /**
   * Whether a value without a number is one that the server chooses.
   *
   * @param isSaid whether the contract says that the server chooses what stands there.
   */
  isChosen(value: string, isSaid: boolean): boolean {
    if (isSaid) return value !== '' && !this.#values.has(value)
    // What differs anyway, such as a time, says nothing of who chose it.
    return CHOSEN.test(value) && withoutVarying(value).length === 1 && !this.#sent.includes(value)
  }

  /** Whether a value without a number is one that the server chooses, or differs from run to run anyway. */
  mayBeChosen(value: string): boolean {
    return withoutVarying(value).length > 1 || this.isChosen(value, false)
  }

  /** Gives a value that the server chose its number, in every way in which a request may spell it. */
  choose(value: string, number: number): void {
    if (this.#chosen.size >= MOST_CHOSEN) return
    for (const spelled of spellingsOf(value)) if (!this.#chosen.has(spelled)) this.#chosen.set(spelled, number)
    if (value.length >= TELLING) this.#beginnings.set(value.slice(0, BEGINNING), `chosen-${number}`)
  }

  /** A text with numbers for names alone: what a server chose may be what we drew, by chance. */
  plain(text: string): string {
    return text.replaceAll(this.#drawn, (name) => {
      const number = this.#numbers.get(name) ?? this.#numbers.size + 1
      this.#numbers.set(name, number)
      return `name-${number}`
    })
  }

  /** A text with numbers for names and whole chosen values, and a star for what differs from run to run. */
  whole(given: string): string {
    const whole = this.#chosen.get(given)
    return whole === undefined ? withoutVarying(this.#named(given)).join('*') : `chosen-${whole}`
  }

  /** As `whole`, and what begins as a chosen value stands for it: what checks send may be one that they cut short. */
  general(given: string): string {
    const isShort = !this.#chosen.has(given) && given.length < UNIQUE && this.#named(given) === given
    const whose = isShort ? this.#beginnings.get(given.slice(0, BEGINNING)) : undefined
    return whose === undefined ? this.whole(given) : `${given.length} characters that begin as ${whose}`
  }

  #named(given: string): string {
    let text = given
    for (const [value, number] of this.#chosen)
      if (value.length >= TELLING && value.length < text.length) text = text.replaceAll(value, `chosen-${number}`)
    return this.plain(text)
  }
}
