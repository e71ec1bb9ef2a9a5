/** What real systems here make of a target whose clock differs. */
import { describe, expect, test } from 'vitest'
import { Blocked } from '../base/errors.ts'
import { validHere } from './clock-difference.ts'

const now = (): number => Date.now() / 1000

describe('what a target issued', () => {
  const SAME = { clockSkew: 0 }
  test('is used at once where it is valid by our clock', async () => {
    const begun = performance.now()
    await validHere(SAME, now() - 30, now() + 60)
    expect(performance.now() - begun).toBeLessThan(500)
  })
  test('is waited for where it begins in a moment', async () => {
    const begin = now() + 0.3
    await validHere(SAME, begin, now() + 60)
    expect(now()).toBeGreaterThanOrEqual(begin - 0.01)
  })
  test.each([
    ['begins much later', 90, 90, 600, /begins in (89|90) s only/],
    ['is over already', -600, -660, -90, /ended (90|91) s ago/],
  ])('blocks where it %s by our clock but is valid by the other', async (_, clockSkew, begin, end, reason) => {
    const error = await validHere({ clockSkew }, now() + begin, now() + end).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Blocked)
    expect((error as Blocked).message).toMatch(reason)
    expect((error as Blocked).remedy).toMatch(/clocks/)
  })
  test.each([
    ['begins later', 3600, 7200],
    ['is over', -7200, -3600],
  ])('is left to the real system where it %s by both clocks', async (_, begin, end) => {
    await validHere(SAME, now() + begin, now() + end)
  })
})
