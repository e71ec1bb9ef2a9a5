/** The time that a check may take, and what ends its work before it is done. */
import { Blocked } from '../base/errors.ts'
import type { Clock } from '../sending/session.ts'

export class DeadlineOver extends Error {}

/** Why a check was not carried out to its end, where somebody ended the run. */
export const CUT_SHORT = { reason: 'the run was cut short', remedy: 'run it again to its end' }

/** Stands outside of all functions, for one within would hold on to what the others beside it see. */
const nothing = (): void => undefined

/** How many times its deadline a check may take while answers keep coming: what is slow does not hang. */
const PATIENCE = 4
/** Parts of its deadline by which it is put off, each of which has to bring an answer. */
const PART = 1 / 4

/**
 * The time that a check has; `over` is called with all of it, in milliseconds, once it is used up.
 *
 * @param ms milliseconds without an answer; with answers `PATIENCE` times as many.
 * @param answered how many answers have come so far.
 */
export const deadline = (ms: number, answered: () => number): Clock & { over: (given: number) => void } => {
  let timer: NodeJS.Timeout | undefined
  let left = ms
  let given = ms
  let seen = 0
  let since = 0
  const end = (): void => {
    const isMoving = answered() > seen
    seen = answered()
    if (isMoving && given < PATIENCE * ms) {
      left = PART * ms
      given += left
      clock.run()
    } else clock.over(given)
  }
  const clock: Clock & { over: (given: number) => void } = {
    over: nothing,
    run: (): void => {
      since = performance.now()
      timer = setTimeout(end, left)
      timer.unref()
    },
    hold: (): void => {
      clearTimeout(timer)
      left -= performance.now() - since
    },
  }
  clock.run()
  return clock
}

/**
 * Waits for the work of a check, until its time is over or the run is cut short.
 *
 * Neither what measures the time nor the signal keeps anything of the work afterwards: both live on, and an error holds on to the answers
 * that its stack has seen.
 *
 * @throws DeadlineOver, Blocked, or what the work throws.
 */
export const untilStopped = async (work: Promise<void>, clock: { over: (given: number) => void }, signal: AbortSignal): Promise<void> => {
  let cut = nothing
  const stopped = new Promise<never>((_, reject) => {
    clock.over = (given) => reject(new DeadlineOver(`not done within ${given / 1000} s`))
    cut = () => reject(new Blocked(CUT_SHORT.reason, CUT_SHORT.remedy))
  })
  signal.addEventListener('abort', cut, { once: true })
  if (signal.aborted) cut()
  try {
    await Promise.race([work, stopped])
  } finally {
    signal.removeEventListener('abort', cut)
    clock.over = nothing
  }
}
