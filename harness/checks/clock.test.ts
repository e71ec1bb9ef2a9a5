/** What real systems here make of a target whose clock differs. */
import { describe, expect, test } from 'vitest'
import { validHere } from './clock.ts'
import { Blocked } from './errors.ts'

const now = (): number => Date.now() / 1000

describe('what a target issued', () => {
  test('is used at once where it is valid by our clock', async () => {
    const begun = performance.now()
    await validHere(now() - 30, now() + 60)
    expect(performance.now() - begun).toBeLessThan(500)
  })
  test('is waited for where it begins in a moment', async () => {
    const begin = now() + 0.3
    await validHere(begin, now() + 60)
    expect(now()).toBeGreaterThanOrEqual(begin - 0.01)
  })
  test.each([
    ['begins much later', 90, 600, /begins in (89|90) s only/],
    ['is over already', -600, -90, /ended (90|91) s ago/],
  ])('blocks where it %s, whatever the target thinks of it', async (_, begin, end, reason) => {
    const error = await validHere(now() + begin, now() + end).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Blocked)
    expect((error as Blocked).message).toMatch(reason)
    expect((error as Blocked).cure).toMatch(/clocks/)
  })
})
