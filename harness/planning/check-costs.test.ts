/** The file of what checks cost names existing checks, and nearly all of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { isRunnable } from '../checks/check.ts'
import { loadContract } from '../contract/load.ts'
import { packageRoot } from '../contract/package-root.ts'
import { catalogue } from './catalogue.ts'
import { CHECK_COSTS, checkCosts, entryOf, expectedTime, LONG } from './check-costs.ts'

const file = parse(readFileSync(join(packageRoot, CHECK_COSTS), 'utf8')) as Record<string, [number, number]>
/** So many new checks may be without an entry before the file is written again. */
const MAY_LACK = 20

test('each entry is a check, or a sweep, that is still there, and few checks are without one', async () => {
  const contract = await loadContract()
  const all = (await catalogue(contract, [...contract.engines.keys()])).filter(isRunnable)
  const entries = new Set(all.map(({ id }) => entryOf(id)))
  expect(Object.keys(file).filter((entry) => !entries.has(entry))).toEqual([])
  expect([...entries].filter((entry) => file[entry] === undefined).length).toBeLessThanOrEqual(MAY_LACK)
  expect(Object.values(file).every(([requests, seconds]) => requests >= 1 && (seconds === 0 || seconds >= LONG))).toBe(true)
})

test('what a target was seen to take counts before the file, and the file before what takes little', () => {
  const [sweep, [, seconds]] = Object.entries(file).find(([entry, [, long]]) => entry.endsWith('/*') && long > 0)!
  const costOf = expectedTime(new Map([['kv/seen', 4711]]))
  expect(costOf({ id: 'kv/seen' })).toBe(4711)
  expect(costOf({ id: sweep.replace('*', 'kv1.read') })).toBe(seconds * 1000)
  expect(costOf({ id: 'kv/of-no-file' })).toBeLessThan(LONG * 1000)
})

test('a check without an entry costs what an ordinary one does', () => {
  expect(checkCosts()({ id: 'kv/of-no-file' })).toEqual({ requests: 10, seconds: 0 })
})
