import { expect, test } from 'vitest'
import { duration, requireKnown } from './usage.ts'

test.each([
  ['500ms', 500],
  ['1.5s', 1500],
  ['30', 30_000],
  ['1m30s', 90_000],
  ['1h1m1s1ms', 3_661_001],
  ['576h', 2_073_600_000],
])('%s is %i ms', (text, milliseconds) => {
  expect(duration(text, 'x')).toBe(milliseconds)
})

test.each([
  ['soon', /not a duration such as/],
  ['', /not a duration such as/],
  ['1m 30s', /not a duration such as/],
  ['-1s', /not a duration such as/],
  ['0', /too short: give at least 1ms/],
  ['0h0s', /too short/],
  // A timer that is given more than it holds fires at once.
  ['1000h', /too long: give at most 576h/],
])('%j is refused', (text, says) => {
  expect(() => duration(text, 'timing.run')).toThrow(says)
  expect(() => duration(text, 'timing.run')).toThrow(/^timing\.run: /)
})

test('what may be nothing may be zero', () => {
  expect(duration('0s', 'timing.grace', 0)).toBe(0)
})

test('an unknown name is answered with the nearest, or with all where they are few', () => {
  expect(() => requireKnown('profile', ['secret-core'], ['secrets-core', 'runs'])).toThrow('did you mean secrets-core?')
  expect(() => requireKnown('profile', ['nope'], ['secrets-core', 'runs'])).toThrow('unknown profile "nope"; there are secrets-core, runs')
})
