/** A run of limited time: what is begun, what is left out since it would not come to its end, and what is ended since it did not. */
import { isRunnable } from '../checks/check.ts'
import type { CheckDefinition, RunnableCheck } from '../checks/vocabulary.ts'
import { sampled } from '../planning/sample-order.ts'

/** Milliseconds after the last check for clean-up, backends and the report; and of the whole time the part that estimates are wrong by. */
const AFTERWARDS = 8000
const WRONG_BY = 0.05
/** Milliseconds of estimate that count before anything was seen: a machine is as fast as that of the estimates until it shows otherwise. */
const BELIEVED = 20_000
/** Milliseconds of estimates that a run works off in one: checks wait most of their time for one another. */
const AT_ONCE = 30
/** The part of the time that a check may take and still begin anywhere in it. */
const SHORT = 1 / 3

/** Milliseconds of a run of limited time in which its checks may go on. */
const lastBegin = (ms: number): number => Math.max(ms / 2, ms * (1 - WRONG_BY) - AFTERWARDS)

/** Seconds that a run of checks takes in all, most of which wait for one another. @param times milliseconds of each. */
export const togetherSeconds = (times: readonly number[]): number =>
  Math.max(0, ...times, times.reduce((sum, time) => sum + time, 0) / AT_ONCE) / 1000

/** Of some checks those that a run of so many milliseconds is expected to come to; what schemas decide costs nothing. */
export const fitting = (
  checks: readonly CheckDefinition[],
  ms: number,
  seed: number,
  costOf: (check: RunnableCheck) => number,
): CheckDefinition[] => {
  let room = lastBegin(ms) * AT_ONCE
  const sent = limitedTime(ms, 0, seed, costOf, () => 0)
    .inOrder(checks.filter(isRunnable))
    .filter((check) => costOf(check) <= lastBegin(ms))
  const fit = new Set<CheckDefinition>(
    sent.filter((check) => {
      room -= costOf(check)
      return room >= 0
    }),
  )
  return checks.filter((check) => fit.has(check) || !isRunnable(check))
}

export interface LimitedTime {
  /** Milliseconds of the whole run. */
  ms: number
  /** When that is over, in milliseconds as `performance.now()` counts them. */
  limit: number
  /** In the order in which they begin: what takes long, and will fit, before all others. */
  inOrder(checks: readonly RunnableCheck[]): RunnableCheck[]
  /** Whether a check that began now would come to its end in time. */
  fits(check: RunnableCheck): boolean
  /** Tells how long a check took, in milliseconds; by these all others are expected. */
  took(check: RunnableCheck, ms: number): void
  /** Whether nothing at all begins any more. */
  isOver(): boolean
  /** Aborted when checks that go on are ended, for the sake of what comes after them; until it is asked for, nothing waits. */
  end(): AbortSignal
  /** Half of what is left, for the first of two groups of checks that cannot run beside each other. */
  half(): LimitedTime
}

/**
 * Time for a run.
 *
 * @param ms for the whole of it, with what comes before and after its checks.
 * @param begun when it began, in milliseconds as `now` counts them.
 * @param costOf milliseconds that a check took elsewhere.
 */
export const limitedTime = (
  ms: number,
  begun: number,
  seed: number,
  costOf: (check: RunnableCheck) => number,
  now: () => number = () => performance.now(),
): LimitedTime => {
  let expected = BELIEVED
  let seen = BELIEVED
  const until = (last: number): LimitedTime => {
    const end = last + ms * WRONG_BY
    return {
      ms,
      limit: begun + ms,
      inOrder: (checks) => {
        const left = last - now()
        const { first, rest } = sampled(checks, costOf, seed)
        let room = left * AT_ONCE
        const beforeAll = new Set(
          first.filter((check) => {
            room -= costOf(check)
            return room > 0 && (check.waits === true || costOf(check) > left * SHORT)
          }),
        )
        const long = [...beforeAll].sort((one, other) => costOf(other) - costOf(one))
        return [...long, ...first.filter((check) => !beforeAll.has(check)), ...rest]
      },
      fits: (check) => now() + costOf(check) * (seen / expected) <= last,
      took: (check, spent) => {
        expected += costOf(check)
        seen += spent
      },
      isOver: () => now() > end,
      end: () => AbortSignal.timeout(Math.max(0, Math.ceil(end - now()))),
      half: () => until((now() + last) / 2),
    }
  }
  return until(begun + lastBegin(ms))
}
