/**
 * JSON with numbers kept as they were written: JSON.parse turns 9007199254740993 into 9007199254740992. A server that stores values of
 * users parses with `parseExact`; `stringify` writes the texts back unchanged.
 */
import { invalid } from './errors.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** A number as its source text. It travels inside `Json` values as an opaque leaf. */
class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const MAX_DEPTH = 2_000
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const SPACE = /[ \t\r\n]*/y

/** Parses JSON; numbers become opaque. Throws SyntaxError on anything that JSON.parse refuses, and 400 on nesting beyond 2000 levels. */
export const parseExact = (text: string): Json => {
  JSON.parse(text)
  let at = 0
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? ''
    at += found.length
    return found
  }
  const string = (): string => {
    let end = text.indexOf('"', at + 1)
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
    const source = text.slice(at, end + 1)
    at = end + 1
    return JSON.parse(source) as string
  }
  const value = (depth: number): Json => {
    if (depth > MAX_DEPTH) throw invalid('the body is nested too deeply')
    take(SPACE)
    const found = text[at]
    if (found === '{') return members(depth)
    if (found === '[') return items(depth)
    if (found === '"') return string()
    const word = ['true', 'false', 'null'].find((known) => text.startsWith(known, at))
    if (word) {
      at += word.length
      return JSON.parse(word) as Json
    }
    return new NumberText(take(NUMBER)) as unknown as Json
  }
  const members = (depth: number): Json => {
    const result: { [key: string]: Json } = {}
    each('}', () => {
      const name = string()
      take(SPACE)
      at += 1
      Object.defineProperty(result, name, { value: value(depth + 1), enumerable: true, writable: true, configurable: true })
    })
    return result
  }
  const items = (depth: number): Json => {
    const result: Json[] = []
    each(']', () => result.push(value(depth + 1)))
    return result
  }
  /** Walks a bracket's entries; the text is known to be well-formed. */
  const each = (end: string, entry: () => void): void => {
    at += 1
    for (take(SPACE); text[at] !== end; take(SPACE)) {
      if (text[at] === ',') {
        at += 1
        take(SPACE)
      }
      entry()
    }
    at += 1
  }
  return value(0)
}

/** Whether an odd number of backslashes stands before a place. */
const isEscaped = (text: string, place: number): boolean => {
  let first = place
  while (text[first - 1] === '\\') first -= 1
  return (place - first) % 2 === 1
}

/** Writes JSON, exact numbers verbatim. */
export const stringify = (value: Json): string => {
  if (value instanceof NumberText) return value.text
  if (Array.isArray(value)) return `[${value.map((item) => stringify(item ?? null)).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${stringify(member)}`).join(',')}}`
}

/** The value with the text of every exact number changed. */
export const mapNumbers = (value: Json, change: (text: string) => string): Json => {
  if (value instanceof NumberText) return new NumberText(change(value.text)) as unknown as Json
  if (Array.isArray(value)) return value.map((item) => mapNumbers(item, change))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapNumbers(member, change)]))
}

/** The value with exact numbers turned into ordinary ones. */
export const plain = (value: Json): Json => JSON.parse(stringify(value)) as Json
