/** What a run of limited time begins, and when it stops to. */
import { expect, test } from 'vitest'
import type { RunnableCheck } from '../checks/vocabulary.ts'
import { limitedTime } from './limited-time.ts'

const MINUTE = 60_000
const check = (id: string, cost: number, waits?: boolean) =>
  ({ id, clauses: [id], cost, ...(waits === undefined ? {} : { waits }) }) as unknown as RunnableCheck
const costOf = (one: RunnableCheck): number => (one as unknown as { cost: number }).cost

const started = (ms: number) => {
  const clock = { at: 1000 }
  return { clock, time: limitedTime(ms, 1000, 1, costOf, () => clock.at) }
}

test('a check begins where it is expected to end in time, with what comes after the checks', () => {
  const { clock, time } = started(MINUTE)
  const [short, long] = [check('kv/short', 1000), check('kv/long', 48_000)]
  expect([time.fits(short), time.fits(long)]).toEqual([true, true])
  clock.at += 10_000
  expect([time.fits(short), time.fits(long)]).toEqual([true, false])
  clock.at += 40_000
  expect([time.fits(short), time.isOver()]).toEqual([false, false])
  clock.at += 8000
  expect(time.isOver()).toBe(true)
})

test('of a machine that is slow by what was seen, more is expected of all others', () => {
  const { time } = started(MINUTE)
  const one = check('kv/one', 20_000)
  expect(time.fits(one)).toBe(true)
  for (let times = 0; times < 10; times += 1) time.took(check('kv/slow', 4000), 16_000)
  expect(time.fits(one)).toBe(false)
})

test('a time that is hardly longer than what comes after the checks still tries some', () => {
  const { clock, time } = started(5000)
  expect(time.fits(check('kv/one', 1000))).toBe(true)
  clock.at += 2600
  expect(time.fits(check('kv/one', 1))).toBe(false)
})

test('what waits or takes a good part of the time begins before all others, unless it would not fit anyway', () => {
  const { time } = started(MINUTE)
  const all = [check('kv/short', 500), check('kv/long', 25_000), check('kv/waits', 5000, true), check('kv/endless', 10_000_000)]
  expect(time.inOrder(all).map(({ id }) => id)).toEqual(['kv/long', 'kv/waits', 'kv/short', 'kv/endless'])
})

test('half of what is left is for the first group, and what both take counts for either', () => {
  const { clock, time } = started(MINUTE)
  const half = time.half()
  const one = check('kv/one', 20_000)
  expect([half.fits(one), half.fits(check('kv/long', 30_000)), time.fits(check('kv/long', 30_000))]).toEqual([true, false, true])
  half.took(check('kv/slow', 20_000), 60_000)
  expect([half.fits(one), time.fits(one)]).toEqual([false, true])
  clock.at += 30_000
  expect([half.isOver(), time.isOver()]).toEqual([true, false])
})
