/** What is selected by ids and patterns. */
import { beforeAll, expect, test } from 'vitest'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Contract } from '../contract/contract.ts'
import { loadContract } from '../contract/load.ts'
import { makePlan, type Selection, sampledPlan } from './plan.ts'

let contract: Contract

const checks = [
  { id: 'kv/v1-replaces', engine: 'kv', clauses: ['KV-V1-04'], kind: 'scenario', needs: {} },
  { id: 'kv/v2-reads', engine: 'kv', clauses: ['KV-V2-01'], kind: 'scenario', needs: {} },
  { id: 'core/seal', engine: 'core', clauses: ['CORE-SEAL-01'], kind: 'scenario', needs: {} },
] as unknown as CheckDefinition[]

beforeAll(async () => {
  contract = await loadContract()
})

const plan = (selection: Selection, claimed = ['core', 'kv']) => makePlan(contract, checks, claimed, selection)
const selected = (selection: Selection) => plan(selection).checks.map(({ id }) => id)

test('several ids and patterns select what any of them names, once', () => {
  expect(selected({ checks: ['kv/v1-*', 'core/seal', '*replaces'] })).toEqual(['kv/v1-replaces', 'core/seal'])
  expect(selected({ clauses: ['KV-V2-*', 'CORE-SEAL-01'] })).toEqual(['kv/v2-reads', 'core/seal'])
  expect(selected({ clauses: ['KV-*'], checks: ['*'] })).toEqual(['kv/v1-replaces', 'kv/v2-reads'])
})

test('each of them has to name something', () => {
  expect(() => plan({ checks: ['kv/*', 'kv/v3-*'] })).toThrow(/^kv\/v3-\* matches no check; did you mean kv\/v[12]-\*\?/)
  expect(() => plan({ checks: ['kv/v1-replace'] })).toThrow('unknown check "kv/v1-replace"; did you mean kv/v1-replaces?')
  expect(() => plan({ clauses: ['KV-V1-04', 'KW-*'] })).toThrow('KW-* matches no clause; did you mean KV-*?')
  expect(() => plan({ engines: ['core'], checks: ['kv/v1-*'] })).toThrow('no check of the engines and clauses that are selected')
})

test('a pattern that names clauses of claimed engines leaves out the others, and an id does not', () => {
  expect(plan({ clauses: ['*-SEAL-*', '*-V1-04'] }, ['kv']).unclaimed).toContain('CORE-SEAL-01')
  expect(plan({ clauses: ['*-01'] }, ['kv']).unclaimed).toEqual([])
  expect(plan({ clauses: ['CORE-SEAL-01'] }, ['kv']).unclaimed).toEqual(['CORE-SEAL-01'])
})

test('what did not fit into the time of a run was not selected, and is counted', () => {
  const whole = plan({})
  const time = { ms: 60_000 }
  expect(
    sampledPlan(
      whole,
      checks,
      checks.map((check) => ({ check })),
      time,
    ),
  ).toBe(whole)
  const { checks: tried, scope, leftOut } = sampledPlan(whole, checks, [{ check: checks[1]! }], time)
  expect(tried.map(({ id }) => id)).toEqual(['kv/v2-reads'])
  expect(leftOut.map(({ id }) => id)).toEqual(['kv/v1-replaces', 'core/seal'])
  expect(scope).toMatchObject({ part: true, sample: { seconds: 60, checks: 1, of: 3 } })
  expect(sampledPlan(whole, checks, [], { failures: 2 }).scope.sample).toEqual({ failures: 2, checks: 0, of: 3 })
})
