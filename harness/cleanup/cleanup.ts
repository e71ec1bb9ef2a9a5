/**
 * How long cleaning up may take: each step has its time, and all of it together what is left of the longest time of the run, or a minute where
 * less is. What is not done by then stays in the journal.
 */

/** Milliseconds for all of it at least, once the checks are over. */
const WHOLE = 60_000
/** Milliseconds for the rest of it, once somebody wants the run to end. */
const INTERRUPTED = 30_000
/** Milliseconds of it that are kept for this machine, however long a target takes. */
const RESERVED = 10_000
/** Milliseconds after the limit of a run of limited time: for targets and this machine together, and of these for this machine. */
const BEYOND = { all: 8_000, machine: 6_000 }

/** The clock of the clean-up of one run. */
export class CleanUpTime {
  #until = Number.POSITIVE_INFINITY
  #evidence = Number.POSITIVE_INFINITY
  #reserved = RESERVED

  readonly #last: number

  /**
   * @param signal aborted when the run is to end.
   * @param last when its longest time is over, in ms by a clock that nobody sets: `performance.now()`.
   */
  constructor(signal: AbortSignal, last = 0) {
    this.#last = last
    const hurry = () => this.#within(INTERRUPTED)
    if (signal.aborted) hurry()
    else signal.addEventListener('abort', hurry, { once: true })
  }

  /** The run has a limit, by `performance.now()`: evidence is sent until then, and clean-up ends soon after it, whatever a target does. */
  endBy(limit: number): void {
    this.#evidence = limit
    this.#until = Math.min(this.#until, limit + BEYOND.all)
    this.#reserved = BEYOND.machine
  }

  /** Until when evidence may be sent that has so many milliseconds. */
  evidenceUntil(ms: number): number {
    return Math.min(performance.now() + ms, this.#evidence)
  }

  /** The checks are over. */
  begin(): void {
    this.#within(Math.max(WHOLE, this.#last - performance.now()))
  }

  /**
   * Waits for a step on a target, for a while and never longer than there is time for all of them.
   *
   * @param ms milliseconds for this step.
   * @throws what the step throws, or that it took too long.
   */
  async within<T>(ms: number, step: () => Promise<T>): Promise<T> {
    const left = Math.min(ms, this.#until - this.#reserved - performance.now())
    if (left <= 0) throw new Error('there was no time left to remove it')
    return this.#bounded(left, step)
  }

  /**
   * Waits for what ends processes and removes folders of this machine. A target that has used up its time leaves enough for that.
   *
   * @throws what the step throws, or that it took too long.
   */
  onThisMachine<T>(step: () => Promise<T>): Promise<T> {
    return this.#bounded(Math.max(this.#reserved, Math.min(WHOLE, this.#until - performance.now())), step)
  }

  async #bounded<T>(left: number, step: () => Promise<T>): Promise<T> {
    if (!Number.isFinite(left)) return step()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`removing it took longer than ${(left / 1000).toFixed(0)} s`)), left)
    })
    try {
      const work = step()
      work.catch(() => undefined)
      return await Promise.race([work, late])
    } finally {
      clearTimeout(timer)
    }
  }

  #within(ms: number): void {
    this.#until = Math.min(this.#until, performance.now() + ms)
  }
}
