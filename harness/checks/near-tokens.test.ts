import { expect, test } from 'vitest'
import { changedAt, nearTokens } from './near-tokens.ts'
import { seededRandom } from './seeded-random.ts'

test.each([
  ['abc', 0, '6bc'],
  ['abc', 2, 'ab8'],
  ['s.A', 2, 's.g'],
  ['a.c', 1, 'afc'],
])('%s with letter %i changed', (text, at, changed) => expect(changedAt(text, at)).toBe(changed))

test('no near token is the token itself, and none is there twice', () => {
  const secrets: string[] = []
  const bench = { random: seededRandom(1, 'near'), secret: (value: string) => void secrets.push(value) }
  const token = 's.mixedCASE0123456789abcdefg'
  const near = nearTokens(bench, { name: 'one', token }).map((identity) => identity.token)
  expect(near).not.toContain(token)
  expect(new Set(near).size).toBe(near.length)
  expect(secrets).toEqual(near.filter((value) => !['null', 'undefined'].includes(value)))
})
