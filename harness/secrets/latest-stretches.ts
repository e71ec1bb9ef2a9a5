/** What each value shared with a text when both were compared last, in numbers side by side: it is asked for every gram that both have. */

export class LatestStretches {
  #search = 0
  /** By value: in which search it was compared last, where it would begin in the text, and what both share. */
  #searches = new Int32Array(0)
  #origins = new Int32Array(0)
  #starts = new Int32Array(0)
  #ends = new Int32Array(0)

  /** Begins with another text; `values` are known by now. */
  begin(values: number): void {
    this.#search += 1
    if (values <= this.#searches.length) return
    const room = 2 * values
    this.#searches = new Int32Array(room)
    this.#origins = new Int32Array(room)
    this.#starts = new Int32Array(room)
    this.#ends = new Int32Array(room)
  }

  /** Whether a value that would begin at `origin` was compared along the text beyond `end` already. */
  covers(value: number, origin: number, end: number): boolean {
    return this.#searches[value] === this.#search && this.#origins[value] === origin && end <= this.#ends[value]!
  }

  set(value: number, origin: number, { start, end }: { start: number; end: number }): void {
    this.#searches[value] = this.#search
    this.#origins[value] = origin
    this.#starts[value] = start
    this.#ends[value] = end
  }

  lengthOf(value: number): number {
    return this.#ends[value]! - this.#starts[value]!
  }

  spanOf(value: number): { start: number; end: number } {
    return { start: this.#starts[value]!, end: this.#ends[value]! }
  }
}
