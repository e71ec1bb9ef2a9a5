/** Seeded numbers for checks: the same seed gives the same sequence. */
import { createHash } from 'node:crypto'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import type { Random } from './vocabulary.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** A 32-bit number that stands for a text. */
const hash32 = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0)

/** Generator of one check. */
export const seededRandom = (seed: number, name: string): Random => {
  const generator = xoroshiro128plus(hash32(`${seed}/${name}`))
  const integer = (min: number, max: number): number => uniformInt(generator, min, max)
  const random: Random = {
    integer,
    pick: (values) => {
      if (values.length === 0) throw new Error('nothing to pick from')
      return values[integer(0, values.length - 1)]!
    },
    shuffle: (values) => {
      const copy = [...values]
      for (let index = copy.length - 1; index > 0; index -= 1) {
        const other = integer(0, index)
        ;[copy[index], copy[other]] = [copy[other]!, copy[index]!]
      }
      return copy
    },
    bytes: (length) => Uint8Array.from({ length }, () => integer(0, 255)),
    word: (length) => Array.from({ length }, () => LETTERS[integer(0, LETTERS.length - 1)]!).join(''),
    seed: () => integer(0, 0x7fffffff),
  }
  return random
}
