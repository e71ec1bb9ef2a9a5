import { describe, expect, it } from 'vitest'
import { learnedTogether } from './clean-run.ts'
import type { Learned } from './team.ts'

const learned = (more: Partial<Learned> = {}): Learned => ({
  durations: [],
  resting: [],
  reaching: [],
  falsePositives: [],
  refused: [],
  served: [],
  ...more,
})

describe('a clean run that several processes share', () => {
  it('teaches what each of them has seen', () => {
    const { durations, resting, reaching, falsePositives } = learnedTogether([
      learned({ durations: [['a', 1]], resting: ['a'], reaching: [['C-01', ['a']]], falsePositives: ['x'] }),
      learned({
        durations: [['b', 2]],
        reaching: [
          ['C-01', ['b']],
          ['C-02', ['b']],
        ],
        falsePositives: ['x', 'y'],
      }),
    ])
    expect([...durations]).toEqual([
      ['a', 1],
      ['b', 2],
    ])
    expect([...resting]).toEqual(['a'])
    expect([...(reaching.get('C-01') ?? [])]).toEqual(['a', 'b'])
    expect([...(reaching.get('C-02') ?? [])]).toEqual(['b'])
    expect(falsePositives).toEqual(['x', 'y'])
  })

  it('holds it against no operation that it refused one of them what it did for another', () => {
    const refused: Learned['refused'] = [
      ['kv1.read', 'KV-V1-01: kv1.read refused every request'],
      ['kv1.write', 'KV-V1-02: kv1.write refused every request'],
    ]
    const { falsePositives } = learnedTogether([learned({ refused }), learned({ served: ['kv1.read'] })])
    expect(falsePositives).toEqual(['KV-V1-02: kv1.write refused every request'])
  })
})
