import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import type { Found, Selected } from '../mutation/proof.ts'
import type { LegalVariant, SeededFault } from '../mutation/server-under-test.ts'
import { joined, partOf, processesFor } from './prove-shards.ts'

const fault = (id: string): SeededFault => ({ id, engine: 'kv', title: id, clauses: ['KV-V1-01'], type: 'kv1', mutation: {} })
const variant = (id: string, rule: string): LegalVariant =>
  ({ id, engine: 'kv', title: id, type: 'kv1', mutation: { rules: { [rule]: () => undefined } } }) as unknown as LegalVariant

const selected: Selected = {
  engines: ['kv'],
  faults: ['a', 'b', 'c', 'd', 'e'].map(fault),
  // The first two change the same rule, and are tried apart.
  variants: [variant('one', 'same'), variant('two', 'same'), variant('three', 'other')],
}

const found = (of: Selected, more: Partial<Found> = {}): Found => ({
  kills: of.faults.map(({ id }) => ({ fault: id, engine: 'kv', title: id, clauses: [], state: 'killed', killedBy: [] })),
  variants: of.variants.map(({ id }) => ({ variant: id, engine: 'kv', title: id, state: 'passed', falsePositives: [] })),
  wire: [],
  transport: [],
  falsePositives: [],
  decided: [],
  ...more,
})

describe('the parts of a proof', () => {
  const parts = [1, 2].map((index) => partOf(selected, index, 2))

  it('have every fault and every variant once', () => {
    const names = (of: 'faults' | 'variants') => parts.flatMap((part) => part[of].map(({ id }) => id)).sort()
    expect(names('faults')).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(names('variants')).toEqual(['one', 'three', 'two'])
  })

  it('keep together what is tried in one server', () => {
    expect(parts.map((part) => part.variants.map(({ id }) => id))).toEqual([['one', 'three'], ['two']])
  })

  it('come together in the order of the selection, everything else once', () => {
    const wire = (killed: boolean) => [{ id: 'kv1.read 200', operation: 'kv1.read', killed, clauses: [] }]
    const whole = joined(selected, [
      found(parts[1]!, { wire: wire(true), falsePositives: ['x'], decided: ['KV-V1-01', 'KV-V1-02'] }),
      found(parts[0]!, { wire: wire(false), falsePositives: ['x'], decided: ['KV-V1-01'] }),
    ])
    expect(whole.kills.map((kill) => kill.fault)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(whole.variants.map((one) => one.variant)).toEqual(['one', 'two', 'three'])
    expect(whole.wire).toEqual(wire(true))
    expect(whole).toMatchObject({ falsePositives: ['x'], decided: ['KV-V1-01', 'KV-V1-02'] })
  })

  it('are as many as the processors, where there is enough to try', () => {
    expect(processesFor(10)).toBe(1)
    expect(processesFor(100_000)).toBe(availableParallelism())
  })
})
