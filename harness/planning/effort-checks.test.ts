/** Lower efforts leave out checks, and no required clause. */
import { expect, test } from 'vitest'
import { DRAWN } from '../checks/check.ts'
import type { CheckDefinition, RunnableCheck } from '../checks/vocabulary.ts'
import { loadContract } from '../contract/load.ts'
import type { Effort } from '../target/configured-names.ts'
import { catalogue } from './catalogue.ts'
import { checksOfEffort, forUndecided } from './effort-checks.ts'
import { effortFile, effortLevels, measuredShare, namedIn } from './effort-levels.ts'

const clausesOf = (checks: readonly CheckDefinition[]): string[] => [...new Set(checks.flatMap(({ clauses }) => clauses))].sort()
const named = (id: string, ...clauses: string[]) => ({ id, clauses }) as RunnableCheck
const ran = (check: RunnableCheck, decided: string[], outcome = 'verified') => ({
  check,
  decisions: decided.map((clause) => ({ clause, outcome })),
})
const isRequired = (clause: string): boolean => clause === 'A'

test('quick effort decides each required clause that some check decides, standard effort each clause, thorough tries all', async () => {
  const contract = await loadContract()
  const all = await catalogue(contract, [...contract.engines.keys()])
  const certain = all.filter(({ kind }) => !DRAWN.includes(kind))
  const isDecided = (clause: string): boolean => contract.clauses.get(clause)!.level === 'required'
  const of = (effort: Effort) => checksOfEffort(all, effort, () => false)
  const [quick, standard, thorough] = [of('quick'), of('standard'), of('thorough')]
  expect(clausesOf(quick.tried).filter(isDecided)).toEqual(clausesOf(all).filter(isDecided))
  expect(clausesOf(standard.tried)).toEqual(clausesOf(all))
  expect(thorough.others).toEqual([])
  // What draws its cases may not come to a clause: where others decide it too, one of these is tried.
  expect(clausesOf(quick.tried.filter(({ kind }) => !DRAWN.includes(kind))).filter(isDecided)).toEqual(clausesOf(certain).filter(isDecided))
  for (const { tried, others } of [quick, standard]) expect(tried.length + others.length).toBe(all.length)
  expect(quick.tried.filter((check) => !standard.tried.includes(check))).toEqual([])
})

test('quick effort decides each required clause of a selection too', async () => {
  const contract = await loadContract()
  const isDecided = (clause: string): boolean => contract.clauses.get(clause)!.level === 'required'
  const engines = [...contract.engines.keys()]
  for (const selected of [...engines.map((engine) => [engine]), ['core', 'kv']]) {
    const checks = (await catalogue(contract, engines)).filter(({ engine }) => selected.includes(engine))
    const { tried, others } = checksOfEffort(checks, 'quick', isDecided)
    expect(clausesOf(tried).filter(isDecided), selected.join()).toEqual(clausesOf(checks).filter(isDecided))
    expect(new Set([...tried, ...others]).size).toBe(checks.length)
  }
})

test('the data names checks that are there, and a check without data counts as standard', async () => {
  const contract = await loadContract()
  const ids = new Set((await catalogue(contract, [...contract.engines.keys()])).map(({ id }) => id))
  expect([...namedIn(effortFile()).keys()].filter((id) => !ids.has(id))).toEqual([])
  expect(effortLevels()({ id: 'kv/of-no-file' })).toBe('standard')
})

test('what a level finds is said in whole percent, with the day', () => {
  expect(measuredShare('quick')).toMatch(
    /^quick effort finds at least \d+ % of \d+ seeded faults; thorough finds \d+ % \(measured \d{4}-\d\d-\d\d\)$/,
  )
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
