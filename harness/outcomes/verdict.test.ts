import { describe, expect, test } from 'vitest'
import type { Verdict } from '../../specs/meta/results.ts'
import type { RunnableCheck } from '../checks/vocabulary.ts'
import type { Clause } from '../contract/contract.ts'
import type { CheckRun } from '../running/check-run.ts'
import { imagine } from './testing/imagined.ts'
import { countOutcomes, engineVerdict, outcomeOf, overallVerdict, type Scope, voteOf } from './verdict.ts'

const clause = (level: Clause['level'], excluded?: string): Clause => ({
  id: 'A-1',
  engine: 'a',
  text: '',
  document: '',
  section: '',
  level,
  ...(excluded ? { excluded } : {}),
})

const run = (outcome: CheckRun['outcome'], decisions: CheckRun['decisions']): CheckRun => ({
  check: { id: 'a/b', clauses: ['A-1', 'A-2'] } as RunnableCheck,
  outcome,
  decisions,
  exchanges: [],
  exchangeCount: 0,
  durationMs: 0,
  notes: {},
})

describe('votes', () => {
  test('a violation outweighs what else the check saw', () => {
    expect(
      voteOf(
        run('failed', [
          { clause: 'A-1', outcome: 'verified' },
          { clause: 'A-1', outcome: 'violated' },
        ]),
        'A-1',
      ),
    ).toBe('violated')
  })
  test('a clause that a failed check did not come to is blocked, not verified', () => {
    expect(voteOf(run('failed', [{ clause: 'A-1', outcome: 'violated' }]), 'A-2')).toBe('blocked')
  })
  test('a clause that a failed draw did not come to is left to other checks', () => {
    const drawn = run('failed', [{ clause: 'A-1', outcome: 'violated' }])
    expect(voteOf({ ...drawn, check: { ...(drawn.check as RunnableCheck), kind: 'model' } }, 'A-2')).toBe('undecided')
    expect(outcomeOf(clause('required'), ['verified', 'undecided'])).toBe('verified')
    expect(outcomeOf(clause('required'), ['undecided', 'observed'])).toBe('blocked')
  })
  test('a clause that a check leaves to others is theirs to decide', () => {
    const left: CheckRun = { ...run('blocked', []), leftToOthers: true }
    expect(voteOf(left, 'A-1')).toBe('undecided')
    expect(outcomeOf(clause('required'), ['verified', voteOf(left, 'A-1')])).toBe('verified')
    expect(outcomeOf(clause('required'), [voteOf(left, 'A-1')])).toBe('blocked')
  })
  test('nothing that an errored check verified counts', () => {
    expect(voteOf(run('errored', [{ clause: 'A-1', outcome: 'verified' }]), 'A-1')).toBe('errored')
  })
})

describe('outcomes of clauses', () => {
  test.each([
    ['required', 'violated'],
    ['advised', 'warned'],
    ['open', 'observed'],
  ] as const)('a violated %s clause is %s', (level, outcome) => {
    expect(outcomeOf(clause(level), ['verified', 'violated'])).toBe(outcome)
  })
  test('blocked outweighs verified', () => expect(outcomeOf(clause('required'), ['verified', 'blocked'])).toBe('blocked'))
  test('verified outweighs what was not claimed or not reached', () => {
    expect(outcomeOf(clause('required'), ['notClaimed', 'notExercised', 'verified'])).toBe('verified')
  })
  test('without a check a clause is excluded or was not exercised', () => {
    expect(outcomeOf(clause('required'), [])).toBe('notExercised')
    expect(outcomeOf(clause('required', 'cannot be seen'), [])).toBe('excluded')
  })
  test('counts add up', () => {
    const { total, ...counts } = countOutcomes(['verified', 'verified', 'blocked'])
    expect(total).toBe(3)
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(3)
  })
})

describe('verdicts', () => {
  const verdict = (outcomes: Parameters<typeof countOutcomes>[0], narrowed = false) =>
    engineVerdict(
      outcomes.map((outcome) => ({ level: 'required' as const, outcome })),
      narrowed,
    )

  test('conformant only when every required clause is verified', () => {
    expect(verdict(['verified', 'excluded', 'notClaimed'])).toBe('conformant')
    for (const open of ['blocked', 'errored', 'notExercised'] as const) expect(verdict(['verified', open])).toBe('incomplete')
    expect(verdict(['verified', 'blocked', 'violated'])).toBe('nonConformant')
  })
  test('a narrowed engine is partial, or worse, never conformant', () => {
    expect(verdict(['verified'], true)).toBe('partial')
    expect(verdict(['verified', 'notExercised'], true)).toBe('partial')
    expect(verdict(['verified', 'blocked'], true)).toBe('incomplete')
    expect(verdict(['violated'], true)).toBe('nonConformant')
  })
  test('nothing claimed is said so, also where a clause is excluded', () => {
    expect(verdict(['notClaimed', 'notClaimed'])).toBe('notClaimed')
    expect(verdict(['notClaimed', 'excluded'])).toBe('notClaimed')
  })
  test('an engine without a verified required clause is incomplete', () => {
    for (const seen of ['excluded', 'observed'] as const) expect(verdict([seen])).toBe('incomplete')
    expect(verdict([])).toBe('incomplete')
  })
  test('the run is as good as its worst engine', () => {
    const overall = (verdicts: Verdict[], scope: Partial<Scope> = {}) =>
      overallVerdict(
        verdicts.map((one) => ({
          id: one,
          title: one,
          verdict: one,
          clauses: countOutcomes([one === 'notClaimed' ? 'notClaimed' : 'verified']),
        })),
        { narrowed: false, unmet: [], cutShort: false, decided: true, ...scope },
      )
    expect(overall(['conformant', 'notClaimed'])).toBe('conformant')
    expect(overall(['conformant', 'incomplete'])).toBe('incomplete')
    expect(overall(['conformant', 'incomplete', 'nonConformant'])).toBe('nonConformant')
    expect(overall(['conformant'], { narrowed: true })).toBe('partial')
    expect(overall(['conformant'], { unmet: ['broker'] })).toBe('incomplete')
    expect(overall(['conformant'], { cutShort: true })).toBe('incomplete')
    expect(overall(['partial'], { narrowed: true, decided: false })).toBe('incomplete')
    expect(overall(['notClaimed'])).toBe('incomplete')
    expect(overall([])).toBe('incomplete')
  })
})

describe('a clause or a check that was asked for by name', () => {
  const engines = { kv: [{ seen: 'verified' as const }, { seen: 'notClaimed' as const }] }
  const table = { engines, narrowedWithin: true }
  const byClause = (word: string, ...clauses: string[]) => ({ word, clauses, checks: [] })
  const byCheck = (word: string, ...checks: string[]) => ({ word, clauses: [], checks })

  test.each([
    ['by its id', byClause('KV-C-02', 'KV-C-02')],
    ['by a pattern', byClause('*-02', 'KV-C-02')],
    ['as a check', byCheck('kv/c-02', 'kv/c-02')],
  ])('and cannot be tested here makes the run incomplete, with the remedy, beside what passes (%s)', (_, named) => {
    const results = imagine({ ...table, named: [byClause('KV-C-01', 'KV-C-01'), named] })
    expect(results).toMatchObject({ verdict: 'incomplete', gate: 'incomplete' })
    const message = `${named.word} was asked for and cannot be tested here: the-backend is not installed: apt install the-backend`
    expect(results.gateReasons).toEqual([{ gate: 'incomplete', kind: 'notClaimed', subject: named.word, message }])
  })

  test('by a pattern that names others too asks for those that can be tested', () => {
    expect(imagine({ ...table, named: [byClause('KV-*', 'KV-C-01', 'KV-C-02')] }).gate).toBe('passed')
    expect(imagine({ ...table, named: [byCheck('kv/*', 'kv/c-01', 'kv/c-02')] }).gate).toBe('passed')
  })
})
