/** The time that an exchange has: it stands still while the exchange waits for a turn of ours. */
export class Deadline {
  readonly #over = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #left: number
  #since = 0

  /** @param ms milliseconds, from now on. */
  constructor(ms: number) {
    this.#left = ms
    this.#run()
  }

  /** Aborted once the time is over. */
  get signal(): AbortSignal {
    return this.#over.signal
  }

  /** Waits outside the time. */
  async without<T>(waiting: () => Promise<T>): Promise<T> {
    this.stop()
    this.#left -= performance.now() - this.#since
    try {
      return await waiting()
    } finally {
      this.#run()
    }
  }

  /** Ends the time without aborting anything. */
  stop(): void {
    clearTimeout(this.#timer)
  }

  #run(): void {
    this.#since = performance.now()
    this.#timer = setTimeout(() => this.#over.abort(new DOMException('the exchange took too long', 'TimeoutError')), this.#left)
  }
}
