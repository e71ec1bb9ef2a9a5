/** How much work the search of one text may take: a server chooses its texts, and some are made to take for ever. */

/** Steps for each character of a text, and for any text: many times what ordinary texts need. */
const STEPS_EACH = 100
const STEPS_ANY = 100_000

export class SearchWork {
  readonly #most: number
  steps = 0

  /** @param length characters of the text. */
  constructor(length: number) {
    this.#most = STEPS_ANY + STEPS_EACH * length
  }

  /** Counts steps: characters that are read or compared, places that are looked up. */
  add(steps: number): void {
    this.steps += steps
  }

  get isUsedUp(): boolean {
    return this.steps > this.#most
  }
}
