import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CleanUpTime } from './cleanup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = (): Promise<never> => new Promise(() => undefined)

/** What becomes of a step while the clock is put forward. */
const after = async (ms: number, step: Promise<unknown>): Promise<string> => {
  let outcome = 'still waiting'
  step.then(
    () => (outcome = 'done'),
    (error: Error) => (outcome = error.message),
  )
  await vi.advanceTimersByTimeAsync(ms)
  return outcome
}

test('a step has its time, and all of them together have theirs', async () => {
  const time = new CleanUpTime(new AbortController().signal)
  time.begin()
  expect(await after(20_000, time.within(20_000, never))).toBe('removing it took longer than 20 s')
  expect(await after(20_000, time.within(20_000, never))).toBe('removing it took longer than 20 s')
  expect(await after(10_000, time.within(20_000, never))).toBe('removing it took longer than 10 s')
  await expect(time.within(20_000, never)).rejects.toThrow('there was no time left to remove it')
})

test('what is left of the longest time of the run may be used, until it is to end', async () => {
  const abort = new AbortController()
  const time = new CleanUpTime(abort.signal, performance.now() + 600_000)
  time.begin()
  expect(
    await after(
      300_000,
      time.within(400_000, () => new Promise((done) => setTimeout(done, 290_000))),
    ),
  ).toBe('done')
  const last = time.within(400_000, never)
  expect(await after(250_000, last)).toBe('still waiting')
  expect(await after(60_000, last)).toBe('removing it took longer than 290 s')
  abort.abort()
  await expect(time.within(20_000, never)).rejects.toThrow('there was no time left')
})

test('a target that uses up all the time leaves enough for what runs on this machine', async () => {
  const abort = new AbortController()
  const time = new CleanUpTime(abort.signal)
  time.begin()
  abort.abort()
  await after(60_000, time.within(60_000, never))
  expect(
    await after(
      5000,
      time.onThisMachine(() => new Promise<void>((done) => setTimeout(done, 4000))),
    ),
  ).toBe('done')
  expect(await after(10_000, time.onThisMachine(never))).toBe('removing it took longer than 10 s')
})

test('a run of limited time leaves its targets two seconds after the limit, and is done eight seconds after it', async () => {
  const time = new CleanUpTime(new AbortController().signal, performance.now() + 600_000)
  time.endBy(performance.now() + 20_000)
  time.begin()
  const limit = performance.now() + 20_000
  expect(time.evidenceUntil(60_000)).toBe(limit)
  expect(time.evidenceUntil(5_000)).toBe(limit - 15_000)
  expect(await after(22_000, time.within(60_000, never))).toBe('removing it took longer than 22 s')
  await expect(time.within(60_000, never)).rejects.toThrow('there was no time left')
  expect(await after(6_000, time.onThisMachine(never))).toBe('removing it took longer than 6 s')
})

test('a step that throws at once has its own error, and no clock goes on after it', async () => {
  const time = new CleanUpTime(new AbortController().signal)
  const throwing = (): Promise<never> => {
    throw new Error('its own')
  }
  await expect(time.onThisMachine(throwing)).rejects.toThrow('its own')
  expect(vi.getTimerCount()).toBe(0)
})
