/** Where grams stand in values, by their hash: numbers side by side in memory, since a long run knows millions of them. */

const HEAD_BITS = 18
const FIRST_ROOM = 1 << 12
/** Places kept for one gram: a gram that more values share identifies none of them. */
const MOST_OF_ONE = 16
/** Places kept for one gram within one value: what recurs in it is found by its first places. */
const MOST_IN_ONE = 2

const headOf = (hash: number): number => Math.imul(hash, 0x9e3779b1) >>> (32 - HEAD_BITS)

/** Room for twice as many. */
const doubled = <T extends Int32Array | Uint16Array>(full: T): T => {
  const larger = new (full.constructor as new (length: number) => T)(full.length * 2)
  larger.set(full)
  return larger
}

export class GramPlaces {
  /** The latest place of all hashes that fall together, counted from 1; 0 where there is none. */
  readonly #heads = new Int32Array(2 ** HEAD_BITS)
  /** By place: its hash, the place before it, the number of the value, the offset in it. */
  #hashes = new Int32Array(FIRST_ROOM)
  #before = new Int32Array(FIRST_ROOM)
  #values = new Int32Array(FIRST_ROOM)
  #offsets = new Uint16Array(FIRST_ROOM)
  #count = 0

  /**
   * Keeps a place, unless there are many of this hash already, or some in the same value.
   *
   * @param hash a 32-bit integer.
   * @param value number of the value, from 0.
   * @param offset below 65,536.
   */
  add(hash: number, value: number, offset: number): void {
    let alike = 0
    let within = 0
    this.visit(hash, (other) => {
      alike += 1
      if (other === value) within += 1
    })
    if (alike >= MOST_OF_ONE || within >= MOST_IN_ONE) return
    if (this.#count === this.#hashes.length) this.#grow()
    const place = this.#count
    this.#count += 1
    this.#hashes[place] = hash
    this.#values[place] = value
    this.#offsets[place] = offset
    this.#before[place] = this.#heads[headOf(hash)]!
    this.#heads[headOf(hash)] = place + 1
  }

  /** Calls back with each place that is kept for a hash. */
  visit(hash: number, found: (value: number, offset: number) => void): void {
    for (let next = this.#heads[headOf(hash)]!; next !== 0; next = this.#before[next - 1]!)
      if (this.#hashes[next - 1] === hash) found(this.#values[next - 1]!, this.#offsets[next - 1]!)
  }

  #grow(): void {
    this.#hashes = doubled(this.#hashes)
    this.#before = doubled(this.#before)
    this.#values = doubled(this.#values)
    this.#offsets = doubled(this.#offsets)
  }
}
