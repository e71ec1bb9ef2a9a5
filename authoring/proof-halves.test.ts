import { expect, test } from 'vitest'
import { halvesOf, missingFrom } from './proof-halves.ts'

const engines = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
const faults = engines.map(({ id }) => ({ engine: id }))
const checks = Object.entries({ a: 1, b: 5, c: 4, d: 3 }).flatMap(([engine, count]) =>
  Array.from({ length: count }, (_, at) => ({ id: `${engine}/check-${at}`, engine })),
)
const operations = [{ id: 'd.read', engine: 'd' }]

test('every engine is in one half, and the longer half is as short as can be', () => {
  expect(halvesOf(engines, faults, checks, operations)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
})

test('what an engine checks on the operations of another counts where both are in one half', () => {
  const swept = Array.from({ length: 20 }, (_, at) => ({ id: `c/sweep-${at}/d.read`, engine: 'c' }))
  const halves = halvesOf(engines, faults, [...checks, ...swept], operations)
  expect(halves.some((half) => half.includes('c') && half.includes('d'))).toBe(false)
})

test('an engine without a fault, or without a kill, is named', () => {
  expect(() => halvesOf([...engines, { id: 'e' }], faults, checks, operations)).toThrow('engines without a fault: e')
  expect(missingFrom(engines, [{ engine: 'a' }, { engine: 'c' }])).toEqual(['b', 'd'])
})
