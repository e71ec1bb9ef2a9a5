import PQueue from 'p-queue'
import { expect, it } from 'vitest'
import { batchesOf } from './instance.ts'
import { inGoodOrder, inTurn, spread } from './proof.ts'

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

it('a fault waits until what shares its hosts has ended, others go on meanwhile, and the order of the rest stays', async () => {
  const queue = new PQueue({ concurrency: 1 })
  const tried: string[] = []
  let variantsEnd = (): void => undefined
  const variants = new Promise<void>((resolve) => {
    variantsEnd = resolve
  })
  const records = inTurn(['shared1', 'shared2', 'free1', 'free2'], {
    queueOf: () => queue,
    ready: async (fault) => {
      if (fault.startsWith('shared')) await variants
    },
    attempt: async (fault) => {
      tried.push(fault)
      return fault.toUpperCase()
    },
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(tried).toEqual(['free1', 'free2'])
  variantsEnd()
  expect(await records).toEqual(['SHARED1', 'SHARED2', 'FREE1', 'FREE2'])
  expect(tried).toEqual(['free1', 'free2', 'shared1', 'shared2'])
})

it('some of a list are taken from all over it', () => {
  expect(spread(['a', 'b', 'c', 'd', 'e', 'f'], 3)).toEqual(['a', 'c', 'e'])
  expect(spread(['a', 'b'], 3)).toEqual(['a', 'b'])
  expect(spread([], 3)).toEqual([])
})
