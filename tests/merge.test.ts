/** Shards of a run, joined: equal to one run but for times, and nothing else is taken for a whole. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Results } from '../specs/meta/results.ts'
import { assay, temporaryFolder } from './support/cli.ts'

const SHARDS = 4
const RUN = ['certify', '--embedded', '--engine', 'agent-tokens', '--effort', 'quick', '--seed', '7']

const resultsIn = (folder: string): Results => JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as Results

const sorted = (items: readonly string[]): string[] => [...items].sort()

/** What does not depend on when, how fast and how often something was asked. */
const comparable = ({ verdict, gate, gateReasons, scope, engines, clauses, checks, coverage, deviations, failOn }: Results) => ({
  verdict,
  gate,
  gateReasons,
  scope,
  engines,
  deviations,
  failOn,
  clauses: clauses.map(({ id, level, outcome, checks: by, reason }) => ({ id, level, outcome, checks: sorted(by), reason })),
  checks: Object.fromEntries(
    checks.map(({ id, outcome, decisions, undecided }) => [
      id,
      { outcome, undecided, decisions: sorted(decisions.map((one) => `${one.clause} ${one.outcome}`)) },
    ]),
  ),
  operations: sorted(coverage.map(({ operation }) => operation)),
})

describe('four shards', () => {
  const folder = temporaryFolder()
  const place = (name: string) => join(folder, name)
  const shards = Array.from({ length: SHARDS }, (_, at) => `shard-${at + 1}`)

  beforeAll(async () => {
    for (const [at, name] of shards.entries()) {
      const ran = await assay([...RUN, '--shard', `${at + 1}/${SHARDS}`, '--out', name], { folder })
      expect(ran.code, ran.all).toBe(0)
    }
  }, 300_000)

  test('equal one run but for times', { timeout: 240_000 }, async () => {
    const [whole, merged] = [await assay([...RUN, '--out', 'whole'], { folder }), await assay(['merge', ...shards], { folder })]
    expect([whole.code, merged.code], merged.all).toEqual([0, 0])
    expect(merged.all).toContain('Conformant')
    expect(comparable(resultsIn(place('assay-report')))).toEqual(comparable(resultsIn(place('whole'))))
  })

  test('find what only the answers to other shards show', { timeout: 120_000 }, async () => {
    const [first] = shards
    const results = resultsIn(place(first!))
    const required = new Set(results.clauses.filter(({ level }) => level === 'required').map(({ id }) => id))
    const others = shards
      .slice(1)
      .flatMap((name) => resultsIn(place(name)).checks.filter(({ kind, decisions }) => kind === 'contract' && decisions.length === 1))
    const decided = new Set(others.filter(({ id }) => id.includes('/contract/')).flatMap(({ clauses }) => clauses))
    const elsewhere = results.answers!.find(({ clause, reached }) => reached > 0 && required.has(clause) && decided.has(clause))!
    const [exchange] = resultsIn(place(first!)).checks.flatMap(({ evidence }) => evidence)
    const finding = {
      message: 'the body is not what its schema says',
      expected: 'an object',
      seen: 'a list',
      check: 'agent-tokens/imagined',
      count: 1,
      exchange: exchange ?? {
        number: 1,
        operation: 'x',
        caller: 'root',
        request: { method: 'GET', url: 'http://x/', headers: {} },
        durationMs: 1,
        curl: '',
      },
    }
    const changed = {
      ...results,
      answers: results.answers!.map((one) => (one.clause === elsewhere.clause ? { ...one, findings: [finding] } : one)),
    }
    writeFileSync(place('changed.json'), JSON.stringify(changed))
    const merged = await assay(['merge', 'changed.json', ...shards.slice(1), '--out', 'found'], { folder })
    expect(merged.code, merged.all).toBe(1)
    expect(resultsIn(place('found')).gateReasons.map(({ subject }) => subject)).toEqual([elsewhere.clause])
  })

  test.each<[string, (shards: string[]) => string[], RegExp]>([
    ['one that is missing', (all) => all.slice(0, 3), /shard 4\/4 is missing: name its report folder too/],
    ['one that is there twice', (all) => [...all, all[1]!], /shard 2\/4 is there 2 times: shard-2, shard-2/],
    [
      'a fifth of another seed',
      (all) => [...all, 'other-seed'],
      /shard 4\/4 in other-seed has another seed \(8\) than shard 1\/4 in shard-1 \(7\)/,
    ],
    ['one of a run in other parts', (all) => [...all, 'parts'], /is of a run in 5 shards, and shard 1\/4 in shard-1 of one in 4/],
    ['a report of a complete run', (all) => [...all, 'none'], /none is not a shard/],
    ['one that was changed by hand', (all) => [...all.slice(0, 3), 'changed-verdict'], /contradicts itself/],
  ])('are refused with %s', { timeout: 60_000 }, async (_, chosen, says) => {
    const last = resultsIn(place('shard-4'))
    const { shard: __, ...scope } = last.scope
    const variants: Record<string, Results> = {
      'other-seed': { ...last, seed: 8 },
      parts: { ...last, scope: { ...scope, shard: { index: 5, of: 5 } } },
      none: { ...last, scope: { ...scope, part: true } },
      'changed-verdict': { ...last, verdict: 'conformant' },
    }
    for (const [name, results] of Object.entries(variants)) writeFileSync(place(name), JSON.stringify(results))
    const merged = await assay(['merge', ...chosen(shards)], { folder })
    expect(merged.code, merged.all).toBe(2)
    expect(merged.stderr).toMatch(says)
  })
})
