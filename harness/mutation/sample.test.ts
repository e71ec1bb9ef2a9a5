import { describe, expect, it } from 'vitest'
import { sampleByClause, sampleByEngine, sampleOf, steadySampleOf } from './sample.ts'

const things = (engine: string, count: number) => Array.from({ length: count }, (_, at) => ({ engine, id: `${engine}-${at}` }))

describe('samples', () => {
  it('are drawn by the seed, and hold no more than there is', () => {
    const all = things('kv', 30)
    expect(sampleOf(all, 5, 7)).toEqual(sampleOf(all, 5, 7))
    expect(sampleOf(all, 100, 7)).toHaveLength(30)
    expect(new Set(Array.from({ length: 20 }, (_, seed) => sampleOf(all, 1, seed)[0]!.id)).size).toBeGreaterThan(1)
  })

  it('take as many of each engine, all of a small one, and keep the order', () => {
    const all = [...things('kv', 30), ...things('broker', 3), ...things('ssh', 40)]
    const drawn = sampleByEngine(all, 8, 1)
    expect(['kv', 'broker', 'ssh'].map((engine) => drawn.filter((one) => one.engine === engine).length)).toEqual([8, 3, 8])
    expect(drawn).toEqual(all.filter((one) => drawn.includes(one)))
  })

  it('have each clause, and so many faults of each at most', () => {
    const all = ['A', 'A', 'A', 'B', 'B', 'C'].map((clause, at) => ({ id: `${at}`, clauses: clause === 'C' ? ['C', 'A'] : [clause] }))
    const drawn = sampleByClause(all, 1, 3)
    expect(new Set(drawn.flatMap(({ clauses }) => clauses))).toEqual(new Set(['A', 'B', 'C']))
    expect(drawn.filter(({ clauses }) => clauses[0] === 'B')).toHaveLength(1)
    expect(sampleByClause(all, 10, 3)).toEqual(all)
  })

  it('reach everything over some draws', () => {
    const all = things('kv', 20)
    const seen = new Set(Array.from({ length: 60 }, (_, draw) => sampleByEngine(all, 5, draw)).flat())
    expect(seen.size).toBe(20)
  })

  it('stay as they are where a thing comes that is not in them, and where one goes', () => {
    const nameOf = ({ id }: { id: string }) => id
    const all = things('kv', 200)
    const drawn = steadySampleOf(all, nameOf, 10, 1)
    expect(drawn).toHaveLength(10)
    expect(steadySampleOf(all.toReversed(), nameOf, 10, 1)).toEqual(drawn)
    const without = all.filter((one) => one !== drawn[3])
    expect(steadySampleOf(without, nameOf, 9, 1)).toEqual(drawn.filter((one) => one !== drawn[3]))
    expect(steadySampleOf(all, nameOf, 10, 2)).not.toEqual(drawn)
  })
})
