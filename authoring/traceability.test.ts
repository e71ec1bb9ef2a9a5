import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadContract } from '../harness/contract/load.ts'
import { packageRoot } from '../harness/contract/package-root.ts'
import { TRACEABILITY, traceability } from './traceability.ts'

test('the table in docs/ is what the project is: run `npm run trace` where it is stale', async () => {
  const made = await traceability(await loadContract())
  expect(made.split('\n')).toEqual(readFileSync(join(packageRoot, TRACEABILITY), 'utf8').split('\n'))
})

test('every clause has its checks or the reason why it has none', async () => {
  const contract = await loadContract()
  const rows = (await traceability(contract)).split('\n').filter((line) => /^\| [A-Z]/.test(line))
  expect(rows).toHaveLength(contract.clauses.size)
  expect(rows.filter((row) => / \| {2}\| {2}\| {2}\|$/.test(row))).toEqual([])
})
