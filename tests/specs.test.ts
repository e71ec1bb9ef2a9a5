import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lintSpecs } from '../harness/contract/lint.ts'
import { aloneFindings } from '../harness/contract/lint-texts.ts'
import { loadContract } from '../harness/contract/load.ts'
import { packageRoot } from '../harness/contract/package-root.ts'
import { readSources } from '../harness/contract/sources.ts'
import { catalogue } from '../harness/planning/catalogue.ts'
import { knownDialects, loadDialect } from '../harness/target/dialect.ts'
import { allEngines } from '../reference/engines/index.ts'

test('the specs are sound, and every required clause is decided or says why not', async () => {
  const contract = await loadContract()
  const checks = await catalogue(contract, [...contract.engines.keys()])
  const findings = lintSpecs({
    contract,
    sources: readSources(join(packageRoot, 'specs')),
    decided: new Set(checks.flatMap(({ clauses }) => clauses)),
    mountTypes: allEngines.map(({ type }) => type),
  })
  expect(findings.map(({ rule, where, message }) => `${rule} ${where}: ${message}`)).toEqual([])
})

test('every check names clauses of the contract', async () => {
  const contract = await loadContract()
  const checks = await catalogue(contract, [...contract.engines.keys()])
  const unknown = checks.flatMap(({ id, clauses }) =>
    clauses.filter((clause) => !contract.clauses.has(clause)).map((clause) => `${id}: ${clause}`),
  )
  expect(unknown).toEqual([])
})

test('titles of checks are read alone, beside their ids', async () => {
  const contract = await loadContract()
  const checks = await catalogue(contract, [...contract.engines.keys()])
  const findings = aloneFindings(checks.map(({ id, title }) => ({ where: id, text: title })))
  expect(findings.map(({ rule, where, message }) => `${rule} ${where}: ${message}`)).toEqual([])
})

test.each(knownDialects())('the dialect %s names only existing mount types', (name) => {
  const types = allEngines.map(({ type }) => type)
  expect(types).toEqual(expect.arrayContaining(Object.keys(loadDialect(name).mountTypes ?? {})))
})
