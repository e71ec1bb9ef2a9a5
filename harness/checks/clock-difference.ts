/** Between the clock of the target and ours, by which the real systems go that a check uses here. */
import { setTimeout } from 'node:timers/promises'
import { Blocked } from '../base/errors.ts'

/** Milliseconds that are waited for a target whose clock is a little ahead. */
const PATIENCE = 5000

const apart = (what: string): Blocked =>
  new Blocked(
    `by our clock, and that of the real systems here, what the target issues ${what}`,
    'set the clocks of the target and of this machine by the same source',
  )

/** Seconds by which the target's clock is known no better. */
const BLUR = 5

/** Seconds since the epoch by the target's clock. */
export const targetNow = (target: { clockSkew: number }): number => Date.now() / 1000 + target.clockSkew

/**
 * Waits until what the target issued has begun by our clock: a real system here refuses it until then. What is not valid by the target's own
 * clock is left to that system.
 *
 * @param target - how many seconds the target's clock is ahead of ours.
 * @param begin - the begin of what it issued, in seconds since the epoch.
 * @param end - its end, likewise.
 * @throws Blocked where the clocks differ too much to wait for, or where it is over here already.
 */
export const validHere = async (target: { clockSkew: number }, begin: number, end: number): Promise<void> => {
  const there = targetNow(target)
  if (begin > there + BLUR || end < there) return
  const missing = begin * 1000 - Date.now()
  if (missing > PATIENCE) throw apart(`begins in ${Math.ceil(missing / 1000)} s only`)
  if (missing > 0) await setTimeout(missing)
  if (end * 1000 <= Date.now()) throw apart(`ended ${Math.ceil(Date.now() / 1000 - end)} s ago`)
}
