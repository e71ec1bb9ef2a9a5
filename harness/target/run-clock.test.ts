/** A clock that is set in the middle of a run: what ran meanwhile runs again, and the run goes on. */
import { expect, test } from 'vitest'
import { Clocks } from '../base/clocks.ts'
import type { CheckRun } from '../running/check-run.ts'
import { RunClock } from './run-clock.ts'
import type { Target } from './target.ts'

const HOUR = 3_600_000
const FAILED = { outcome: 'failed', decisions: [{ clause: 'A-B-01', outcome: 'violated' }] } as unknown as CheckRun
const PASSED = { outcome: 'passed', decisions: [] } as unknown as CheckRun

/** A run whose clock is set by so many milliseconds during each of its first attempts; `stands` where the target's own clock is let alone. */
const setDuring = async (settings: number[], stands = true) => {
  const reading = { machine: 0, day: 0 }
  const target = { clockSkew: 1 } as Target
  let ours = 0
  const clock = new RunClock([target], new Clocks(() => ({ ...reading })), async () => 1 - (stands ? ours / 1000 : 0))
  let attempts = 0
  const run = await clock.undisturbed(async () => {
    const by = settings[attempts]
    attempts += 1
    reading.machine += 1000
    reading.day += 1000 + (by ?? 0)
    ours += by ?? 0
    return by === undefined ? PASSED : FAILED
  })
  return { run, attempts, clock, target }
}

test.each([-2 * HOUR, 2 * HOUR])('a check during which it is set by %i ms runs again, by the clock as it is then', async (by) => {
  const { run, attempts, clock, target } = await setDuring([by])
  expect(run).toBe(PASSED)
  expect(attempts).toBe(2)
  expect(target.clockSkew).toBe(1 - by / 1000)
  expect(clock.doubtAbout(target)).toBeUndefined()
  expect(clock.notes).toEqual([expect.stringMatching(by < 0 ? /set back by 120 min/ : /set forward by 120 min/)])
})

test('a clock that is corrected by less disturbs nothing', async () => {
  const { run, attempts, clock } = await setDuring([30_000])
  expect(run).toBe(FAILED)
  expect(attempts).toBe(1)
  expect(clock.notes).toEqual([])
})

test('nothing is decided by a clock that is set again and again', async () => {
  const { run } = await setDuring([HOUR, -HOUR, HOUR, -HOUR])
  expect(run).toMatchObject({ outcome: 'blocked', reason: expect.stringMatching(/each time/), decisions: [] })
})

test('a target whose clock was set too is in doubt: what it made before has other times', async () => {
  const { clock, target } = await setDuring([-2 * HOUR], false)
  expect(target.clockSkew).toBe(1)
  expect(clock.doubtAbout(target)?.reason).toMatch(/clock of the target was set/)
})
