/** The data types of the SSH protocol (RFC 4251, section 5). */

const length = (size: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(size)
  return bytes
}

/** A `string`: its length in four bytes, then the bytes. */
export const string = (value: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(value as Uint8Array)
  return Buffer.concat([length(bytes.length), bytes])
}

export const uint32 = length

export const uint64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}

/** An `mpint` of a number given as unsigned big-endian bytes: no needless zeros, one zero where the sign bit would be set. */
export const mpint = (magnitude: Uint8Array): Buffer => {
  const first = magnitude.findIndex((byte) => byte !== 0)
  const bytes = first < 0 ? Buffer.alloc(0) : Buffer.from(magnitude.subarray(first))
  return string((bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes)
}

/** Reads a sequence of fields. Every method throws where the bytes end too early. */
export class WireReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes)
  }

  take(size: number): Buffer {
    if (this.#at + size > this.#bytes.length) throw new Error('the key ends too early')
    this.#at += size
    return this.#bytes.subarray(this.#at - size, this.#at)
  }

  uint32(): number {
    return this.take(4).readUInt32BE()
  }

  bytes(): Buffer {
    return this.take(this.uint32())
  }

  text(): string {
    return this.bytes().toString('utf8')
  }

  /** An `mpint` as unsigned bytes without leading zeros. */
  number(): Buffer {
    const bytes = this.bytes()
    const first = bytes.findIndex((byte) => byte !== 0)
    return first < 0 ? Buffer.alloc(0) : bytes.subarray(first)
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length
  }
}
