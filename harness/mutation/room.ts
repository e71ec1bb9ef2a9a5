/** How many servers are tried at once: most of the time they wait for a backend or for an end of time, and others may work meanwhile. */
import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import type PQueue from 'p-queue'

const FEWEST = 8
const MOST = 32
const LOOKED_AT_MS = 100
/** Parts of the time in which the thread is busy: below the first there is room for one more, above the second one too many. */
const IDLE = 0.7
const BUSY = 0.9

/** The next number of servers at once, from that of now and from the part of the time (0 to 1) in which the thread was busy. */
export const nextRoom = (now: number, busy: number, running: number, fewest = FEWEST): number => {
  if (busy > BUSY) return Math.max(fewest, now - 1)
  return busy < IDLE && running >= now ? Math.min(MOST, now + 1) : now
}

/**
 * Gives the queue more room while its thread is idle and less while it is busy.
 *
 * @param fewest what a busy thread tries at once
 * @returns what ends that.
 */
export const roomByLoad = (queue: PQueue, fewest = FEWEST): (() => void) => {
  queue.concurrency = fewest
  let before: EventLoopUtilization = performance.eventLoopUtilization()
  const look = setInterval(() => {
    const now = performance.eventLoopUtilization()
    queue.concurrency = nextRoom(queue.concurrency, performance.eventLoopUtilization(now, before).utilization, queue.pending, fewest)
    before = now
  }, LOOKED_AT_MS)
  look.unref()
  return () => clearInterval(look)
}
