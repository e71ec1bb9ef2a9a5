import { expect, it } from 'vitest'
import { batchesOf } from './instance.ts'
import { inGoodOrder } from './proof.ts'

it('what lets time pass begins first, the longest before all, with something else beside it', () => {
  const times: Record<string, { ms: number; isRest: boolean }> = {
    quick: { ms: 1, isRest: false },
    long: { ms: 50, isRest: false },
    rest: { ms: 10, isRest: true },
    longRest: { ms: 20, isRest: true },
    middle: { ms: 5, isRest: false },
  }
  expect(inGoodOrder(Object.keys(times), (name) => times[name]!)).toEqual(['longRest', 'long', 'rest', 'middle', 'quick'])
})

it('one check at a time keeps the machine busy, and beside it run some that let time pass', () => {
  const isResting = (check: string): boolean => check.startsWith('rest')
  expect(batchesOf(['a', 'b', 'rest1', 'rest2', 'c'], isResting)).toEqual([['a'], ['b', 'rest1', 'rest2'], ['c']])
  expect(batchesOf([], isResting)).toEqual([])
  const many = Array.from({ length: 8 }, (_, index) => `rest${index}`)
  expect(batchesOf(many, isResting).map(({ length }) => length)).toEqual([6, 2])
})
