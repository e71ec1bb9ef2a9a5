/** Stops a run from waiting out every deadline on a target that no longer answers. */

const FAILURES_IN_A_ROW = 24
const PAUSE = 2000

/** Counts failures in a row; once tripped, lets one request through every two seconds until one succeeds. */
export class Breaker {
  #failures = 0
  #last = ''
  #lastTry = 0

  succeeded(): void {
    this.#failures = 0
  }

  failed(reason: string): void {
    this.#failures += 1
    this.#last = reason
    this.#lastTry = performance.now()
  }

  /** Trips at once, e.g. when backing off did not help. */
  trip(reason: string): void {
    this.#failures = FAILURES_IN_A_ROW
    this.#last = reason
    this.#lastTry = performance.now()
  }

  /** Why nothing is sent just now; undefined when a request may go out. */
  refusal(): string | undefined {
    if (this.#failures < FAILURES_IN_A_ROW) return undefined
    if (performance.now() - this.#lastTry > PAUSE) {
      this.#lastTry = performance.now()
      return undefined
    }
    return this.#last
  }
}
