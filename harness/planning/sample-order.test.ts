/** In which order a run of limited time tries its checks. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RunnableCheck } from '../checks/vocabulary.ts'
import { sampled } from './sample-order.ts'

interface Imagined {
  clauses: string[]
  cost: number
  kind?: string
}

const named = (all: Imagined[]) => all.map((one, at) => ({ id: `kv/${at}`, kind: 'scenario', ...one }) as unknown as RunnableCheck)
const costOf = (check: RunnableCheck): number => (check as unknown as Imagined).cost
const ids = (checks: readonly RunnableCheck[]) => checks.map(({ id }) => id)

const checks = fc.array(
  fc.record({
    clauses: fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'D', 'E'), { minLength: 1 }),
    cost: fc.integer({ min: 1, max: 100_000 }),
  }),
  { maxLength: 30 },
)

test('the first of them decide every clause, each of them one that no earlier one does, and nothing is lost', () => {
  fc.assert(
    fc.property(checks, fc.nat(), (imagined, seed) => {
      const all = named(imagined)
      const { first, rest } = sampled(all, costOf, seed)
      expect(ids([...first, ...rest]).sort()).toEqual(ids(all).sort())
      const open = new Set(all.flatMap(({ clauses }) => clauses))
      for (const { clauses } of first) {
        expect(clauses.some((clause) => open.has(clause))).toBe(true)
        for (const clause of clauses) open.delete(clause)
      }
      expect([...open]).toEqual([])
    }),
  )
})

test('what decides much in little time comes first', () => {
  const all = named([
    { clauses: ['A'], cost: 1000 },
    { clauses: ['A', 'B'], cost: 500 },
    { clauses: ['C'], cost: 90_000 },
    { clauses: ['C', 'D'], cost: 9000 },
  ])
  for (const seed of [1, 2, 3]) expect(ids(sampled(all, costOf, seed).first)).toEqual(['kv/1', 'kv/3'])
})

test('the same seed draws the same, and seeds draw each of those that decide the same', () => {
  const all = named([
    { clauses: ['A'], cost: 1000 },
    { clauses: ['A'], cost: 1000 },
  ])
  const first = (seed: number) => ids(sampled(all, costOf, seed).first)[0]
  expect(first(7)).toBe(first(7))
  expect(new Set(Array.from({ length: 40 }, (_, seed) => first(seed)))).toEqual(new Set(['kv/0', 'kv/1']))
})

test('a check that draws its cases is chosen only for what no other one decides', () => {
  const all = named([
    { clauses: ['A', 'B', 'C'], cost: 1, kind: 'property' },
    { clauses: ['A'], cost: 1000 },
    { clauses: ['B'], cost: 1000 },
  ])
  expect(ids(sampled(all, costOf, 1).first).sort()).toEqual(['kv/0', 'kv/1', 'kv/2'])
  expect(ids(sampled(all, costOf, 1, ['A', 'B']).first).sort()).toEqual(['kv/1', 'kv/2'])
})
