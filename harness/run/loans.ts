/** Fixtures that a configuration names and in which checks work one after the other: who has which, and who waits for it. */
import type { JsonObject } from '../base/json.ts'

interface Waiting {
  borrower: object
  wanted: string[]
  give(key: string): void
}

/** The loans of one run. */
export class Loans {
  readonly #holders = new Map<string, object>()
  #waiting: Waiting[] = []

  /**
   * Lends one of some fixtures: the one that the borrower already has, else one that is free, else the first that is given back.
   *
   * @param borrower whoever gives it back in the end; the same one never waits for itself.
   * @param fixtures equal ones count as one.
   */
  take(borrower: object, fixtures: readonly JsonObject[]): Promise<JsonObject> {
    const byKey = new Map(fixtures.map((fixture) => [JSON.stringify(fixture), fixture]))
    const wanted = [...byKey.keys()]
    const found = wanted.find((key) => this.#holders.get(key) === borrower) ?? wanted.find((key) => !this.#holders.has(key))
    if (found !== undefined) {
      this.#holders.set(found, borrower)
      return Promise.resolve(byKey.get(found)!)
    }
    return new Promise((resolve) => {
      this.#waiting.push({ borrower, wanted, give: (key) => resolve(byKey.get(key)!) })
    })
  }

  /** Ends all loans of a borrower, and its waiting: what it had goes to who waited longest. */
  giveBack(borrower: object): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting.borrower !== borrower)
    for (const [key, holder] of this.#holders) if (holder === borrower) this.#pass(key)
  }

  #pass(key: string): void {
    this.#holders.delete(key)
    const next = this.#waiting.find(({ wanted }) => wanted.includes(key))
    if (next === undefined) return
    this.#holders.set(key, next.borrower)
    const served = this.#waiting.filter(({ borrower, wanted }) => borrower === next.borrower && wanted.includes(key))
    this.#waiting = this.#waiting.filter((waiting) => !served.includes(waiting))
    for (const { give } of served) give(key)
  }
}
