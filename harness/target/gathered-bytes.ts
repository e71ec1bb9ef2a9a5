/** Gathers the pieces of large bodies, one body after the other, in the same memory: memory of its own for each would be given back late. */

/** More than this is given back after the body that needed it. */
const MOST_KEPT = 8 * 1024 * 1024

export class GatheredBytes {
  #memory: Uint8Array
  #length = 0

  /** @param room bytes to begin with. */
  constructor(room: number) {
    this.#memory = new Uint8Array(room)
  }

  /** What was gathered; other bytes stand there once it is cleared. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length)
  }

  /** Makes room for so many bytes in all. */
  reserve(room: number): void {
    if (room <= this.#memory.length) return
    const larger = new Uint8Array(room)
    larger.set(this.bytes)
    this.#memory = larger
  }

  /** Takes a copy of a piece. */
  add(piece: Uint8Array): void {
    const length = this.#length + piece.length
    if (length > this.#memory.length) this.reserve(Math.max(length, 2 * this.#memory.length))
    this.#memory.set(piece, this.#length)
    this.#length = length
  }

  /** Begins another body. */
  clear(): void {
    this.#length = 0
    if (this.#memory.length > MOST_KEPT) this.#memory = new Uint8Array(0)
  }
}
