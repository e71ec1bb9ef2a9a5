/** What is worked in one after the other, as fixtures that a configuration names by checks: who has which, and who waits for it. */
import type { JsonObject } from '../base/json.ts'

interface Waiting {
  holder: object
  wanted: string[]
  give(key: string): void
}

/** The reservations of one run, or of one proof. */
export class Reservations {
  readonly #holders = new Map<string, object>()
  #waiting: Waiting[] = []

  /**
   * Reserves one of some fixtures: the one that the holder already has, else one that is free, else the first that is released.
   *
   * @param holder releases it in the end; the same holder never waits for itself.
   * @param fixtures equal ones count as one.
   */
  reserve(holder: object, fixtures: readonly JsonObject[]): Promise<JsonObject> {
    const byKey = new Map(fixtures.map((fixture) => [JSON.stringify(fixture), fixture]))
    const wanted = [...byKey.keys()]
    const found = wanted.find((key) => this.#holders.get(key) === holder) ?? wanted.find((key) => !this.#holders.has(key))
    if (found !== undefined) {
      this.#holders.set(found, holder)
      return Promise.resolve(byKey.get(found)!)
    }
    return new Promise((resolve) => {
      this.#waiting.push({ holder, wanted, give: (key) => resolve(byKey.get(key)!) })
    })
  }

  /** Ends all reservations of a holder, and its waiting: what it had goes to who waited longest. */
  release(holder: object): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting.holder !== holder)
    for (const [key, one] of this.#holders) if (one === holder) this.#pass(key)
  }

  #pass(key: string): void {
    this.#holders.delete(key)
    const next = this.#waiting.find(({ wanted }) => wanted.includes(key))
    if (next === undefined) return
    this.#holders.set(key, next.holder)
    const served = this.#waiting.filter(({ holder, wanted }) => holder === next.holder && wanted.includes(key))
    this.#waiting = this.#waiting.filter((waiting) => !served.includes(waiting))
    for (const { give } of served) give(key)
  }
}
