import { expect, test } from 'vitest'
import { comesToHold } from './waiting.ts'

/** A bench whose `eventually` asks again at once, until it is told that it is over. */
const bench = {
  grace: 5,
  eventually: async <T>(condition: () => Promise<T>): Promise<T> => {
    for (;;) {
      const value = await condition()
      if (value !== false) return value
    }
  },
}

test('a condition that comes to hold is waited for', async () => {
  let looks = 0
  const third = async () => {
    looks += 1
    return looks === 3
  }
  expect(await comesToHold(bench, third, { within: 60_000 })).toBe(true)
  expect(looks).toBe(3)
})

test('one that never does causes no failure', async () => {
  expect(await comesToHold(bench, async () => false)).toBe(false)
})
