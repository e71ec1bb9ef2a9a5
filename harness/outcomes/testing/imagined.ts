/** Results of a run that never took place, assembled by the real code from a table of what its checks saw: for tests of verdict, gate and reports. */
import type { Level, Results } from '../../../specs/meta/results.ts'
import type { CheckDefinition } from '../../checks/vocabulary.ts'
import type { Clause } from '../../contract/contract.ts'
import type { Deviation } from '../../planning/deviations.ts'
import type { Plan } from '../../planning/plan.ts'
import type { RunFacts } from '../../planning/run-facts.ts'
import type { CheckRun } from '../../running/check-run.ts'
import { SecretRegistry } from '../../secrets/secrets.ts'
import type { RunContext } from '../../sending/context.ts'
import { assembleResults } from '../assembled-results.ts'

/** What became of one clause, which one check of its own decides; `unstable`: it failed once and held when it was repeated. */
export type Seen = 'verified' | 'unstable' | 'violated' | 'observed' | 'blocked' | 'errored' | 'notExercised' | 'notClaimed' | 'excluded'

/** A run as a table. Clauses are numbered within their engine: the second of `kv` is `KV-C-02`, its check `kv/c-02`. */
export interface Imagined {
  engines: Record<string, { seen: Seen; level?: Level }[]>
  /** Engines that the target claims; default all. */
  claimed?: string[]
  /** Engines named by `--engine`. */
  asked?: string[]
  /** What ids and patterns of the selection name. */
  named?: Plan['named']
  /** Clauses, checks or kinds were chosen. */
  narrowedWithin?: boolean
  /** Checks were left out for want of time. */
  sample?: Plan['scope']['sample']
  deviations?: Deviation[]
  failOn?: NonNullable<RunFacts['failOn']>
  cutShort?: boolean
  /** What the target said to everything that did not go well. */
  said?: string
  /** What the run knows to be secret. */
  secrets?: string[]
}

const REMEDY = 'apt install the-backend'

const numbered = (engine: string, at: number) => `${engine.toUpperCase()}-C-${String(at + 1).padStart(2, '0')}`

interface Row {
  clause: Clause
  check: CheckDefinition
  seen: Seen
}

const rowsOf = ({ engines }: Imagined): Row[] =>
  Object.entries(engines).flatMap(([engine, clauses]) =>
    clauses.map(({ seen, level = 'required' }, at) => {
      const id = numbered(engine, at)
      return {
        seen,
        clause: {
          id,
          engine,
          level,
          text: `Statement ${at + 1} of ${engine}.`,
          document: 'document',
          section: '1',
          ...(seen === 'excluded' ? { excluded: 'nobody can see it from outside' } : {}),
        },
        check: {
          id: `${engine}/${id.slice(engine.length + 1).toLowerCase()}`,
          engine,
          title: `decides ${id}`,
          clauses: [id],
          kind: 'scenario' as const,
          needs: seen === 'notClaimed' ? { backends: ['the-backend'] } : {},
          deadline: 1000,
          body: async () => undefined,
        },
      }
    }),
  )

const ENDS: Partial<Record<Seen, Pick<CheckRun, 'outcome' | 'reason' | 'remedy'>>> = {
  verified: { outcome: 'passed' },
  unstable: { outcome: 'passed' },
  observed: { outcome: 'observed' },
  violated: { outcome: 'failed', reason: 'expected 1, got 2' },
  blocked: { outcome: 'blocked', reason: 'something is absent', remedy: 'bring it' },
  errored: { outcome: 'errored', reason: 'TypeError: of our own' },
}

const runsOf = ({ check, clause, seen }: Row, said: string | undefined): CheckRun[] => {
  const usual = ENDS[seen]
  if (usual === undefined) return []
  const isTold = said !== undefined && usual.reason !== undefined
  const end = isTold ? { ...usual, reason: said } : usual
  const decision =
    seen === 'violated'
      ? [{ clause: clause.id, outcome: 'violated' as const, message: said ?? 'expected 1, got 2', expected: 1, seen: said ?? 2 }]
      : seen === 'verified' || seen === 'unstable'
        ? [{ clause: clause.id, outcome: 'verified' as const }]
        : seen === 'observed'
          ? [{ clause: clause.id, outcome: 'observed' as const, value: said ?? 'so' }]
          : []
  const notes = seen === 'unstable' ? { stability: 'unstable' as const } : {}
  return [{ check, ...end, decisions: decision, exchanges: [], exchangeCount: 1, durationMs: 1, notes }]
}

/** Assembles the results of such a run. */
export const imagine = (imagined: Imagined): Results => {
  const all = Object.keys(imagined.engines)
  const { claimed = all, asked = [] } = imagined
  const engines = claimed.filter((engine) => asked.length === 0 || asked.includes(engine))
  const rows = rowsOf(imagined)
  const chosen = rows.filter(({ clause }) => engines.includes(clause.engine))
  const { sample } = imagined
  const narrowedWithin = imagined.narrowedWithin === true || sample !== undefined
  const selected = chosen.filter(({ seen }) => !['notExercised', 'excluded'].includes(seen)).map(({ check }) => check)
  const plan: Plan = {
    engines,
    checks: selected,
    scope: { claimed, engines, part: narrowedWithin, ...(sample === undefined ? {} : { sample }) },
    asked,
    named: imagined.named ?? [],
    unclaimed: asked.filter((engine) => !claimed.includes(engine)),
    leftOut: [],
    spare: [],
  }
  const target = {
    api: { api: 'secrets' },
    config: { url: 'http://127.0.0.1:1', without: [] },
    dialect: { dialect: 'native' },
    engines: claimed,
    present: new Set(),
    prepared: { sent: [], made: [] },
    clockSkew: 0,
  }
  const secrets = new SecretRegistry()
  for (const secret of imagined.secrets ?? []) secrets.add(secret)
  const context = {
    contract: {
      clauses: new Map(rows.map(({ clause }) => [clause.id, clause])),
      engines: new Map(all.map((engine) => [engine, { api: 'secrets', title: engine }])),
      operations: new Map(),
      rulings: new Map(),
    },
    targets: new Map([['secrets', target]]),
    ledger: { statuses: new Map() },
    secrets,
    signal: imagined.cutShort === true ? AbortSignal.abort() : new AbortController().signal,
    backends: {},
    missingBackends: { 'the-backend': { reason: 'the-backend is not installed', remedy: REMEDY } },
    leftovers: [],
    counts: new Map(),
    run: 'imagined',
    seed: 1,
    effort: 'quick',
  } as unknown as RunContext
  const unclaimed = engines.filter((engine) =>
    chosen.every(({ clause, seen }) => clause.engine !== engine || ['notClaimed', 'excluded'].includes(seen)),
  )
  return assembleResults(
    context,
    plan,
    {
      name: 'imagined',
      rerun: ['--embedded'],
      selection: [],
      probed: false,
      notes: [],
      startedAt: new Date('2026-11-21T02:00:00Z'),
      begun: performance.now(),
      notClaimed: chosen.filter(({ seen }) => seen === 'notClaimed').map(({ check }) => check),
      unclaimedEngines: unclaimed.map((id) => ({ id, reason: 'the-backend is not installed', remedy: REMEDY })),
      deviations: imagined.deviations ?? [],
      requests: 1,
      failOn: imagined.failOn ?? [],
    },
    chosen.flatMap((row) => runsOf(row, imagined.said)),
  )
}
