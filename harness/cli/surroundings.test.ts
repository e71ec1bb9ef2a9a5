import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { UsageError } from '../base/usage.ts'
import { notWritten } from './surroundings.ts'

const thrownBy = (work: () => void): Error => {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

test('what the disk refuses is said with the remedy', () => {
  const refused = thrownBy(() => writeFileSync('/dev/full', 'a'))
  const said = notWritten('the report', 'here', refused)
  expect(said).toBeInstanceOf(UsageError)
  expect(said.message).toMatch(/the report could not be written to here: ENOSPC.*--out/)
})

test('an error of our own is not blamed on the disk', () => {
  const ours = new ReferenceError('a is not defined')
  expect(notWritten('the report', 'here', ours)).toBe(ours)
})
