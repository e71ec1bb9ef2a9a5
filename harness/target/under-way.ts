/** Exchanges that are under way when a run is interrupted: they are no longer awaited, but their changes are still carried out. */

const wait = (ms: number): { over: Promise<void>; stop(): void } => {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((done) => (timer = setTimeout(done, ms)))
  return { over, stop: () => clearTimeout(timer) }
}

/** What those are told whose exchange is left. */
export const interruptedError = (): Error => new DOMException('the run was interrupted', 'AbortError')

export class UnderWay {
  readonly #cuts = new Set<(reason: Error) => void>()
  readonly #changes = new Set<Promise<unknown>>()

  /**
   * Waits for an exchange, or until it is left.
   *
   * @param changes whether the request may change something at the target.
   * @throws what the exchange throws, or that it was left.
   */
  async run<T>(changes: boolean, exchange: () => Promise<T>): Promise<T> {
    const work = exchange()
    if (changes) {
      this.#changes.add(work)
      const over = (): void => void this.#changes.delete(work)
      work.then(over, over)
    }
    let cut = (_reason: Error): void => undefined
    const left = new Promise<never>((_, reject) => (cut = reject))
    this.#cuts.add(cut)
    try {
      return await Promise.race([work, left])
    } finally {
      this.#cuts.delete(cut)
    }
  }

  /** Stops waiting for all that is under way. */
  leave(): void {
    for (const cut of this.#cuts) cut(interruptedError())
  }

  /**
   * Waits until every request that may change something has its answer: removing what it makes before that comes too early.
   *
   * @param ms longest time, in milliseconds.
   */
  async carriedOut(ms: number): Promise<void> {
    if (this.#changes.size === 0) return
    const { over, stop } = wait(ms)
    await Promise.race([Promise.allSettled([...this.#changes]), over])
    stop()
  }
}
