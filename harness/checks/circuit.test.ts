import { expect, test } from 'vitest'
import { everyPair } from './circuit.ts'
import { seededRandom } from './seeded-random.ts'

test.each([0, 1, 2, 7, 23])('of %i items each follows each once', (count) => {
  const walk = everyPair(
    seededRandom(1, 'circuit'),
    Array.from({ length: count }, (_, index) => index),
  )
  const pairs = walk.slice(1).map((item, index) => `${walk[index]} ${item}`)
  expect(pairs).toHaveLength(count * count)
  expect(new Set(pairs).size).toBe(count * count)
})

test('the order is that of the seed', () => {
  const of = (seed: number) => everyPair(seededRandom(seed, 'circuit'), [...'abcdefgh']).join('')
  expect(of(1)).toBe(of(1))
  expect(of(1)).not.toBe(of(2))
})
