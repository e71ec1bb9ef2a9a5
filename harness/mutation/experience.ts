/** What a proof learns as it goes: which checks notice faults often, so that they are tried before those that seldom do. */

/** Before anything is known of a check: one fault in three that it decides the clauses of. */
const KILLED_BEFORE = 1
const TRIED_BEFORE = 3
/** Milliseconds that any check takes besides its own: a mount, a caller, their removal. */
const AROUND_MS = 20

/** How often each check was tried on a fault, and how often it noticed it. */
export class Experience {
  readonly #tried = new Map<string, number>()
  readonly #killed = new Map<string, number>()

  /** @param tried ids of the checks that came to their end on one fault; `killed` those among them that noticed it. */
  add(tried: readonly string[], killed: readonly string[]): void {
    for (const id of tried) this.#tried.set(id, (this.#tried.get(id) ?? 0) + 1)
    for (const id of killed) this.#killed.set(id, (this.#killed.get(id) ?? 0) + 1)
  }

  /**
   * Milliseconds that a check costs for each fault that it may be expected to notice: with the least first, a fault is noticed soonest.
   *
   * @param ms how long it takes
   */
  costOf(id: string, ms: number): number {
    const chance = ((this.#killed.get(id) ?? 0) + KILLED_BEFORE) / ((this.#tried.get(id) ?? 0) + TRIED_BEFORE)
    return (ms + AROUND_MS) / chance
  }
}
