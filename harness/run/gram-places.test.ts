import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GramPlaces } from './gram-places.ts'

const placesOf = (places: GramPlaces, hash: number): string[] => {
  const found: string[] = []
  places.visit(hash, (value, offset) => found.push(`${value} ${offset}`))
  return found.sort()
}

test('every place is found by its hash, however many there are', () => {
  const place = fc.tuple(fc.integer({ min: -500, max: 500 }), fc.nat(1_000_000), fc.nat(65_535))
  fc.assert(
    fc.property(fc.array(place, { minLength: 5_000, maxLength: 9_000 }), (all) => {
      const places = new GramPlaces()
      const wanted = new Map<number, string[]>()
      for (const [hash, value, offset] of all) {
        places.add(hash, value, offset)
        wanted.set(hash, [...(wanted.get(hash) ?? []), `${value} ${offset}`])
      }
      for (const [hash, known] of wanted) expect(placesOf(places, hash)).toEqual(known.slice(0, 64).sort())
      expect(placesOf(places, 501)).toEqual([])
    }),
    { numRuns: 10 },
  )
})

test('of one hash 64 places are kept', () => {
  const places = new GramPlaces()
  for (let value = 0; value < 100; value += 1) places.add(-7, value, value)
  expect(placesOf(places, -7)).toHaveLength(64)
})
