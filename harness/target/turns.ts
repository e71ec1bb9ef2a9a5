/** Turns, first come, first served. */
import PQueue, { type Queue, type QueueAddOptions } from 'p-queue'

type Run = Parameters<Queue<() => Promise<unknown>, QueueAddOptions>['enqueue']>[0]

/** Who waits for a turn. What was handed out is forgotten: p-queue's own list keeps up to a hundred, and with them the answers that came of them. */
class Waiting implements Queue<Run, QueueAddOptions> {
  readonly #runs: Run[] = []

  get size(): number {
    return this.#runs.length
  }

  enqueue(run: Run): void {
    this.#runs.push(run)
  }

  dequeue(): Run | undefined {
    return this.#runs.shift()
  }

  /** All have the same priority. */
  filter(): Run[] {
    return [...this.#runs]
  }

  setPriority(): void {
    throw new RangeError('turns have no priority')
  }
}

export type Turns = PQueue<Waiting>

/** @param options of p-queue. */
export const turnsOf = (options: {
  concurrency: number
  interval?: number
  intervalCap?: number
  carryoverConcurrencyCount?: boolean
}): Turns => new PQueue({ ...options, queueClass: Waiting })
