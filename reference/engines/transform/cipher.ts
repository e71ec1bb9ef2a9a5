/**
 * FF3-1 (NIST SP 800-38G revision 1, draft of 2019): format-preserving encryption with a tweak of 56 bits, over alphabets of any size.
 * The newest draft keeps FF1 only; the contract names no algorithm, so this one stands behind the rule `cipher` and another can take its place.
 */
import { createCipheriv } from 'node:crypto'

const ROUNDS = 8
const BLOCK = 16
const LOW = 2n ** 64n - 1n

/** Encrypts one block under a key; the block is read, and answered, from its last byte to its first. */
type Block = (block: Uint8Array) => Buffer

/** What is done to a text of numerals under a tweak of seven bytes. */
export interface Cipher {
  encrypt(numerals: readonly number[], radix: number, tweak: Uint8Array): number[]
  decrypt(numerals: readonly number[], radix: number, tweak: Uint8Array): number[]
}

// One cipher object for each key: to make it costs more than to encrypt with it.
const blockUnder = (key: Uint8Array): Block => {
  const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, Uint8Array.from(key).reverse(), null)
  cipher.setAutoPadding(false)
  return (block) => cipher.update(block)
}

/** The number of numerals whose first is the least significant. */
const numberOf = (numerals: readonly number[], radix: bigint): bigint =>
  numerals.reduceRight((sum, numeral) => sum * radix + BigInt(numeral), 0n)

const numeralsOf = (value: bigint, radix: bigint, length: number): number[] => {
  const numerals: number[] = []
  let rest = value
  for (let place = 0; place < length; place += 1) {
    numerals.push(Number(rest % radix))
    rest /= radix
  }
  return numerals
}

/** The two halves of a tweak, of 28 bits each, as numbers of four bytes. */
const halvesOf = (tweak: Uint8Array): { left: number; right: number } => {
  const [a, b, c, d, e, f, g] = tweak as unknown as [number, number, number, number, number, number, number]
  const word = (...bytes: [number, number, number, number]): number => Buffer.from(bytes).readUInt32BE()
  return { left: word(a, b, c, d & 0xf0), right: word(e, f, g, (d & 0x0f) << 4) }
}

/** The standard turns blocks around before and after they are encrypted: little ends first are the same. */
const roundValue = (block: Block, half: number, round: number, value: bigint): bigint => {
  const input = Buffer.allocUnsafe(BLOCK)
  input.writeBigUInt64LE(value & LOW, 0)
  input.writeUInt32LE(Number(value >> 64n), 8)
  input.writeUInt32LE((half ^ round) >>> 0, 12)
  const output = block(input)
  return output.readBigUInt64LE(0) | (output.readBigUInt64LE(8) << 64n)
}

// Both halves stay numbers throughout: to write one down as numerals takes as long as several rounds.
const feistel = (block: Block, numerals: readonly number[], base: number, tweak: Uint8Array, forward: boolean): number[] => {
  const radix = BigInt(base)
  const u = Math.ceil(numerals.length / 2)
  const v = numerals.length - u
  const halves = halvesOf(tweak)
  const [even, odd] = [radix ** BigInt(u), radix ** BigInt(v)]
  let a = numberOf(numerals.slice(0, u), radix)
  let b = numberOf(numerals.slice(u), radix)
  for (let step = 0; step < ROUNDS; step += 1) {
    const round = forward ? step : ROUNDS - 1 - step
    const [half, modulus] = round % 2 === 0 ? [halves.right, even] : [halves.left, odd]
    const [kept, changed] = forward ? [b, a] : [a, b]
    const value = roundValue(block, half, round, kept)
    const sum = (changed + (forward ? value : -value)) % modulus
    const next = sum < 0n ? sum + modulus : sum
    ;[a, b] = forward ? [kept, next] : [next, kept]
  }
  return [...numeralsOf(a, radix, u), ...numeralsOf(b, radix, v)]
}

/**
 * FF3-1 under a key.
 *
 * @param key of 16, 24 or 32 bytes
 */
export const ff31 = (key: Uint8Array): Cipher => {
  const block = blockUnder(key)
  return {
    encrypt: (numerals, radix, tweak) => feistel(block, numerals, radix, tweak, true),
    decrypt: (numerals, radix, tweak) => feistel(block, numerals, radix, tweak, false),
  }
}

/** Lengths that FF3-1 takes: a domain of at least a million, and halves that fit into 96 bits. */
export const lengthsFor = (radix: number): { shortest: number; longest: number } => ({
  shortest: Math.max(2, Math.ceil(6 / Math.log10(radix) - 1e-9)),
  longest: 2 * Math.floor(96 / Math.log2(radix) + 1e-9),
})
