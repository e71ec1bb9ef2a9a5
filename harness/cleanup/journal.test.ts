import { appendFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, utimesSync } from 'node:fs'
import { beforeEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../tests/support/cli.ts'
import { deadNeighbour, stranger, writeJournal } from '../../tests/support/journals.ts'
import { Clocks } from '../base/clocks.ts'
import { NotWritten } from '../base/errors.ts'
import { abandonedJournals, entriesOf, Journal, SILENCE, strike } from './journal.ts'

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

test('journals of living runs are not abandoned', () => {
  new Journal('run').add(mount)
  expect(abandonedJournals()).toEqual([])
})

const HOUR = 3_600_000
const silentFor = (file: string, ms: number): void => utimesSync(file, new Date(Date.now() - ms), new Date(Date.now() - ms))
const files = (): string[] => abandonedJournals().map(({ file }) => file)

test('a process id that another process has now is that of a dead run, at once', () => {
  const file = writeJournal(folder, 'run', deadNeighbour(), [mount])
  expect(files()).toEqual([file])
})

test.each([
  ['in another container', stranger()],
  ['of another machine', { ...stranger(), boot: 'another' }],
])('a run %s goes on while it gives signs of life, however its process id reads here', (_, owner) => {
  const file = writeJournal(folder, 'run', { ...owner, pid: 999_999_999 }, [mount])
  silentFor(file, SILENCE - 60_000)
  expect(files()).toEqual([])
  silentFor(file, SILENCE + 60_000)
  expect(files()).toEqual([file])
})

test('a run among our neighbours goes on also when it was stopped for an hour', () => {
  const journal = new Journal('run')
  journal.add(mount)
  silentFor(journal.file, HOUR)
  expect(files()).toEqual([])
})

test('a journal whose run ended with something left is one of a dead run, at once', () => {
  const file = writeJournal(folder, 'run', stranger(), [mount, token])
  strike(file, [token])
  expect(files()).toEqual([file])
  expect(entriesOf(file)).toEqual([mount])
})

const BEAT = 5000

/** A journal after a sign of life that came when `machine` and `day` had gone on by so many milliseconds. */
const toldAfter = (machine: number, day: number) => {
  vi.useFakeTimers()
  try {
    const reading = { machine: 0, day: 0 }
    const told: string[] = []
    const journal = new Journal('run', {
      onStandstill: (minutes) => told.push(`stood still ${minutes}`),
      clocks: new Clocks(() => ({ ...reading })),
    })
    journal.add(mount)
    Object.assign(reading, { machine, day })
    vi.advanceTimersByTime(BEAT)
    vi.advanceTimersByTime(BEAT)
    journal.close()
    return told
  } finally {
    vi.useRealTimers()
  }
}

test('a run that stood still for long is told, for others may have cleaned up behind it', () => {
  expect(toldAfter(BEAT, BEAT)).toEqual([])
  expect(toldAfter(HOUR, HOUR)).toEqual(['stood still 60'])
})

test('a clock that is set, forward or back, is not taken for a standstill', () => {
  expect(toldAfter(BEAT, BEAT + 2 * HOUR)).toEqual([])
  expect(toldAfter(BEAT, BEAT - 2 * HOUR)).toEqual([])
})

test('a sign of life that cannot be written is told, and throws nothing', () => {
  vi.useFakeTimers()
  try {
    const told: string[] = []
    const journal = new Journal('run', { onUnwritten: (failure) => told.push(failure.message) })
    journal.add(mount)
    rmSync(journal.file)
    mkdirSync(journal.file)
    vi.advanceTimersByTime(BEAT)
    expect(told).toEqual([expect.stringContaining(`${journal.file} could not be written: EISDIR`)])
    expect(() => journal.add(token)).toThrow(NotWritten)
    journal.remove(mount)
    expect(journal.left()).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

test('a line after one that was cut off is read', () => {
  const journal = new Journal('run')
  journal.add(mount)
  const { file } = journal
  renameSync(file, `${file}.away`)
  mkdirSync(file)
  expect(() => journal.add(token)).toThrow(NotWritten)
  rmdirSync(file)
  renameSync(`${file}.away`, file)
  appendFileSync(file, '+{"on":"https://a","ki')
  journal.add(token)
  expect(entriesOf(file)).toEqual([mount, token])
})
