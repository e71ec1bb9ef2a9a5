/** Another cipher behind encryption that keeps formats: the documents name none. */
import { createHmac } from 'node:crypto'
import { variantsOf } from '../../faults/declare.ts'
import type { Cipher } from './cipher.ts'
import { transformEngine } from './engine.ts'

const { rule, declared } = variantsOf(transformEngine)

const ROUNDS = 10

/** Another permutation of the domain: a Feistel network whose halves exchange their places, under HMAC. */
const otherCipher = (key: Uint8Array): Cipher => {
  const numberOf = (numerals: readonly number[], radix: number): bigint =>
    numerals.reduce((sum, one) => sum * BigInt(radix) + BigInt(one), 0n)
  const numeralsOf = (value: bigint, radix: number, length: number): number[] => {
    const numerals: number[] = []
    let rest = value
    for (let place = 0; place < length; place += 1) {
      numerals.unshift(Number(rest % BigInt(radix)))
      rest /= BigInt(radix)
    }
    return numerals
  }
  const step = (
    half: readonly number[],
    other: readonly number[],
    radix: number,
    tweak: Uint8Array,
    round: number,
    sign: bigint,
  ): number[] => {
    const mixed = createHmac('sha256', key)
      .update(tweak)
      .update(`${round} ${other.join(',')}`)
      .digest('hex')
    const modulus = BigInt(radix) ** BigInt(half.length)
    const sum = (numberOf(half, radix) + sign * (BigInt(`0x${mixed}`) % modulus)) % modulus
    return numeralsOf(sum < 0n ? sum + modulus : sum, radix, half.length)
  }
  const coded = (numerals: readonly number[], radix: number, tweak: Uint8Array, forward: boolean): number[] => {
    let [left, right] = [numerals.slice(0, numerals.length >> 1), numerals.slice(numerals.length >> 1)]
    for (let index = 0; index < ROUNDS; index += 1) {
      const round = forward ? index : ROUNDS - 1 - index
      if (round % 2 === 0) left = step(left, right, radix, tweak, round, forward ? 1n : -1n)
      else right = step(right, left, radix, tweak, round, forward ? 1n : -1n)
    }
    return [...left, ...right]
  }
  return {
    encrypt: (numerals, radix, tweak) => coded(numerals, radix, tweak, true),
    decrypt: (numerals, radix, tweak) => coded(numerals, radix, tweak, false),
  }
}

rule('other-cipher', 'the algorithm behind fpe is not named', 'another permutation of the domain encrypts', { cipher: () => otherCipher })

export const variants = declared
