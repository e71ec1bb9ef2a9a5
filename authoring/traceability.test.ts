import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadContract } from '../harness/contract/load.ts'
import { packageRoot } from '../harness/contract/package-root.ts'
import { clauseChanges } from './clause-changes.ts'
import { madePages } from './made-pages.ts'
import { traceability } from './traceability.ts'

test('the pages in docs/ are what the project is: run `npm run trace` where one is stale', async () => {
  for (const [path, made] of Object.entries(await madePages(await loadContract())))
    expect(made.split('\n'), path).toEqual(readFileSync(join(packageRoot, path), 'utf8').split('\n'))
})

test('changed clauses are those of another level, and split, new and retired ones', async () => {
  const contract = await loadContract()
  const [first, second, third] = [...contract.clauses.values()].filter(({ level }) => level === 'required')
  const clauses = new Map([
    [first!.id, first!],
    [second!.id, { ...second!, level: 'advised' as const, splitFrom: first!.id }],
    [third!.id, third!],
  ])
  const page = clauseChanges(
    { ...contract, clauses },
    {
      asOf: '2026-01-01',
      levels: new Map([
        [first!.id, 'open'],
        ['OLD-01', 'required'],
      ]),
    },
  )
  expect(page).toContain(`| ${first!.id} | open | required |`)
  expect(page).toContain(`| ${first!.id} | ${second!.id} | advised |`)
  expect(page).toContain(`| ${third!.id} | required |`)
  expect(page).toContain('| OLD-01 | required |')
})

test('every clause has its checks or the reason why it has none', async () => {
  const contract = await loadContract()
  const rows = (await traceability(contract)).split('\n').filter((line) => /^\| [A-Z]/.test(line))
  expect(rows).toHaveLength(contract.clauses.size)
  expect(rows.every((row) => /^\d*$/.test(row.split(' | ')[3]!))).toBe(true)
  expect(rows.filter((row) => / \| {2}\| {2}\| {2}\|$/.test(row))).toEqual([])
})
