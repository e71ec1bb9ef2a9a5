/** `expect` for check bodies: counts assertions per check and adds the matchers of this field. */
import { expect as base, type Matchers } from 'expect'
import { AssertionFailure } from '../base/errors.ts'
import { cut } from '../base/text.ts'
import { type Answer, UNWATCHED } from '../target/exchange.ts'
import { wording } from './wording.ts'

interface AnswerMatchers<R> {
  /** The answer's status is one of these. */
  toHaveStatus(...statuses: number[]): R
  /** The answer's status is 2xx. */
  toSucceed(): R
  /** The answer's status is 4xx. */
  toBeRefused(): R
}
export type Assertion<T> = Matchers<void, T> & AnswerMatchers<void> & { not: Matchers<void, T> & AnswerMatchers<void> }
type Asymmetric = Pick<typeof base, 'any' | 'anything' | 'arrayContaining' | 'objectContaining' | 'stringContaining' | 'stringMatching'>
export type Expect = (<T>(actual: T, message?: string) => Assertion<T>) & Asymmetric

const describe = (answer: Answer): string => `${answer.operation} answered ${answer.status} ${cut(answer.text, 400)}`

base.extend({
  toHaveStatus(answer: Answer, ...statuses: number[]) {
    return {
      pass: statuses.includes(answer.status),
      message: () => `expected status ${statuses.join(' or ')}; ${describe(answer)}`,
      expected: statuses.length === 1 ? statuses[0] : statuses,
      actual: answer.status,
    }
  },
  toSucceed(answer: Answer) {
    const wanted = this.isNot ? 'no success' : 'success'
    return {
      pass: answer.ok,
      message: () => `expected ${wanted} (2xx); ${describe(answer)}`,
      expected: `${wanted} (2xx)`,
      actual: answer.status,
    }
  },
  toBeRefused(answer: Answer) {
    const pass = answer.status >= 400 && answer.status < 500
    const broken = answer.status >= 500 ? `refused, but with ${answer.status} (an internal error in the contract's table)` : undefined
    return { pass, message: () => `${broken ?? 'expected a refusal (4xx)'}; ${describe(answer)}`, expected: '4xx', actual: answer.status }
  },
})

const UNSAID = { message: () => '' }

// What a matcher of jest's says of two long values takes it the square of their length; these say nothing, for a report has sentences of its own.
base.extend({
  toBe: (actual: unknown, expected: unknown) => ({ ...UNSAID, pass: Object.is(actual, expected), expected, actual }),
  toEqual(actual: unknown, expected: unknown) {
    return { ...UNSAID, pass: this.equals(actual, expected, [...this.customTesters, this.utils.iterableEquality]), expected, actual }
  },
  toMatchObject(actual: unknown, expected: unknown) {
    const { iterableEquality, subsetEquality } = this.utils
    const isComparable = typeof actual === 'object' && actual !== null
    const pass = isComparable && this.equals(actual, expected, [...this.customTesters, iterableEquality, subsetEquality])
    return { ...UNSAID, pass, expected, actual }
  },
})

// jest colours its messages and names its own call; a report wants neither.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character starts a colour code
const plain = (text: string): string => text.replace(/\u001b\[[0-9;]*m/g, '')

type MatcherFunction = (...parameters: unknown[]) => unknown

// The matchers of answers have sentences of their own; any other matcher's text is for programmers.
const OWN = ['toHaveStatus', 'toSucceed', 'toBeRefused']

// What a matcher says of a value that it is not made for.
const UNFIT = 'Matcher error: received value must'

interface Asserted {
  actual: unknown
  message: string | undefined
  exchange: Locate
  count: () => void
}

const wrap = (matchers: object, asserted: Asserted, negated = false): object =>
  new Proxy(matchers, {
    get(target, name) {
      const { actual, message, exchange, count } = asserted
      const found = Reflect.get(target, name) as unknown
      if (typeof found === 'object' && found !== null) return wrap(found, asserted, negated || name === 'not')
      if (typeof found !== 'function') return found
      return (...parameters: unknown[]) => {
        count()
        try {
          return (found as MatcherFunction).apply(target, parameters)
        } catch (error) {
          const said = plain((error as Error).message)
          const { matcherResult } = error as { matcherResult?: { expected?: unknown; actual?: unknown } }
          // What a matcher does not take at all, as an absent list that should contain something, is as wrong as what it refuses.
          const result = matcherResult ?? (said.includes(UNFIT) ? {} : undefined)
          if (result === undefined) throw error
          const matcher = String(name)
          const text = OWN.includes(matcher) ? said : wording(matcher, negated, actual, parameters)
          // Matchers of members do not say what they compared.
          const [expected, seen] = 'expected' in result ? [result.expected, result.actual] : [parameters[0], actual]
          throw new AssertionFailure(message ? `${message}: ${text}` : text, expected, seen, exchange(actual))
        }
      }
    },
  })

/** Which exchange a value that turned out wrong belongs to, by its number. */
type Locate = (actual: unknown) => number | undefined

/** Tells what the assertions of a check are about. */
export interface Attribution {
  /** An assertion is being made: what finds the exchange that it is about, should it fail. */
  locator(): Locate
  /** An assertion is about the answer of this exchange. */
  asserted(exchange: number): void
}

const NO_ATTRIBUTION: Attribution = { locator: () => () => undefined, asserted: () => undefined }

/** The answer itself, where one is judged: judging it does not count as a look into it for another assertion. */
const itself = (actual: unknown): unknown =>
  typeof actual === 'object' && actual !== null ? ((actual as { [UNWATCHED]?: unknown })[UNWATCHED] ?? actual) : actual

// An assertion about an answer is shown by that answer's exchange.
const exchangeOf = (actual: unknown): number | undefined =>
  typeof actual === 'object' && actual !== null && 'exchange' in actual && typeof actual.exchange === 'number' ? actual.exchange : undefined

// Making jest's matchers costs more than sending a request: the usual assertions need them only when they fail.
const quick: Record<string, (actual: unknown, expected: unknown[]) => boolean> = {
  toBe: (actual, [expected]) => Object.is(actual, expected),
  toHaveStatus: (actual, statuses) => statuses.includes((actual as Answer | undefined)?.status),
  toSucceed: (actual) => (actual as Answer | undefined)?.ok === true,
}

const assertionOn = (actual: unknown, message: string | undefined, count: () => void, locate: Locate): object =>
  new Proxy(
    {},
    {
      get(_target, name: string) {
        const matchers = () => wrap(base(actual) as object, { actual, message, exchange: locate, count }) as Record<string, MatcherFunction>
        const holds = quick[name]
        if (holds === undefined) return matchers()[name]
        return (...expected: unknown[]) => (holds(actual, expected) ? count() : matchers()[name]?.(...expected))
      },
    },
  )

/**
 * An `expect` whose assertions are counted by `count`; its `message` says in words what is asserted.
 *
 * @param attribution tells which exchange an assertion is about; default none.
 */
export const countingExpect = (count: () => void, attribution: Attribution = NO_ATTRIBUTION): Expect => {
  const { any, anything, arrayContaining, objectContaining, stringContaining, stringMatching } = base
  const expect = <T>(actual: T, message?: string) => {
    const judged = itself(actual)
    const number = exchangeOf(judged)
    if (number !== undefined) attribution.asserted(number)
    return assertionOn(judged, message, count, number === undefined ? attribution.locator() : () => number)
  }
  return Object.assign(expect, { any, anything, arrayContaining, objectContaining, stringContaining, stringMatching }) as Expect
}
