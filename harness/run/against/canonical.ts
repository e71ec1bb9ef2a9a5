/** What two implementations are asked and answer, as it would be if no name, time or id differed. */
import { isObject, type Json } from '../../base/json.ts'
import { parseJson } from '../../base/parse.ts'
import { textOf } from '../../base/text.ts'
import { decodeBody, decodeRequest } from '../../target/dialect.ts'
import type { Target } from '../../target/target.ts'
import type { NumberedExchange } from '../history.ts'
import { withoutVarying } from '../replay/likeness.ts'

/** A value that a check stores to find it again: drawn anew in every run. Bounded, for texts may be megabytes of letters. */
const CANARY = '(?<![a-z0-9])[a-z0-9]{1,24}-[0-9a-f]{40}'

/** Shorter texts, and those without a digit, may be what every server says. */
const CHOSEN = /^(?=.*\d).{10,4096}$/s

/**
 * Names, canaries and values of the server's choice in one run of a check, by the order in which they come up: the same program gives the same
 * numbers.
 */
export class Names {
  readonly #run: RegExp
  readonly #drawn: RegExp
  readonly #numbers = new Map<string, number>()
  readonly #chosen = new Map<string, number>()
  #sent = ''

  constructor(run: string) {
    const name = `assay-${run}-[a-z0-9-]+`
    this.#run = new RegExp(name, 'gi')
    this.#drawn = new RegExp(`${name}|${CANARY}`, 'gi')
  }

  /** Whether a text names something of another check: what stands in the same place as ours is no answer to us. */
  isOfOthers(text: string): boolean {
    return (text.match(this.#run) ?? []).some((name) => !this.#numbers.has(name))
  }

  /** Takes note of what was sent: an answer that holds it chose nothing. */
  note(text: string): void {
    this.#sent += `${text}\n`
  }

  /** The number of a value that the server chose, such as a serial number; undefined for one that is not known yet, or that it did not choose. */
  chosen(value: string): number | 'new' | undefined {
    // What differs anyway, such as a time, says nothing of who chose it.
    if (!CHOSEN.test(value) || withoutVarying(value).length > 1) return undefined
    return this.#chosen.get(value) ?? (this.#sent.includes(value) ? undefined : 'new')
  }

  /** Gives a value that the server chose its number, in every way in which a request may spell it. */
  choose(value: string, number: number): void {
    for (const separator of [':', '-', '', '%3A'])
      for (const spelled of [value.replaceAll(':', separator), value.replaceAll(':', separator).toUpperCase()])
        if (!this.#chosen.has(spelled)) this.#chosen.set(spelled, number)
  }

  /** A text with numbers for names and chosen values, and a star for what differs from run to run. */
  general(given: string): string {
    let text = given
    for (const [value, number] of this.#chosen) text = text.replaceAll(value, `chosen-${number}`)
    const named = text.replaceAll(this.#drawn, (name) => {
      const number = this.#numbers.get(name) ?? this.#numbers.size + 1
      this.#numbers.set(name, number)
      return `name-${number}`
    })
    return withoutVarying(named).join('*')
  }
}

const sentBody = ({ request: { body } }: NumberedExchange): string =>
  body === undefined ? '' : typeof body === 'string' ? body : textOf(body)

/** What was asked, in the contract's words as far as they are one text. */
export const askedIn = (target: Target, exchange: NumberedExchange, names: Names, isSameDialect: boolean): string => {
  const { operation, request, caller } = exchange
  const body = sentBody(exchange)
  names.note(body)
  names.note(request.path)
  const parsed = parseJson(body)
  const said = 'value' in parsed ? JSON.stringify(decodeRequest(target.dialect, operation.id, parsed.value)) : body
  const who = ['root', 'none', 'wrong'].includes(caller) ? caller : 'another'
  // Another dialect spells paths and methods in another way: the operation says which they are.
  const place = isSameDialect ? `${request.method} ${names.general(request.path)}` : ''
  return [operation.id, who, place, names.general(said)].join(' ')
}

/** The body of an answer in the contract's words; undefined where it is no JSON. */
export const answeredIn = (target: Target, { operation, answer }: NumberedExchange): Json | undefined => {
  const parsed = parseJson(textOf(answer?.bytes ?? new Uint8Array()))
  return 'value' in parsed ? decodeBody(target.dialect, operation.id, parsed.value) : undefined
}

/** One place where two bodies differ. */
export interface Difference {
  /** Names of members from the body inwards; `0` for any place of a list. */
  pointer: string[]
  here: string
  there: string
}

/** Members that hold sentences: their wording is everybody's own. */
const SENTENCES = new Set(['errors', 'warnings', 'messages', 'message', 'detail', 'title'])
const MOST_ITEMS = 50

/** The names of both sides. */
export interface BothNames {
  here: Names
  there: Names
  /** How many chosen values have a number. */
  chosen: number
}

export const bothNames = (here: string, there: string): BothNames => ({ here: new Names(here), there: new Names(there), chosen: 0 })

/** Whether each server has chosen a value there, and both the same again where they had chosen it before. */
const areChosen = (names: BothNames, left: string, right: string): boolean => {
  const [mine, theirs] = [names.here.chosen(left), names.there.chosen(right)]
  if (mine === undefined || mine !== theirs) return false
  if (mine === 'new') {
    names.chosen += 1
    names.here.choose(left, names.chosen)
    names.there.choose(right, names.chosen)
  }
  return true
}

const kindOf = (value: Json | undefined): string =>
  value === undefined ? 'nothing' : value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`

/** Whether two lists hold as many values that the servers chose, the same as far as they are known; such values have no order in common. */
const areListsOfChosen = (names: BothNames, left: readonly Json[], right: readonly Json[]): boolean => {
  const numbersOf = (side: Names, items: readonly Json[]) => items.map((item) => (typeof item === 'string' ? side.chosen(item) : undefined))
  const [mine, theirs] = [numbersOf(names.here, left).sort(), numbersOf(names.there, right).sort()]
  return mine.length === theirs.length && mine.every((number, at) => number !== undefined && number === theirs[at])
}

/** Items that are no names of other checks' objects. */
const ours = <T extends Json>(items: readonly T[], names: Names): T[] =>
  items.filter((item) => typeof item !== 'string' || !names.isOfOthers(item))

/**
 * Where two bodies differ, once what varies is put aside.
 *
 * @param names of both runs, which learn what the servers choose.
 */
export const differencesBetween = (
  left: Json | undefined,
  right: Json | undefined,
  names: BothNames,
  pointer: string[] = [],
): Difference[] => {
  if (kindOf(left) !== kindOf(right)) return [{ pointer, here: kindOf(left), there: kindOf(right) }]
  if (Array.isArray(left) && Array.isArray(right)) {
    const [mine, theirs] = [ours(left, names.here), ours(right, names.there)]
    if (areListsOfChosen(names, mine, theirs)) return []
    if (mine.length !== theirs.length) return [{ pointer, here: `a list of ${mine.length}`, there: `a list of ${theirs.length}` }]
    return mine.slice(0, MOST_ITEMS).flatMap((item, at) => differencesBetween(item, theirs[at], names, [...pointer, '0']))
  }
  if (isObject(left) && isObject(right)) {
    const members = new Map<string, string>()
    const known = (side: Names, all: object) => new Map(ours(Object.keys(all), side).map((name) => [side.general(name), name] as const))
    const [mine, theirs] = [known(names.here, left), known(names.there, right)]
    for (const name of [...mine.keys(), ...theirs.keys()]) members.set(name, name)
    return [...members.keys()].flatMap((name) =>
      differencesBetween(left[mine.get(name) ?? ''], right[theirs.get(name) ?? ''], names, [...pointer, name]),
    )
  }
  if (pointer.some((name) => SENTENCES.has(name))) return []
  if (left !== right && typeof left === 'string' && typeof right === 'string' && areChosen(names, left, right)) return []
  const [here, there] = [names.here.general(String(left)), names.there.general(String(right))]
  return here === there ? [] : [{ pointer, here, there }]
}
