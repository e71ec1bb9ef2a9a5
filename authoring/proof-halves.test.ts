import { expect, test } from 'vitest'
import { halvesOf, missingFrom } from './proof-halves.ts'

const engines = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
const faults = Object.entries({ a: 1, b: 5, c: 4, d: 3 }).flatMap(([engine, count]) => Array.from({ length: count }, () => ({ engine })))

test('every engine is in one half, and the halves have about as many faults', () => {
  expect(halvesOf(engines, faults)).toEqual([
    ['b', 'a'],
    ['c', 'd'],
  ])
})

test('an engine without a fault, or without a kill, is named', () => {
  expect(() => halvesOf([...engines, { id: 'e' }], faults)).toThrow('engines without a fault: e')
  expect(missingFrom(engines, [{ engine: 'a' }, { engine: 'c' }])).toEqual(['b', 'd'])
})
