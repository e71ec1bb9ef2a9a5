/**
 * FF3-1 (NIST SP 800-38G revision 1, draft of 2019): format-preserving encryption with a tweak of 56 bits, over alphabets of any size.
 * The newest draft keeps FF1 only; the contract names no algorithm, so this one stands behind the rule `cipher` and another can take its place.
 */
import { createCipheriv } from 'node:crypto'

const ROUNDS = 8
const BLOCK = 16

/** Encrypts one block under a key. */
type Block = (block: Uint8Array) => Uint8Array

/** What is done to a text of numerals under a tweak of seven bytes. */
export interface Cipher {
  encrypt(numerals: readonly number[], radix: number, tweak: Uint8Array): number[]
  decrypt(numerals: readonly number[], radix: number, tweak: Uint8Array): number[]
}

const reversed = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes).reverse()

const blockUnder = (key: Uint8Array): Block => {
  const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, reversed(key), null)
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

/** The two halves of a tweak, of 28 bits each, padded to four bytes. */
const halvesOf = (tweak: Uint8Array): { left: Uint8Array; right: Uint8Array } => {
  const [a, b, c, d, e, f, g] = tweak as unknown as [number, number, number, number, number, number, number]
  return { left: Uint8Array.of(a, b, c, d & 0xf0), right: Uint8Array.of(e, f, g, (d & 0x0f) << 4) }
}

const roundValue = (block: Block, half: Uint8Array, round: number, value: bigint): bigint => {
  const input = new Uint8Array(BLOCK)
  input.set(half)
  input[3]! ^= round
  input.set(Buffer.from(value.toString(16).padStart(24, '0'), 'hex'), 4)
  return BigInt(`0x${Buffer.from(reversed(block(reversed(input)))).toString('hex')}`)
}

const feistel = (block: Block, numerals: readonly number[], base: number, tweak: Uint8Array, forward: boolean): number[] => {
  const radix = BigInt(base)
  const u = Math.ceil(numerals.length / 2)
  const halves = halvesOf(tweak)
  let a = numerals.slice(0, u)
  let b = numerals.slice(u)
  for (let step = 0; step < ROUNDS; step += 1) {
    const round = forward ? step : ROUNDS - 1 - step
    const length = round % 2 === 0 ? u : numerals.length - u
    const [kept, changed] = forward ? [b, a] : [a, b]
    const value = roundValue(block, round % 2 === 0 ? halves.right : halves.left, round, numberOf(kept, radix))
    const modulus = radix ** BigInt(length)
    const sum = (numberOf(changed, radix) + (forward ? value : -value)) % modulus
    const next = numeralsOf(sum < 0n ? sum + modulus : sum, radix, length)
    ;[a, b] = forward ? [kept, next] : [next, kept]
  }
  return [...a, ...b]
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
