import { appendFileSync, existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../tests/support/cli.ts'
import { abandonedJournals, entriesOf, Journal } from './journal.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
  process.env.ASSAY_STATE_DIR = folder
})

const mount = { on: 'https://a', kind: 'mount', name: 'm1', namespace: '' }
const token = { on: 'https://a', kind: 'identity', name: 'i1', namespace: '' }

test('what was made and not removed is left', () => {
  const journal = new Journal('run')
  journal.add(mount)
  journal.add(token)
  journal.add({ ...token, accessor: 'x' })
  journal.remove(mount)
  expect(entriesOf(journal.file)).toEqual([{ ...token, accessor: 'x' }])
  expect(journal.close()).toHaveLength(1)
  expect(existsSync(journal.file)).toBe(true)
})

test('a run that removed everything leaves no file', () => {
  const journal = new Journal('run')
  journal.add(mount)
  journal.remove({ ...mount })
  expect(journal.close()).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})

test('a line cut short by a kill is passed over', () => {
  const journal = new Journal('run')
  journal.add(mount)
  appendFileSync(journal.file, '+{"on":"https://a","ki')
  expect(entriesOf(journal.file)).toEqual([mount])
})

test('journals of living runs are not abandoned, those of dead ones are', () => {
  const journal = new Journal('run')
  journal.add(mount)
  expect(abandonedJournals()).toEqual([])
  const dead = join(folder, 'run-999999.jsonl')
  renameSync(journal.file, dead)
  expect(abandonedJournals()).toEqual([dead])
})
