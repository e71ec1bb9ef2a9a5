import fc from 'fast-check'
import { expect, test } from 'vitest'
import { partFor } from './shards.ts'

const checks = Array.from({ length: 40 }, (_, at) => ({ id: `kv/check-${String(at).padStart(2, '0')}` }))

test('every check is in one shard and no other, whatever is known of durations', () => {
  const known = fc.dictionary(fc.constantFrom(...checks.map(({ id }) => id)), fc.nat(60_000))
  fc.assert(
    fc.property(known, fc.integer({ min: 1, max: 9 }), (durations, of) => {
      const parts = Array.from({ length: of }, (_, at) => partFor(checks, { index: at + 1, of }, new Map(Object.entries(durations))))
      expect(
        parts
          .flat()
          .map(({ id }) => id)
          .sort(),
      ).toEqual(checks.map(({ id }) => id))
    }),
  )
})

test('shards take about as long as one another where durations are known', () => {
  const durations = new Map(checks.map(({ id }, at) => [id, at < 4 ? 10_000 : 100]))
  const loads = [1, 2, 3, 4].map((index) =>
    partFor(checks, { index, of: 4 }, durations).reduce((sum, { id }) => sum + durations.get(id)!, 0),
  )
  expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(100)
})
