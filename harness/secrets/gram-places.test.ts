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
      const wanted = new Map<number, [value: number, text: string][]>()
      for (const [hash, value, offset] of all) {
        places.add(hash, value, offset)
        const known = wanted.get(hash) ?? []
        if (known.length < 16 && known.filter(([one]) => one === value).length < 2) known.push([value, `${value} ${offset}`])
        wanted.set(hash, known)
      }
      for (const [hash, known] of wanted) expect(placesOf(places, hash)).toEqual(known.map(([, text]) => text).sort())
      expect(placesOf(places, 501)).toEqual([])
    }),
    // A failure is shown as it was drawn: to shrink thousands of places takes hours.
    { numRuns: 10, endOnFailure: true },
  )
})

test('of one hash sixteen places are kept, two of them in one value', () => {
  const places = new GramPlaces()
  for (let offset = 0; offset < 10; offset += 1) places.add(-7, 1000, offset)
  expect(placesOf(places, -7)).toHaveLength(2)
  for (let value = 0; value < 100; value += 1) places.add(-7, value, value)
  expect(placesOf(places, -7)).toHaveLength(16)
})
