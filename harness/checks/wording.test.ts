import { describe, expect, test } from 'vitest'
import { AssertionFailure } from '../base/errors.ts'
import type { Answer } from '../target/exchange.ts'
import { countingExpect, type Expect } from './expect.ts'

const answer = { operation: 'kv1.read', status: 500, ok: false, exchange: 3, text: '{}' } as Answer
const long = (end: string) => `${'a'.repeat(200)}${end}`

const messageOf = (assertion: (expect: Expect) => unknown): string => {
  try {
    assertion(countingExpect(() => undefined))
  } catch (error) {
    if (error instanceof AssertionFailure) return error.message
    throw error
  }
  throw new Error('the assertion holds')
}

describe('an assertion that does not hold says it in words', () => {
  test.each<[string, (check: Expect) => unknown]>([
    ['expected null, got ""', (check) => check('').toBe(null)],
    ['expected null, got ""', (check) => check('').toBeNull()],
    ['expected nothing, got 1', (check) => check(1).toBeUndefined()],
    ['expected a value, got nothing', (check) => check(undefined).toBeDefined()],
    ['expected a value, got null', (check) => check(null).not.toBeNull()],
    ['the ttl: expected 3600, got 0', (check) => check(0, 'the ttl').toBe(3600)],
    ['expected {"a":1}, got {"a":2}', (check) => check({ a: 2 }).toEqual({ a: 1 })],
    ['expected anything but 1, got 1', (check) => check(1).not.toBe(1)],
    ['expected more than 5, got 3', (check) => check(3).toBeGreaterThan(5)],
    ['expected at most 5, got 7', (check) => check(7).toBeLessThanOrEqual(5)],
    ['expected "a" in ["b"]', (check) => check(['b']).toContain('a')],
    ['expected no "a" in "abc"', (check) => check('abc').not.toContain('a')],
    ['expected text that matches /^x/, got "y"', (check) => check('y').toMatch(/^x/)],
    ['expected a length of 2, got [1]', (check) => check([1]).toHaveLength(2)],
    ['expected "a" in nothing', (check) => check(undefined as unknown as string[]).toContain('a')],
    ['expected "a" in null', (check) => check(null as unknown as string[]).toContain('a')],
    ['expected {"a":1} in nothing', (check) => check(undefined as unknown as object[]).toContainEqual({ a: 1 })],
    ['expected text that matches /^x/, got nothing', (check) => check(undefined as unknown as string).toMatch(/^x/)],
    ['expected more than 5, got "6"', (check) => check('6' as unknown as number).toBeGreaterThan(5)],
    ['expected a length of 2, got nothing', (check) => check(undefined).toHaveLength(2)],
    ['expected any String, got null', (check) => check(null).toEqual(check.any(String))],
    ['expected array containing ["a"], got []', (check) => check([]).toEqual(check.arrayContaining(['a']))],
    ['expected status 404; kv1.read answered 500 {}', (check) => check(answer).toHaveStatus(404)],
  ])('%s', (words, assertion) => expect(messageOf(assertion)).toBe(words))

  test('of long values it says where they differ, and cuts none', () => {
    const filler = { note: 'x'.repeat(90), list: [1, 2, 3] }
    expect(messageOf((check) => check({ ...filler, ttl: 0, extra: true }).toEqual({ ...filler, ttl: 3600 }))).toBe(
      'ttl: expected 3600, got 0; extra: expected nothing, got true',
    )
    expect(messageOf((check) => check({ ...filler, ttl: 0, extra: true }).toMatchObject({ ...filler, ttl: 3600 }))).toBe(
      'ttl: expected 3600, got 0',
    )
    expect(messageOf((check) => check(long('b')).toBe(long('c')))).toBe(
      'expected text of 201 characters, got text of 201 characters, different from character 201 on',
    )
  })

  test('no sentence holds the text of a matcher', () => {
    for (const text of [messageOf((check) => check(1).toBe(2)), messageOf((check) => check([]).toContainEqual({ a: 1 }))])
      expect(text).not.toMatch(/expect\(|received|toBe|Object\.is|\n/i)
  })
})
