import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../tests/support/cli.ts'
import { loadContract } from '../contract/load.ts'
import { type Deviation, type Failure, matchDeviations, patternOf } from './deviations.ts'
import { readDeviations, splitNotes, takeOut } from './deviations-file.ts'

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

test('what occurs only sometimes may be absent without an unexpected pass', () => {
  expect(stateOf([entry({ occurs: 'sometimes' })], []).states).toEqual(['absent'])
  expect(stateOf([entry({ occurs: 'sometimes' })], [failure()])).toEqual({ states: ['matched'], uncovered: 0 })
})

test('of a clause that was split cover the part too, without an unexpected pass', () => {
  const split = entry({ splitInto: ['A-2'] })
  expect(stateOf([split], [failure({ clause: 'A-2' })])).toEqual({ states: ['matched'], uncovered: 0 })
  expect(stateOf([split], [failure()])).toEqual({ states: ['matched'], uncovered: 0 })
  expect(stateOf([split], []).states).toEqual(['absent'])
  expect(stateOf([entry()], [failure({ clause: 'A-2' })]).uncovered).toBe(1)
})

test('of a clause that was split say what to change, unless the part has an entry too', async () => {
  const { clauses } = await loadContract()
  const part = [...clauses.values()].find(({ splitFrom }) => splitFrom !== undefined)!
  const file = join(temporaryFolder(), 'deviations.yaml')
  writeFileSync(file, JSON.stringify({ deviations: [{ ...USUAL, clause: part.splitFrom }] }))
  const entries = readDeviations(file, { clauses }, TODAY)
  expect(entries[0]!.splitInto).toContain(part.id)
  expect(splitNotes(entries, { clauses })[0]).toContain(`${part.id} (${part.level})`)
  expect(splitNotes([...entries, { ...entries[0]!, clause: part.id }], { clauses })).toEqual([])
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

const USUAL = { clause: 'KV-V1-01', check: 'kv/x', reason: 'a reason long enough', owner: 'o' }

test.each([
  ['a reason that is not written yet', { reason: 'TODO: why then' }, /KV-V1-01 in kv\/x: the reason still says TODO: write why/],
  ['an owner that is not written yet', { owner: 'TODO' }, /the owner still says TODO: write who answers/],
  ['what occurs sometimes without a link', { occurs: 'sometimes', expires: '2026-12-01' }, /needs a link/],
  ['what occurs sometimes without an end', { occurs: 'sometimes', link: 'https://t.example/1' }, /needs an end: give expires/],
  [
    'what occurs sometimes for too long',
    { occurs: 'sometimes', link: 'https://t.example/1', expires: '2026-12-22' },
    /give expires 2026-12-21 or earlier, not 2026-12-22/,
  ],
])('refuses %s', async (_, more, says) => {
  const { clauses } = await loadContract()
  const file = join(temporaryFolder(), 'deviations.yaml')
  writeFileSync(file, JSON.stringify({ deviations: [{ ...USUAL, ...more }] }))
  expect(() => readDeviations(file, { clauses }, TODAY)).toThrow(says)
})

test('takes entries out and leaves comments and order alone', () => {
  const file = join(temporaryFolder(), 'deviations.yaml')
  const entryOf = (clause: string) => `  # about ${clause}\n  - clause: ${clause}\n    reason: long enough a reason # why\n    owner: o\n`
  writeFileSync(file, `# ours\ntarget: x\ndeviations:\n${['A-B-01', 'A-B-02', 'A-B-03'].map(entryOf).join('')}`)
  takeOut(file, [0, 1])
  expect(readFileSync(file, 'utf8')).toBe(`# ours\ntarget: x\ndeviations:\n${entryOf('A-B-03')}`)
})
