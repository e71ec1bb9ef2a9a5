import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Results } from '../../specs/meta/results.ts'
import { type Imagined, imagine, type Seen } from '../outcomes/testing/imagined.ts'
import { contradictionsIn } from './contradictions.ts'

const SEEN: Seen[] = ['verified', 'unstable', 'violated', 'observed', 'blocked', 'errored', 'notExercised', 'notClaimed', 'excluded']
const clauses = fc.array(
  fc.record({ seen: fc.constantFrom(...SEEN), level: fc.constantFrom('required' as const, 'advised' as const, 'open' as const) }),
  { minLength: 1, maxLength: 5 },
)
const table: fc.Arbitrary<Imagined> = fc.record({
  engines: fc.record({ kv: clauses, ssh: clauses }),
  narrowedWithin: fc.boolean(),
  failOn: fc.subarray(['advised' as const, 'unstable' as const]),
  deviations: fc.subarray(['KV-C-01', 'SSH-C-02']).map((ids) => ids.map((clause) => ({ clause, reason: 'known', owner: 'us' }))),
})

test('whatever a run saw, its results contradict themselves nowhere', () => {
  fc.assert(
    fc.property(table, (one) => {
      expect(contradictionsIn(imagine(one))).toEqual([])
    }),
    { numRuns: 300 },
  )
})

const results = (): Results => imagine({ engines: { kv: [{ seen: 'verified' }, { seen: 'violated' }, { seen: 'blocked' }] } })

test.each<[string, (results: Results) => void, RegExp]>([
  ['another verdict', (one) => Object.assign(one, { verdict: 'conformant' }), /verdict says conformant, and the engines say nonConformant/],
  ['another gate', (one) => Object.assign(one, { gate: 'passed' }), /gate says passed/],
  ['reasons taken away', (one) => Object.assign(one, { gateReasons: [] }), /the gate leaves out a reason: violated KV-C-02/],
  [
    'another outcome',
    (one) => Object.assign(one.clauses[1]!, { outcome: 'verified' }),
    /KV-C-02 says verified, and its checks say violated/,
  ],
  ['another count', (one) => Object.assign(one.engines[0]!.clauses, { verified: 3 }), /counts 3 verified, and there are 1/],
  ['another decision', (one) => Object.assign(one.checks[1]!.decisions[0]!, { outcome: 'verified' }), /KV-C-02 says violated/],
  ['a clause twice', (one) => one.clauses.push(one.clauses[0]!), /clause KV-C-01 stands there twice/],
])('finds %s', (_, change, says) => {
  const one = structuredClone(results())
  change(one)
  expect(contradictionsIn(one).join('\n')).toMatch(says)
})
