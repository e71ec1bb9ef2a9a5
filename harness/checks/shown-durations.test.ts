import { expect, test } from 'vitest'
import { secondsOf } from './shown-durations.ts'

test.each([
  [3600, 3600],
  ['3600', 3600],
  ['1h0m0s', 3600],
  ['90m', 5400],
  ['1d', 86_400],
  ['', 0],
  [null, 0],
  [undefined, 0],
])('%j is %i seconds', (value, seconds) => expect(secondsOf(value)).toBe(seconds))

test.each(['soon', [], true])('%j is not a duration', (value) => expect(secondsOf(value)).toBeNaN())
