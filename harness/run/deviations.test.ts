import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../tests/support/cli.ts'
import { loadContract } from '../contract/load.ts'
import { type Deviation, type Failure, matchDeviations, patternOf, readDeviations } from './deviations.ts'

const TODAY = '2026-11-21'
const entry = (more: Partial<Deviation> = {}): Deviation => ({ clause: 'A-1', reason: 'known', owner: 'us', ...more })
const failure = (more: Partial<Failure> = {}): Failure => ({
  clause: 'A-1',
  level: 'required',
  check: 'a/x',
  outcome: 'violated',
  reason: 'expected 1 got 2',
  ...more,
})
const X = { clause: 'A-1', check: 'a/x' }
const stateOf = (entries: Deviation[], failures: Failure[], decided = [X], leftOut: (typeof X)[] = []) => {
  const { records, uncovered } = matchDeviations(entries, failures, decided, leftOut, TODAY)
  return { states: records.map((record) => record.state), uncovered: uncovered.length }
}

describe('known deviations', () => {
  test('cover the failure they describe', () => {
    expect(stateOf([entry({ check: 'a/*', signature: 'got 2' })], [failure()])).toEqual({ states: ['matched'], uncovered: 0 })
  })
  test('do not cover another failure of the same clause', () => {
    expect(stateOf([entry({ signature: 'got 3' })], [failure()])).toEqual({ states: ['other'], uncovered: 1 })
    expect(stateOf([entry({ check: 'a/y' })], [failure()])).toEqual({ states: ['other'], uncovered: 1 })
  })
  test('do not cover a new failure beside the old one', () => {
    expect(stateOf([entry({ check: 'a/x' })], [failure(), failure({ check: 'a/z' })])).toEqual({ states: ['matched'], uncovered: 1 })
  })
  test('that no longer occur are stale where the clause was decided, unused where it was not', () => {
    expect(stateOf([entry()], [])).toEqual({ states: ['stale'], uncovered: 0 })
    expect(stateOf([entry()], [], [])).toEqual({ states: ['unused'], uncovered: 0 })
    expect(stateOf([entry({ check: 'a/y' })], [])).toEqual({ states: ['unused'], uncovered: 0 })
  })
  test('are not stale while a check that may show them is left out', () => {
    const leftOut = [{ clause: 'A-1', check: 'a/y' }]
    expect(stateOf([entry()], [], [X], leftOut).states).toEqual(['unused'])
    expect(stateOf([entry({ check: 'a/x' })], [], [X], leftOut).states).toEqual(['stale'])
  })
  test('hold to the end of their last day', () => {
    expect(stateOf([entry({ expires: TODAY })], [failure()]).states).toEqual(['matched'])
    expect(stateOf([entry({ expires: '2026-11-20' })], [failure()])).toEqual({ states: ['expired'], uncovered: 1 })
  })
  test('of a blocked clause are written as such', () => {
    expect(stateOf([entry()], [failure({ outcome: 'blocked' })]).uncovered).toBe(1)
    expect(stateOf([entry({ outcome: 'blocked' })], [failure({ outcome: 'blocked' })]).uncovered).toBe(0)
  })
})

test('patterns match whole names', () => {
  expect(patternOf('kv/*').test('kv/a')).toBe(true)
  expect(patternOf('kv/*').test('xkv/a')).toBe(false)
  expect(patternOf('a.b').test('aXb')).toBe(false)
})

test('a file of deviations is judged before anything runs', async () => {
  const contract = await loadContract()
  const file = join(temporaryFolder(), 'deviations.yaml')
  expect(() => readDeviations(file, contract)).toThrow(/does not exist/)
  writeFileSync(file, 'deviations:\n  - { clause: KV-V1-77, reason: a reason long enough, owner: o }\n')
  expect(() => readDeviations(file, contract)).toThrow(/unknown clause .*KV-V1-77.*did you mean KV-V1-/)
  writeFileSync(file, 'deviations:\n  - { clause: KV-V1-01 }\n')
  expect(() => readDeviations(file, contract)).toThrow(/reason/)
  writeFileSync(file, 'deviations:\n  - { clause: KV-V1-01, reason: a reason long enough, owner: o, expires: 2026-13-45 }\n')
  expect(() => readDeviations(file, contract)).toThrow(/expires/)
})
