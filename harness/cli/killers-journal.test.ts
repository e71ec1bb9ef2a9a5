import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FaultTrials } from '../mutation/trials.ts'
import { KillersJournal, writeMatrix } from './killers-journal.ts'

const record = (fault: string, more: Partial<FaultTrials> = {}): FaultTrials => ({
  fault,
  state: 'killed',
  seed: 1,
  ms: 40,
  trials: [
    ['kv/second', 'held', 3, 20],
    ['kv/first', 'killed', 2, 10],
  ],
  ...more,
})

describe('the journal of a matrix of killers', () => {
  let out: string
  beforeEach(() => {
    out = mkdtempSync(join(tmpdir(), 'assay-killers-'))
  })
  afterEach(() => rmSync(out, { recursive: true }))

  it('has what an earlier session tried, and the last word on each fault', () => {
    const first = new KillersJournal(out, 'some')
    first.add(record('a', { state: 'survived' }))
    first.add(record('b'))
    const second = new KillersJournal(out, 'some')
    expect([...second.records.keys()]).toEqual(['a', 'b'])
    second.add(record('a'))
    const third = new KillersJournal(out, 'some')
    expect(third.records.get('a')).toEqual(record('a'))
    expect(third.isMixed).toBe(false)
  })

  it('goes on behind a line that a stop cut in two', () => {
    new KillersJournal(out, 'some').add(record('a'))
    appendFileSync(join(out, 'killers.jsonl'), '{"fault":"b","sta')
    const second = new KillersJournal(out, 'some')
    expect([...second.records.keys()]).toEqual(['a'])
    second.add(record('b'))
    expect([...new KillersJournal(out, 'some').records.keys()]).toEqual(['a', 'b'])
  })

  it('knows that an earlier session had other sources', () => {
    new KillersJournal(out, 'some').add(record('a'))
    const second = new KillersJournal(out, 'others')
    expect(second.isMixed).toBe(true)
    expect([...second.records.keys()]).toEqual(['a'])
  })

  it('becomes a matrix with each id once', () => {
    const file = writeMatrix([record('a'), record('b', { state: 'survived', seed: 2, trials: [['kv/second', 'other', 5, 7]] })], out)
    expect(JSON.parse(gunzipSync(readFileSync(file)).toString())).toEqual({
      columns: ['fault', 'check', 'did', 'requests', 'ms'],
      did: ['held', 'killed', 'other', 'stopped'],
      checks: ['kv/first', 'kv/second'],
      faults: [
        ['a', 'killed', 1],
        ['b', 'survived', 2],
      ],
      rows: [
        [0, 1, 0, 3, 20],
        [0, 0, 1, 2, 10],
        [1, 1, 2, 5, 7],
      ],
    })
  })
})
