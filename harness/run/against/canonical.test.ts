/** Names and canaries in the place of which numbers stand, in texts of any length. */
import { expect, test } from 'vitest'
import { Names } from './canonical.ts'

const canary = (purpose: string, digit: string) => `${purpose}-${digit.repeat(40)}`

test('names and canaries are numbered as they come up', () => {
  const names = new Names('r1')
  const text = `assay-r1-key-1 ${canary('value', 'a')} assay-r1-key-2 ${canary('value', 'b')} ${canary('value', 'a')} assay-r2-key-1`
  expect(names.general(text)).toBe('name-1 name-2 name-3 name-4 name-2 assay-r2-key-1')
})

// Searches that begin again at every character would take hours here.
test.each(['a', 'a/', 'a-', '0', 'assay-', 'a.'])('a megabyte of %s are read in one pass', (piece) => {
  const text = piece.repeat(1_000_000 / piece.length)
  expect(new Names('r1').general(text).length).toBeLessThanOrEqual(text.length)
})
