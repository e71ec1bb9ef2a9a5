import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lintSpecs } from '../harness/contract/lint.ts'
import { loadContract } from '../harness/contract/load.ts'
import { packageRoot } from '../harness/contract/root.ts'
import { readSources } from '../harness/contract/sources.ts'
import { catalogue } from '../harness/run/catalogue.ts'
import { loadDialect } from '../harness/target/dialect.ts'

test('the specs are sound, and every required clause is decided or says why not', async () => {
  const contract = await loadContract()
  const checks = await catalogue(contract, [...contract.engines.keys()])
  const findings = lintSpecs({
    contract,
    sources: readSources(join(packageRoot, 'specs')),
    decided: new Set(checks.flatMap(({ clauses }) => clauses)),
    mountTypes: Object.keys(loadDialect('native').mountTypes ?? {}),
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

test('both dialects spell every mount type of the contract', async () => {
  const contract = await loadContract()
  const types = new Set([...contract.operations.values()].flatMap(({ mount }) => mount ?? []))
  for (const name of ['native', 'vault'])
    expect(Object.keys(loadDialect(name).mountTypes ?? {})).toEqual(expect.arrayContaining([...types]))
})
