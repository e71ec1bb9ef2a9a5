/** No tolerated violation hides an independent one: of two faults, one of which a known deviation covers, the other fails the gate. */
import { beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../harness/checks/seeded-random.ts'
import type { CheckDefinition } from '../harness/checks/vocabulary.ts'
import type { Contract } from '../harness/contract/contract.ts'
import { loadContract } from '../harness/contract/load.ts'
import { catalogue } from '../harness/planning/catalogue.ts'
import { allFaults } from '../reference/faults/index.ts'
import type { Results } from '../specs/meta/results.ts'
import { checksFor, combined, type Fault, recorded, tolerating, violatedIn } from './support/recorded-faults.ts'

const ENGINES = ['kv', 'transform', 'policy-checks', 'agent-tokens', 'ssh']
/** Faults of each engine, from all over it. */
const OF_EACH = 7
const PAIRS = 300
const PLANTED = 6

interface Recorded {
  fault: Fault
  checks: CheckDefinition[]
  results: Results
  violated: string[]
}

let contract: Contract
const found: Recorded[] = []

beforeAll(async () => {
  contract = await loadContract()
  for (const engine of ENGINES) {
    const all = await catalogue(contract, [engine])
    const able = allFaults.filter((fault) => fault.engine === engine && fault.clauses.length === 1 && checksFor(all, fault).length > 0)
    const step = Math.max(1, Math.floor(able.length / OF_EACH))
    for (const fault of able.filter((_, at) => at % step === 0).slice(0, OF_EACH)) {
      const checks = checksFor(all, fault)
      const results = await recorded(contract, [fault], checks)
      const violated = violatedIn(results)
      if (violated.length > 0) found.push({ fault, checks, results, violated })
    }
  }
}, 600_000)

/** Pairs of faults that break no clause in common, of which one states nothing that the other rests on. */
const pairsOf = (count: number): [tolerated: Recorded, other: Recorded][] => {
  const random = seededRandom(40, 'pairs of faults')
  const rests = (one: Recorded, other: Recorded) =>
    one.violated.some((clause) => (contract.clauses.get(clause)?.restsOn ?? []).some((cause) => other.violated.includes(cause)))
  const all = found.flatMap((left) =>
    found
      .filter((right) => !right.violated.some((clause) => left.violated.includes(clause)) && !rests(left, right) && !rests(right, left))
      .map((right): [Recorded, Recorded] => [left, right]),
  )
  return Array.from({ length: count }, () => random.pick(all))
}

/** The violations that fail the gate, or why it passes. */
const failing = ({ gate, gateReasons }: Results): string[] => [
  gate,
  ...gateReasons.flatMap(({ kind, subject = '' }) => (kind === 'violated' ? [subject] : [])).sort(),
]

test(`${PAIRS} pairs of recorded faults`, () => {
  expect(found.length, 'faults that were found').toBeGreaterThan(25)
  for (const [tolerated, other] of pairsOf(PAIRS)) {
    const judged = tolerating(contract, combined(tolerated.results, other.results), tolerated.violated)
    const alone = failing(tolerating(contract, other.results, []))
    expect(alone.length, `what ${other.fault.id} fails by itself`).toBeGreaterThan(1)
    expect(failing(judged), `${other.fault.id}, beside the tolerated ${tolerated.fault.id}`).toEqual(alone)
  }
})

test(`${PLANTED} pairs planted together`, { timeout: 300_000 }, async () => {
  for (const [tolerated, other] of pairsOf(PLANTED)) {
    const checks = [...new Map([...tolerated.checks, ...other.checks].map((check) => [check.id, check])).values()]
    const judged = tolerating(contract, await recorded(contract, [tolerated.fault, other.fault], checks), tolerated.violated)
    expect(failing(judged)[0], `${other.fault.id}, beside the tolerated ${tolerated.fault.id}`).toBe('failed')
    expect(
      failing(judged).some((clause) => other.violated.includes(clause)),
      failing(judged).join(' '),
    ).toBe(true)
  }
})
