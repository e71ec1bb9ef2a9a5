/** Turns at what only one may use at a time. */

/** Whoever takes a turn waits for the end of the one before. */
export class OneAtATime {
  #last: Promise<void> = Promise.resolve()

  /** Waits for a turn. @returns what ends it; until then nobody else has one. */
  async take(): Promise<() => void> {
    const before = this.#last
    let end = (): void => undefined
    this.#last = new Promise((done) => {
      end = done
    })
    await before
    return end
  }
}
