/** What two implementations are asked and answer, as it would be if no name, time or id differed. */
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import { parseJson } from '../base/parse.ts'
import { textOf } from '../base/text.ts'
import type { NumberedExchange } from '../sending/history.ts'
import { decodeBody, decodeRequest } from '../target/dialect.ts'
import type { Target } from '../target/target.ts'
import { Names, UNIQUE } from './drawn-names.ts'

const sentBody = ({ request: { body } }: NumberedExchange): string =>
  body === undefined ? '' : typeof body === 'string' ? body : textOf(body)

/** A path as its words are, whichever of their characters are escaped. */
const plainPath = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** JSON with every text and name in it spelled in another way. */
const spelledAnew = (value: Json, spelled: (text: string) => string): Json => {
  if (typeof value === 'string') return spelled(value)
  if (Array.isArray(value)) return value.map((item) => spelledAnew(item, spelled))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member], at) => [`${at}${spelled(name)}`, spelledAnew(member, spelled)]))
}

/** What was asked, in the contract's words as far as they are one text. */
export interface Asked {
  /** All but the single texts. */
  form: string
  /** Each as it was drawn, and with numbers for what the server chose. */
  texts: { plain: string; general: string }[]
}

/** What was asked; the names learn what was sent. */
export const askedIn = (target: Target, exchange: NumberedExchange, names: Names, isSameDialect: boolean): Asked => {
  const { operation, request, caller } = exchange
  const body = sentBody(exchange)
  const path = plainPath(request.path)
  const parsed = parseJson(body)
  const json = 'value' in parsed ? decodeRequest(target.dialect, operation.id, parsed.value) : undefined
  const values: string[] = []
  const noted = (text: string): string => {
    values.push(text)
    return ''
  }
  const form = JSON.stringify(spelledAnew(json ?? body, noted))
  // Another dialect spells paths and methods in another way: the operation says which they are.
  const all = isSameDialect ? [path, ...values] : values
  const texts = all.map((text) => ({ plain: names.plain(text), general: names.general(text) }))
  names.note(`${body}\n${path}`, values)
  const who = ['root', 'none', 'wrong'].includes(caller) ? caller : 'another'
  return { form: [operation.id, who, isSameDialect ? request.method : '', form].join(' '), texts }
}

/** Whether both servers were asked the same. */
export const isSameAsked = (here: Asked, there: Asked): boolean =>
  here.form === there.form &&
  here.texts.length === there.texts.length &&
  here.texts.every(({ plain, general }, at) => plain === there.texts[at]!.plain || general === there.texts[at]!.general)

/** The body of an answer in the contract's words; undefined if it is not JSON. */
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
/** Items and members that are compared one by one: to look for a chosen value in each of them takes the square of their number. */
const MOST_ITEMS = 2_000

/** The names of both sides. */
export interface BothNames {
  here: Names
  there: Names
  /** How many chosen values have a number. */
  chosen: number
}

export const bothNames = (here: string, there: string): BothNames => ({ here: new Names(here), there: new Names(there), chosen: 0 })

/** What the contract says of a place in an answer: whether the server chooses what stands there. */
export type Chooses = (pointer: readonly string[]) => boolean

/** Whether all differing places hold one sign on each side, as in masked texts: drawn values never differ like that. */
const isOneSign = (left: string, right: string): boolean => {
  const [mine, theirs] = [[...left], [...right]]
  if (mine.length !== theirs.length) return false
  const places = mine.flatMap((sign, at) => (sign === theirs[at] ? [] : [at]))
  return places.length > 3 && [mine, theirs].every((signs) => new Set(places.map((at) => signs[at])).size === 1)
}

/** Whether each server has chosen a value there, and both the same again where they had chosen it before. */
const areChosen = (names: BothNames, left: string, right: string, isSaid: boolean): boolean => {
  const [mine, theirs] = [names.here.numberOf(left), names.there.numberOf(right)]
  if (mine !== undefined && mine === theirs) return true
  // A short value that is drawn may come again.
  const mayRecur = isSaid && Math.min(left.length, right.length) < UNIQUE
  if (!mayRecur && (mine !== undefined || theirs !== undefined)) return false
  if (mine === undefined && !names.here.isChosen(left, isSaid)) return false
  if (theirs === undefined && !names.there.isChosen(right, isSaid)) return false
  if (isOneSign(left, right)) return false
  if (mine === undefined && theirs === undefined) names.chosen += 1
  const number = mine ?? theirs ?? names.chosen
  names.here.choose(left, number)
  names.there.choose(right, number)
  return true
}

const kindOf = (value: Json | undefined): string => {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return isObject(value) ? 'an object' : `a ${typeof value}`
}

const echoWord = (isEcho: boolean): string => (isEcho ? 'what was sent' : 'another value than was sent')

/** Whether two lists hold as many values that the servers chose, the same as far as they are known; such values have no order in common. */
const areListsOfChosen = (names: BothNames, left: readonly Json[], right: readonly Json[]): boolean => {
  const marksOf = (side: Names, items: readonly Json[]) =>
    items
      .map((item) => (typeof item === 'string' ? (side.numberOf(item) ?? (side.mayBeChosen(item) ? 'new' : undefined)) : undefined))
      .sort()
  const [mine, theirs] = [marksOf(names.here, left), marksOf(names.there, right)]
  return mine.length === theirs.length && mine.every((mark, at) => mark !== undefined && mark === theirs[at])
}

/** Items, without the names of other checks' objects. */
const ours = <T extends Json>(items: readonly T[], names: Names): T[] =>
  items.filter((item) => typeof item !== 'string' || !names.isOfOthers(item))

const countText = (body: JsonObject): string => `an object of ${Object.keys(body).length}`

/** Names of members on both sides, by what they are in general; of very many those that are the same. */
const membersOf = (left: JsonObject, right: JsonObject, names: BothNames): Map<string, [here: string, there: string]> | undefined => {
  const [mine, theirs] = [ours(Object.keys(left), names.here), ours(Object.keys(right), names.there)]
  if (Math.max(mine.length, theirs.length) > MOST_ITEMS) {
    if (mine.length !== theirs.length) return undefined
    const common = mine.filter((name) => Object.hasOwn(right, name))
    return new Map(common.slice(0, MOST_ITEMS).map((name) => [name, [name, name]]))
  }
  const members = new Map<string, [string, string]>()
  for (const name of mine) members.set(names.here.whole(name), [name, ''])
  for (const name of theirs) {
    const general = names.there.whole(name)
    members.set(general, [members.get(general)?.[0] ?? '', name])
  }
  return members
}

/**
 * Where two bodies differ, once what varies is put aside.
 *
 * @param names of both runs, which learn what the servers choose.
 * @param chooses where the contract says that they do.
 */
export const differencesBetween = (
  left: Json | undefined,
  right: Json | undefined,
  names: BothNames,
  chooses: Chooses = () => false,
  pointer: string[] = [],
): Difference[] => {
  if (kindOf(left) !== kindOf(right)) return [{ pointer, here: kindOf(left), there: kindOf(right) }]
  if (Array.isArray(left) && Array.isArray(right)) {
    const [mine, theirs] = [ours(left, names.here), ours(right, names.there)]
    if (areListsOfChosen(names, mine, theirs)) return []
    if (mine.length !== theirs.length) return [{ pointer, here: `a list of ${mine.length}`, there: `a list of ${theirs.length}` }]
    return mine.slice(0, MOST_ITEMS).flatMap((item, at) => differencesBetween(item, theirs[at], names, chooses, [...pointer, '0']))
  }
  if (isObject(left) && isObject(right)) {
    const members = membersOf(left, right, names)
    if (members === undefined) return [{ pointer, here: countText(left), there: countText(right) }]
    return [...members].flatMap(([name, [here, there]]) => differencesBetween(left[here], right[there], names, chooses, [...pointer, name]))
  }
  if (pointer.some((name) => SENTENCES.has(name))) return []
  if (left === right) return []
  if (typeof left === 'string' && typeof right === 'string') {
    const [isEcho, isOtherEcho] = [names.here.wasSent(left), names.there.wasSent(right)]
    // What came back as it was sent on one server alone differs, even if it looks like what differs from run to run.
    if (isEcho !== isOtherEcho) return [{ pointer, here: echoWord(isEcho), there: echoWord(isOtherEcho) }]
    if (areChosen(names, left, right, chooses(pointer))) return []
  }
  const [here, there] = [names.here.general(String(left)), names.there.general(String(right))]
  return here === there ? [] : [{ pointer, here, there }]
}
