import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nightsOf, readResults, renderHistoryPage } from '../../reports/index.ts'
import { temporaryFolder } from '../../tests/support/cli.ts'
import { keptWith } from '../cli/kept-runs.ts'
import { imagine, type Seen } from '../outcomes/testing/imagined.ts'
import { keepResults, keptIn } from './history-folder.ts'

const night = (day: number, seen: Seen, server: string) => {
  const results = imagine({ engines: { kv: [{ seen: 'verified' }, { seen }] } })
  return { ...results, startedAt: `2026-11-${String(day).padStart(2, '0')}T02:00:00.000Z`, environment: { ...results.environment, server } }
}

test('keeps so many runs, the latest, without evidence, readable as results', async () => {
  const folder = join(temporaryFolder(), 'deep')
  for (let day = 1; day <= 6; day += 1) keepResults(folder, night(day, 'verified', 'S 1'), 4)
  const files = keptIn(folder)
  expect(files.map((file) => /2026\d{4}/.exec(file)![0])).toEqual(['20261103', '20261104', '20261105', '20261106'])
  expect((await readResults(files[0]!)).checks.every(({ evidence }) => evidence.length === 0)).toBe(true)
})

test('says since when a clause fails and what came with it', () => {
  const kept = [night(1, 'verified', 'S 1'), night(2, 'violated', 'S 2'), night(3, 'violated', 'S 2')]
  const { clauses, nights } = nightsOf('imagined', [...kept].reverse())
  expect(nights.map(({ startedAt }) => startedAt.slice(8, 10))).toEqual(['01', '02', '03'])
  expect(clauses).toMatchObject([
    { clause: { id: 'KV-C-02' }, since: { runs: 2, night: { startedAt: kept[1]!.startedAt }, came: 'server S 1 became S 2' } },
  ])
  const mended = nightsOf('imagined', [...kept, night(4, 'verified', 'S 3')])
  expect(mended.clauses).toMatchObject([{ outcomes: ['verified', 'violated', 'violated', 'verified'] }])
  expect(mended.clauses[0]!.since).toBeUndefined()
  expect(renderHistoryPage(nightsOf('imagined', kept))).toContain('server S 1 became S 2')
})

test('passes over a file that a cache has cut short, and over another target', async () => {
  const history = temporaryFolder()
  keepResults(history, { ...night(1, 'verified', 'S'), target: { name: 'another', apis: [], probed: false, notes: [] } }, 9)
  writeFileSync(join(history, '20261102T020000Z-0123456789ab.json.gz'), 'cut')
  const nights = await keptWith(night(3, 'violated', 'S'), { history, keep: 9 })
  expect(nights!.nights).toHaveLength(1)
  expect(readdirSync(history)).toHaveLength(3)
})

test('does not keep a shard, which is not a complete run', async () => {
  const history = temporaryFolder()
  const results = night(1, 'verified', 'S')
  await keptWith({ ...results, scope: { ...results.scope, shard: { index: 1, of: 2 } } }, { history, keep: 9 })
  expect(readdirSync(history)).toEqual([])
})
