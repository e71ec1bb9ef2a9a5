/** The exchanges of one check: those that its decisions are about are kept, and the latest ones around them as far as they have room. */
import { type Answer, UNWATCHED } from '../target/exchange.ts'
import type { Exchange } from '../target/target.ts'
import { recorded } from './recorded.ts'
import { holdsEvery, leavesOf } from './shown-values.ts'

export interface NumberedExchange extends Exchange {
  /** From 1, within the check. */
  number: number
  /** Milliseconds that the check let pass before it, for something to come. */
  waitedMs?: number
  /** What the check had exchanged before, where this one stands apart from it. */
  before?: readonly NumberedExchange[]
}

/** Bytes of bodies that one check may hold on to; the oldest exchanges go first. */
const MOST_BYTES = 4 * 1024 * 1024
const MOST_EXCHANGES = 2_000
const MOST_BEFORE = 100
/** How many exchanges are looked through for a value. */
const MOST_SEARCHED = 200

const sizeOf = ({ request, answer }: Exchange): number => (request.body?.length ?? 0) + (answer?.bytes.length ?? 0)

export class History {
  /** Exchanges made; not all of them are kept. */
  count = 0
  /** How many of them were answered. */
  answered = 0
  /** Milliseconds that the check let pass in all. */
  rested = 0
  readonly #kept = new Map<number, NumberedExchange>()
  readonly #decisive = new Set<number>()
  #bytes = 0
  #waited = 0
  /** The answer that the check's body looked into since the latest exchange. */
  #touched: number | undefined
  /** The answers that the check's body looked into, in order. */
  readonly #looked: number[] = []

  /** What is kept, in order. */
  get kept(): NumberedExchange[] {
    return [...this.#kept.values()]
  }

  add(exchange: Exchange): NumberedExchange {
    this.count += 1
    if (exchange.answer !== undefined) this.answered += 1
    const numbered = { ...recorded(exchange), number: this.count, ...(this.#waited === 0 ? {} : { waitedMs: this.#waited }) }
    this.#waited = 0
    this.#kept.set(numbered.number, numbered)
    this.#bytes += sizeOf(numbered)
    this.#touched = undefined
    this.#makeRoom()
    return numbered
  }

  /** What is kept before an exchange, a hundred at most: all of it, or nothing that could be repeated as it was. */
  upTo(number: number): NumberedExchange[] {
    const before = this.kept.filter((exchange) => exchange.number < number)
    return before.length === number - 1 && before.length <= MOST_BEFORE ? before : []
  }

  /** Notes that the check lets time pass. */
  wait(ms: number): void {
    this.#waited += ms
    this.rested += ms
  }

  /** Keeps an exchange whatever follows, since a decision names it. */
  keep(number: number): void {
    this.#decisive.add(number)
  }

  /** An answer that tells when it is looked into. */
  watched(answer: Answer): Answer {
    return new Proxy(answer, {
      get: (target, name) => {
        if (name === UNWATCHED) return target
        this.#touched = target.exchange
        this.#looked.push(target.exchange)
        return Reflect.get(target, name) as unknown
      },
    })
  }

  /** Begins to note which answers are looked into. @returns their numbers, once asked. */
  looking(): () => number[] {
    const from = this.#looked.length
    return () => [...new Set(this.#looked.slice(from))]
  }

  /** Tells, for an assertion that is being made, which exchange it is about once its value is known to be wrong. */
  locator(): (actual: unknown) => number | undefined {
    const touched = this.#touched
    return (actual) => this.#showing(leavesOf(actual), touched) ?? touched ?? (this.count === 0 ? undefined : this.count)
  }

  /** An assertion is about an answer as a whole. */
  asserted(number: number): void {
    this.#looked.push(number)
  }

  /** The latest answer that holds a value; the one that was looked into for it, unless it lacks what tells the value from others. */
  #showing(leaves: ReturnType<typeof leavesOf>, touched: number | undefined): number | undefined {
    const sought = touched === undefined ? leaves : leaves.filter(({ isTelling }) => isTelling)
    if (sought.length === 0) return undefined
    const holds = ({ answer }: NumberedExchange): boolean => answer !== undefined && holdsEvery(answer, sought)
    const known = touched === undefined ? undefined : this.#kept.get(touched)
    if (known !== undefined && holds(known)) return touched
    return this.kept.slice(-MOST_SEARCHED).findLast(holds)?.number
  }

  #makeRoom(): void {
    for (const [number, exchange] of this.#kept) {
      if (this.#bytes <= MOST_BYTES && this.#kept.size <= MOST_EXCHANGES) return
      if (this.#decisive.has(number) || number === this.count) continue
      this.#kept.delete(number)
      this.#bytes -= sizeOf(exchange)
    }
  }
}

const MOST_SHOWN = 12
const MOST_DECISIVE = 60

/**
 * The exchanges that show a failure: each that a decision names, and before them what led there.
 *
 * @param decisive numbers of exchanges that violated decisions name.
 */
export const evidenceFor = (exchanges: readonly NumberedExchange[], decisive: readonly number[]): NumberedExchange[] => {
  const named = [...new Set(decisive)].slice(0, MOST_DECISIVE)
  if (named.length === 0) return exchanges.slice(-MOST_SHOWN)
  const chosen = new Set(exchanges.filter(({ number }) => named.includes(number)))
  for (let back = 1; back < MOST_SHOWN && chosen.size < MOST_SHOWN; back += 1) {
    for (const number of named) {
      const before = exchanges.find((exchange) => exchange.number === number - back)
      if (before !== undefined && chosen.size < MOST_SHOWN) chosen.add(before)
    }
  }
  return [...chosen].sort((left, right) => left.number - right.number)
}
