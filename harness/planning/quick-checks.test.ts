/** Quick effort leaves out checks, and no clause. */
import { expect, test } from 'vitest'
import { isRunnable } from '../checks/check.ts'
import type { CheckDefinition, RunnableCheck } from '../checks/vocabulary.ts'
import { loadContract } from '../contract/load.ts'
import { catalogue } from './catalogue.ts'
import { forUndecided, quickChecks } from './quick-checks.ts'

const clausesOf = (checks: readonly CheckDefinition[]): string[] => [...new Set(checks.flatMap(({ clauses }) => clauses))].sort()
const named = (id: string, ...clauses: string[]) => ({ id, clauses }) as RunnableCheck
const ran = (check: RunnableCheck, decided: string[], outcome = 'verified') => ({
  check,
  decisions: decided.map((clause) => ({ clause, outcome })),
})
const isRequired = (clause: string): boolean => clause === 'A'

test('every clause that some check decides is decided by one that is tried, with any seed', async () => {
  const contract = await loadContract()
  const all = await catalogue(contract, [...contract.engines.keys()])
  for (const seed of [1, 2]) {
    const { tried, others } = quickChecks(all, seed)
    expect(clausesOf(tried)).toEqual(clausesOf(all))
    expect(tried.length + others.length).toBe(all.length)
    expect(tried.filter(isRunnable).length).toBeLessThan(all.filter(isRunnable).length / 2)
  }
})

test('a clause that its check left undecided is given to another one, and what is decided to none', () => {
  const [first, second, third] = [named('kv/a', 'A', 'B'), named('kv/b', 'B'), named('kv/c', 'A')]
  const checks = [second, third]
  const further = (runs: ReturnType<typeof ran>[], clauses: string[] = []) => forUndecided(runs, { checks, clauses }, 1, isRequired)
  expect(further([ran(first, ['A'])])).toEqual([second])
  expect(further([ran(first, ['A', 'B'])])).toEqual([])
  expect(further([], ['A'])).toEqual([third])
  expect(further([ran(first, ['A', 'B'], 'observed')])).toEqual([third])
})
