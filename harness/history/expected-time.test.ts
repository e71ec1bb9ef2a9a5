/** The file of what takes long names existing checks. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadContract } from '../contract/load.ts'
import { packageRoot } from '../contract/package-root.ts'
import { catalogue } from '../planning/catalogue.ts'
import { entryOf, expectedTime, LONG, LONG_CHECKS } from './expected-time.ts'

test('each entry is a check, or a sweep, that is still there', async () => {
  const contract = await loadContract()
  const all = await catalogue(contract, [...contract.engines.keys()])
  const entries = new Set(all.map(({ id }) => entryOf(id)))
  const long = parse(readFileSync(join(packageRoot, LONG_CHECKS), 'utf8')) as Record<string, number>
  expect(Object.keys(long).filter((entry) => !entries.has(entry))).toEqual([])
  expect(Object.values(long).every((seconds) => seconds >= LONG)).toBe(true)
})

test('what a target was seen to take counts before the file, and the file before what takes little', () => {
  const long = parse(readFileSync(join(packageRoot, LONG_CHECKS), 'utf8')) as Record<string, number>
  const sweep = Object.keys(long).find((entry) => entry.endsWith('/*'))!
  const costOf = expectedTime(new Map([['kv/seen', 4711]]))
  expect(costOf({ id: 'kv/seen' })).toBe(4711)
  expect(costOf({ id: sweep.replace('*', 'kv1.read') })).toBe(long[sweep]! * 1000)
  expect(costOf({ id: 'kv/of-no-file' })).toBeLessThan(LONG * 1000)
})
