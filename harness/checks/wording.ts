/** What an assertion that did not hold says in the reader's words: what was expected, what was seen, and where long values differ. */
import { isObject } from '../base/json.ts'
import { someOf } from '../base/text.ts'
import type { Answer } from '../target/exchange.ts'

/** Longest value that a sentence shows. A longer one is described, never cut: half a secret would not be recognised as one. */
const LONGEST = 120
const MOST_DIFFERENCES = 4
/** Most names that are said of an object. */
const MOST_NAMES = 20

const isAnswer = (value: unknown): value is Answer => isObject(value) && 'operation' in value && 'exchange' in value && 'status' in value

/** `expect.any(String)` and its kin. */
interface Pattern {
  asymmetricMatch: unknown
  sample?: unknown
  toAsymmetricMatcher?(): string
}

const isPattern = (value: unknown): value is Pattern =>
  isObject(value) && 'asymmetricMatch' in value && typeof value.asymmetricMatch === 'function'

/** `Any<String>` as `any String`, `ArrayContaining` and its kin by what they hold. */
const patternText = (pattern: Pattern): string => {
  const { sample } = pattern
  const [, kind = '', inside] = /^(\w+?)(?:<(.*)>)?$/.exec(pattern.toAsymmetricMatcher?.() ?? String(pattern)) ?? []
  if (inside !== undefined) return `any ${inside}`
  const words = kind.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return sample === undefined ? words : `${words} ${valueText(sample)}`
}

const plainOf = (_key: string, value: unknown): unknown => {
  if (isPattern(value)) return patternText(value)
  if (value instanceof Set) return [...value]
  if (value instanceof Map) return Object.fromEntries(value)
  if (value instanceof Uint8Array) return `${value.length} bytes`
  return typeof value === 'bigint' ? String(value) : value
}

/** A value as a reader writes it: JSON where it is data, the name of what it is where it is not. */
const valueText = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (isPattern(value)) return patternText(value)
  if (value instanceof RegExp) return String(value)
  if (value instanceof Error) return value.message
  if (typeof value === 'function') return value.name
  if (typeof value === 'bigint') return String(value)
  if (isAnswer(value)) return `${value.operation} answered ${value.status}`
  return JSON.stringify(value, plainOf) ?? String(value)
}

/** What a value is, where it is too long to stand in a sentence. */
const kindText = (value: unknown): string => {
  if (typeof value === 'string') return `text of ${value.length} characters`
  if (Array.isArray(value)) return value.length === 1 ? 'a list of 1 item' : `a list of ${value.length} items`
  return isObject(value) ? `an object with ${someOf(Object.keys(value), MOST_NAMES, ', ')}` : valueText(value)
}

const shown = (value: unknown): string => {
  const text = valueText(value)
  return text.length <= LONGEST ? text : kindText(value)
}

/** The first character that differs, counted from 1; one beyond the end of the shorter text where it is the beginning of the other. */
const firstDifference = (expected: string, seen: string): number => {
  const others = seen[Symbol.iterator]()
  let at = 1
  for (const sign of expected) {
    if (others.next().value !== sign) return at
    at += 1
  }
  return at
}

const contrast = (expected: unknown, seen: unknown): string => {
  const tooLong = typeof expected === 'string' && typeof seen === 'string' && Math.max(expected.length, seen.length) > LONGEST
  const from = tooLong ? `, different from character ${firstDifference(expected, seen)} on` : ''
  return `expected ${shown(expected)}, got ${shown(seen)}${from}`
}

/** Where two values differ, member by member, in words to be asked for. `within`: members that only the seen value has do not count. */
function* differences(expected: unknown, seen: unknown, within: boolean, at = ''): Generator<() => string> {
  const pair = [expected, seen]
  if (pair.every(isObject) && !pair.some((one) => isPattern(one) || isAnswer(one) || one instanceof Set || one instanceof Map)) {
    const [wanted, found] = pair as [Record<string, unknown>, Record<string, unknown>]
    const names = within ? Object.keys(wanted) : [...new Set([...Object.keys(wanted), ...Object.keys(found)])]
    for (const name of names) yield* differences(wanted[name], found[name], within, at === '' ? name : `${at}.${name}`)
  } else if (Array.isArray(expected) && Array.isArray(seen) && expected.length === seen.length) {
    for (const [index, item] of expected.entries()) yield* differences(item, seen[index], within, `${at}[${index}]`)
  } else if (valueText(expected) !== valueText(seen)) yield () => `${at === '' ? '' : `${at}: `}${contrast(expected, seen)}`
}

const equality = (seen: unknown, [expected]: unknown[], within = false): string => {
  const whole = contrast(expected, seen)
  // Short values speak for themselves; of long ones only what differs is said.
  if ([expected, seen].every((value) => valueText(value).length <= LONGEST)) return whole
  const found: string[] = []
  let more = 0
  for (const difference of differences(expected, seen, within)) {
    if (found.length < MOST_DIFFERENCES) found.push(difference())
    else more += 1
  }
  if (found.length === 0) return whole
  return [...found, ...(more === 0 ? [] : [`${more} more differences`])].join('; ')
}

type Sentence = (seen: unknown, parameters: unknown[]) => string

const compared = (words: string): Sentence => {
  return (seen, [expected]) => `expected ${words} ${shown(expected)}, got ${shown(seen)}`
}

const SENTENCES: Record<string, Sentence> = {
  toBe: equality,
  toEqual: equality,
  toStrictEqual: equality,
  toMatchObject: (seen, parameters) => equality(seen, parameters, true),
  toBeNull: (seen) => `expected null, got ${shown(seen)}`,
  toBeUndefined: (seen) => `expected nothing, got ${shown(seen)}`,
  toBeDefined: (seen) => `expected a value, got ${shown(seen)}`,
  toBeTruthy: (seen) => `expected a value that counts as true, got ${shown(seen)}`,
  toBeFalsy: (seen) => `expected a value that counts as false, got ${shown(seen)}`,
  toBeGreaterThan: compared('more than'),
  toBeGreaterThanOrEqual: compared('at least'),
  toBeLessThan: compared('less than'),
  toBeLessThanOrEqual: compared('at most'),
  toBeInstanceOf: compared('a value of kind'),
  toMatch: compared('text that matches'),
  toContain: (seen, [expected]) => `expected ${shown(expected)} in ${shown(seen)}`,
  toContainEqual: (seen, [expected]) => `expected ${shown(expected)} in ${shown(seen)}`,
  toHaveLength: (seen, [expected]) => `expected a length of ${shown(expected)}, got ${shown(seen)}`,
  toHaveProperty: (seen, [name]) => `expected a member ${shown(name)} in ${shown(seen)}`,
}

const REFUSALS: Record<string, Sentence> = {
  toContain: (seen, [unwanted]) => `expected no ${shown(unwanted)} in ${shown(seen)}`,
  toContainEqual: (seen, [unwanted]) => `expected no ${shown(unwanted)} in ${shown(seen)}`,
  toMatch: compared('text that does not match'),
  toHaveProperty: (seen, [name]) => `expected no member ${shown(name)} in ${shown(seen)}`,
  toBeNull: () => 'expected a value, got null',
  toBeUndefined: () => 'expected a value, got nothing',
}

/** `toBeCloseTo` as `be close to`: for matchers without a sentence of their own. */
const wordsOf = (matcher: string): string =>
  matcher
    .replace(/^to/, '')
    .replace(/([A-Z])/g, ' $1')
    .trim()
    .toLowerCase()

/**
 * The sentence of an assertion that did not hold.
 *
 * @param matcher name of the matcher, e.g. `toEqual`.
 * @param negated whether it was asserted of `.not`.
 * @param seen the value that was judged.
 * @param parameters what the matcher was given.
 */
export const wording = (matcher: string, negated: boolean, seen: unknown, parameters: unknown[]): string => {
  const [expected] = parameters
  if (negated) {
    const sentence = REFUSALS[matcher]
    return sentence === undefined ? `expected anything but ${shown(expected)}, got ${shown(seen)}` : sentence(seen, parameters)
  }
  return (SENTENCES[matcher] ?? compared(`to ${wordsOf(matcher)}`))(seen, parameters)
}
