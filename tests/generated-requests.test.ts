/** Generated checks against the reference: its faults are found, shrunk and replayed; without faults nothing is reported. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allFaults } from '../reference/faults/index.ts'
import { createReference } from '../reference/index.ts'
import type { Results } from '../specs/meta/results.ts'
import { assay } from './support/cli.ts'
import { runEmbedded } from './support/embedded-checks.ts'

/** Faults that models must find, with the longest transcript (steps) that is still short. */
const FOUND = [
  { fault: 'kv/v1-merged', check: 'kv/v1-model', clause: 'KV-V1-04', steps: 3 },
  { fault: 'kv/list-newest-missing', check: 'kv/v1-model', clause: 'KV-LIST-01', steps: 3 },
  { fault: 'kv/v2-undelete-destroyed', check: 'kv/v2-versions-model', clause: 'KV-V2-11', steps: 5 },
  { fault: 'kv/v2-destroy-is-delete', check: 'kv/v2-versions-model', clause: 'KV-V2-11', steps: 5 },
  { fault: 'kv/v2-delete-newest', check: 'kv/v2-versions-model', clause: 'KV-V2-12', steps: 5 },
  { fault: 'kv/v2-delete-sticks', check: 'kv/v2-versions-model', clause: 'KV-V2-14', steps: 5 },
]

const only = (id: string) => (check: { id: string }) => check.id === id

describe('faults of the reference', () => {
  it.each(FOUND)(
    '$fault is found by $check in at most $steps steps, and replayed by seed and path',
    async ({ fault, check, clause, steps }) => {
      const { runs } = await runEmbedded(only(check), { fault, seed: 7 })
      const [run] = runs
      expect(run?.outcome).toBe('failed')
      expect(run?.decisions.filter(({ outcome }) => outcome === 'violated').map((decision) => decision.clause)).toEqual([clause])
      expect(run?.notes.stability).toBe('deterministic')
      const head = run?.notes.counterexample?.split('\n')[0] ?? ''
      expect(Number.parseInt(head, 10), run?.notes.counterexample).toBeLessThanOrEqual(steps)
      const replayed = await runEmbedded(only(check), { fault, seed: 7, replay: run!.notes.path! })
      expect(replayed.runs[0]?.outcome).toBe('failed')
      expect(replayed.runs[0]?.notes.counterexample?.split('\n')[0]).toBe(head)
      expect(replayed.runs[0]!.exchangeCount).toBeLessThanOrEqual(4 * 2 * steps)
      const mended = await runEmbedded(only(check), { seed: 7, replay: run!.notes.path! })
      expect(mended.runs[0]?.outcome).toBe('passed')
    },
    60_000,
  )
})

describe('the printed command', () => {
  it('replays a shrunk case of a model', async () => {
    const faults = allFaults.filter(({ id }) => id === 'kv/v2-undelete-empty')
    const reference = await createReference({ faults, tls: false }).listen()
    try {
      const env = { ASSAY_TOKEN: reference.rootToken }
      const read = (folder: string) => (JSON.parse(readFileSync(join(folder, 'assay-report/results.json'), 'utf8')) as Results).checks[0]!
      const first = await assay(['certify', reference.url, '--check', 'kv/v2-versions-model', '--seed', '3'], { env })
      expect(first.code, first.all).toBe(1)
      const found = read(first.folder)
      expect(found).toMatchObject({ outcome: 'failed', stability: 'deterministic' })
      const words = found.rerun.split(' ').slice(2)
      expect(words).toContain('--replay')
      const again = await assay(words, { env })
      expect(again.code, again.all).toBe(1)
      const replayed = read(again.folder)
      expect(replayed.counterexample?.split('\n')[0]).toBe(found.counterexample?.split('\n')[0])
      expect(replayed.exchanges).toBeLessThan(found.exchanges)
    } finally {
      await reference.close()
    }
  }, 120_000)
})

describe('the reference without faults', () => {
  it('accepts at least 80% of the generated valid requests and refuses every invalid one', async () => {
    const { runs, counts } = await runEmbedded((check) => check.id.includes('/generated/') && (check.needs.backends ?? []).length === 0)
    expect(runs.length).toBeGreaterThan(10)
    expect(
      runs.filter(({ outcome }) => !['passed', 'observed'].includes(outcome)).map(({ check, reason }) => `${check.id}: ${reason}`),
    ).toEqual([])
    const share = counts.get('generated valid requests accepted')! / counts.get('generated valid requests')!
    expect(share).toBeGreaterThanOrEqual(0.8)
  }, 120_000)

  it('passes models, races and properties with other seeds', async () => {
    for (const seed of [2, 3, 4]) {
      const { runs } = await runEmbedded((check) => check.engine === 'kv' && ['model', 'race', 'property'].includes(check.kind), { seed })
      expect(
        runs
          .filter(({ outcome }) => !['passed', 'observed'].includes(outcome))
          .map(({ check, reason }) => `${seed} ${check.id}: ${reason}`),
      ).toEqual([])
    }
  }, 120_000)
})
