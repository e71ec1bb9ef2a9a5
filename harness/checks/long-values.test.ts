/** Values and texts of millions of characters: what is asserted of them is judged in a time that grows with them, and said in short. */
import { expect, test } from 'vitest'
import { AssertionFailure } from '../base/errors.ts'
import { someOf } from '../base/text.ts'
import type { Operation } from '../contract/contract.ts'
import { formatValidators } from '../contract/format-validators.ts'
import { judgeAnswer } from '../contract/validate.ts'
import { countingExpect, type Expect } from './expect.ts'

const MANY = 100_000
const MEGABYTE = 1024 * 1024
const names = (mark: string): string[] => Array.from({ length: MANY }, (_, index) => `member ${index} ${mark}`)

const failureOf = (assertion: (check: Expect) => void): AssertionFailure => {
  try {
    assertion(countingExpect(() => undefined))
  } catch (error) {
    if (error instanceof AssertionFailure) return error
  }
  throw new Error('the assertion holds')
}

test.each<[string, (check: Expect) => void]>([
  ['two texts of many lines', (check) => check(names('a').join('\n')).toBe(names('b').join('\n'))],
  ['two lists', (check) => check(names('a')).toEqual(names('b'))],
  ['an object of many members', (check) => check(Object.fromEntries(names('a').map((name) => [name, 1]))).toEqual({})],
  ['a list in an object', (check) => check({ keys: names('a') }).toMatchObject({ keys: names('b') })],
])('of %s a short sentence is said, soon', { timeout: 60_000 }, (_, assertion) => {
  expect(failureOf(assertion).message.length).toBeLessThan(2000)
})

test('what a list or an object holds beyond the first is counted', () => {
  expect(failureOf((check) => check(names('a')).toEqual(names('b'))).message).toMatch(/99996 more differences$/)
  expect(failureOf((check) => check(Object.fromEntries(names('a').map((name) => [name, 1]))).toBeNull()).message).toContain(
    'and 99,980 more',
  )
  expect(someOf(names('a'), 2)).toBe('member 0 a; member 1 a and 99,998 more')
})

test('equality is as strict as it was', () => {
  const check = countingExpect(() => undefined)
  check({ a: [1, undefined], b: undefined }).toEqual({ a: [1, undefined] })
  check(new Set([1])).toEqual(new Set([1]))
  check({ a: { b: 1, c: 2 } }).toMatchObject({ a: { b: 1 } })
  check({ a: [1] }).toEqual({ a: check.arrayContaining([1]) })
  check({ a: 1 }).not.toEqual({ a: 2 })
  expect(failureOf((one) => one(undefined as unknown as object).toMatchObject({})).message).toContain('got nothing')
  expect(failureOf((one) => one(new Set([1])).toEqual(new Set([2]))).message).not.toBe('')
  expect(failureOf((one) => one(0).toBe(-0)).message).not.toBe('')
})

test('of an answer in which everything is wrong some findings are told, and the rest counted', { timeout: 60_000 }, () => {
  const schema = { type: 'object', additionalProperties: false, properties: { keys: { type: 'array', items: { type: 'string' } } } }
  const operation = {
    id: 'a.b',
    clause: 'A-B-01',
    responses: { 200: { schema, mediaTypes: ['application/json'] } },
  } as unknown as Operation
  const body = { keys: names('a').map((_, index) => index), ...Object.fromEntries(names('a').map((name) => [name, 1])) }
  const { findings } = judgeAnswer(operation, { status: 200, contentType: 'application/json', body, size: 1 })
  expect(findings).toHaveLength(41)
  expect(findings.at(-1)?.message).toBe('a.b answered 200: and 199,960 more of this kind')
  expect(JSON.stringify(findings).length).toBeLessThan(20_000)
})

test.each([
  ['ssh-public-key', `ssh-rsa AAAA ${' '.repeat(MEGABYTE)}\nx`, false],
  ['ssh-public-key', 'ssh-rsa AAAA a comment \n ', true],
  ['base64', `${'A'.repeat(16 * MEGABYTE)}!`, false],
  ['base64', 'A'.repeat(16 * MEGABYTE), true],
  ['base64', 'AA==', true],
  ['base64', 'A===', false],
  ['pem', `-----BEGIN A-----\n${'-----END B'.repeat(MEGABYTE)}`, false],
])('the format %s is judged in linear time', { timeout: 60_000 }, (format, text, holds) => {
  const test = formatValidators[format] as (text: string) => boolean
  expect(test(text)).toBe(holds)
})
