import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import type { Found, Selected } from '../mutation/proof.ts'
import type { LegalVariant, SeededFault } from '../mutation/server-under-test.ts'
import { joined, processesFor } from './prove-pool.ts'

const fault = (id: string): SeededFault => ({ id, engine: 'kv', title: id, clauses: ['KV-V1-01'], type: 'kv1', mutation: {} })
const variant = (id: string, rule: string): LegalVariant =>
  ({ id, engine: 'kv', title: id, type: 'kv1', mutation: { rules: { [rule]: () => undefined } } }) as unknown as LegalVariant

const selected: Selected = {
  engines: ['kv'],
  faults: ['a', 'b', 'c', 'd', 'e'].map(fault),
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

describe('the processes of a proof', () => {
  it('find together what one would have found, in the order of the selection, everything else once', () => {
    const wire = (killed: boolean) => [{ id: 'kv1.read 200', operation: 'kv1.read', killed, clauses: [] }]
    const whole = joined(selected, [
      found(
        { ...selected, faults: selected.faults.slice(3), variants: selected.variants.slice(1) },
        { wire: wire(true), falsePositives: ['x'], decided: ['KV-V1-01', 'KV-V1-02'] },
      ),
      found(
        { ...selected, faults: selected.faults.slice(0, 3), variants: selected.variants.slice(0, 1) },
        { wire: wire(false), falsePositives: ['x'], decided: ['KV-V1-01'] },
      ),
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
