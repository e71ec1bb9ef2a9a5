/** A realistic set of results for tests of the reports, and the same with markup in every string. */
import type {
  CheckOutcome,
  CheckResult,
  ClauseCounts,
  ClauseOutcome,
  ClauseResult,
  KillRecord,
  Results,
  VariantRecord,
} from '../../specs/meta/results.ts'
import { countsOf } from '../view.ts'
import { REASON_WORDS } from '../words.ts'
import { SAMPLE_ENGINES, sampleClauses, sampleCoverage } from './sample-clauses.ts'
import { sampleFailure } from './sample-failures.ts'

/** What a test varies: `extra` clauses for a large report, and whether a proof's records are present. */
export interface SampleOptions {
  extra?: number
  proof?: boolean
}

/** Results of a run that found something of every kind. */
export const sampleResults = ({ extra = 0, proof = true }: SampleOptions = {}): Results => {
  const clauses = sampleClauses(extra)
  const checks = clauses.filter((clause) => clause.checks.length > 0 && !clause.id.includes('-EXTRA-')).map(checkFor)
  return {
    assay: '0.1.0',
    target: {
      name: 'staging',
      apis: [
        { api: 'secrets', url: 'https://secrets.staging.example:8200', dialect: 'vault' },
        { api: 'run-management', url: 'https://runs.staging.example', dialect: 'native' },
      ],
      probed: true,
      notes: ['Certificates were not verified (--tls-skip-verify).'],
    },
    run: 'as7k2m9q',
    seed: 4711,
    effort: 'standard',
    startedAt: '2026-11-21T02:00:04.120Z',
    finishedAt: '2026-11-21T02:00:41.530Z',
    scope: { claimed: SAMPLE_ENGINES.map(({ id }) => id), engines: SAMPLE_ENGINES.map(({ id }) => id), part: false },
    verdict: 'nonConformant',
    gate: 'failed',
    gateReasons: [
      ...['CORE-ERROR-01', 'CORE-METHOD-02', 'SSH-VERIFY-02'].map((subject) => ({
        gate: 'failed' as const,
        kind: 'violated' as const,
        subject,
        message: `${subject} is violated`,
      })),
      {
        gate: 'failed',
        kind: 'unexpectedPass',
        subject: 'CORE-PERIOD-01',
        message: 'a known deviation no longer occurs: CORE-PERIOD-01 holds now; remove its entry',
      },
    ],
    failOn: [],
    engines: SAMPLE_ENGINES.map(({ id, title }) => {
      const counts = count(clauses.filter((clause) => clause.engine === id))
      if (id === 'database') {
        return {
          id,
          title,
          verdict: 'notClaimed',
          clauses: counts,
          reason: 'no PostgreSQL server',
          remedy: 'assay backends --install postgres',
        }
      }
      return { id, title, verdict: counts.violated > 0 ? 'nonConformant' : 'conformant', clauses: counts }
    }),
    clauses,
    checks,
    coverage: sampleCoverage(),
    backends: [
      { name: 'sshd', provider: 'local', version: 'OpenSSH 9.2' },
      { name: 'postgres', provider: 'none', reason: 'no Docker engine, no local binary', remedy: 'assay backends --install postgres' },
    ],
    deviations: [
      {
        clause: 'KV-WRITE-01',
        check: 'kv/write-1',
        reason: 'old storage merges objects',
        owner: 'storage team',
        link: 'https://tracker.example/812',
        expires: '2027-03-01',
        state: 'matched',
      },
      { clause: 'CORE-PERIOD-01', reason: 'the router strips periods', owner: 'edge team', state: 'stale' },
    ],
    leftovers: ['mount assay-as7k2m9q-kv2: 403 permission denied on removal'],
    environment: {
      node: 'v20.20.2',
      platform: 'linux x64',
      command: 'assay certify https://secrets.staging.example:8200 --dialect vault',
      clockSkewSeconds: 0.4,
      server: 'OpenBao 2.1.0',
    },
    counts: { 'sshd logins': 12, 'certificates validated': 31 },
    stats: { requests: 1107 + extra, durationMs: 37_410, peakMemoryMb: 182, requestsPerSecond: 2214 },
    ...(proof ? { kills: sampleKills(), variants: sampleVariants() } : {}),
  }
}

/** Adds `markup` to every string and every free key of a value; what the schema fixes (outcomes, times) stays. */
export const withMarkup = <T>(value: T, markup: string, key = ''): T => {
  const fixed = ['outcome', 'level', 'verdict', 'gate', 'state', 'stability', 'startedAt', 'finishedAt']
  if (typeof value === 'string')
    return (fixed.includes(key) || (key === 'kind' && value in REASON_WORDS) ? value : `${value}${markup}`) as T
  if (Array.isArray(value)) return value.map((item) => withMarkup(item, markup, key)) as T
  if (value === null || typeof value !== 'object') return value
  const free = ['headers', 'statuses', 'counts'].includes(key)
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [free ? `${name}${markup}` : name, withMarkup(item, markup, name)]),
  ) as T
}

const sampleKills = (): KillRecord[] => [
  {
    fault: 'kv-merge',
    engine: 'kv',
    title: 'a write merges into the stored object',
    clauses: ['KV-WRITE-01'],
    state: 'killed',
    killedBy: ['kv/write-1'],
  },
  {
    fault: 'kv-undelete-nothing',
    engine: 'kv',
    title: 'undelete answers 204 and does nothing',
    clauses: ['KV-VERSION-02'],
    state: 'killed',
    killedBy: ['kv/version-2'],
  },
  {
    fault: 'ssh/otp-reusable',
    engine: 'ssh',
    title: 'one-time passwords can be used twice',
    clauses: ['SSH-VERIFY-02'],
    state: 'killed',
    killedBy: ['ssh/verify-2', 'ssh/model'],
  },
  {
    fault: 'ssh-ttl-uncapped',
    engine: 'ssh',
    title: 'a certificate outlives the maximum by a minute',
    clauses: ['SSH-SIGN-01'],
    state: 'survived',
    killedBy: [],
  },
  {
    fault: 'core-list-ignored',
    engine: 'core',
    title: 'LIST is answered like GET',
    clauses: ['CORE-METHOD-02'],
    state: 'unreached',
    killedBy: [],
  },
]

const sampleVariants = (): VariantRecord[] => [
  {
    variant: 'kv-flat-read',
    engine: 'kv',
    title: 'version 1 reads answer the object at the top level',
    state: 'passed',
    falsePositives: [],
  },
  {
    variant: 'ssh-ttl-refused',
    engine: 'ssh',
    title: 'a lifetime above the maximum is refused',
    state: 'falsePositive',
    falsePositives: ['SSH-SIGN-01'],
  },
]

const OUTCOMES: Partial<Record<ClauseOutcome, CheckOutcome>> = {
  verified: 'passed',
  violated: 'failed',
  warned: 'warned',
  observed: 'observed',
  blocked: 'blocked',
  errored: 'errored',
  notClaimed: 'notClaimed',
  notExercised: 'passed',
}

const checkFor = (clause: ClauseResult, index: number): CheckResult => {
  const id = clause.checks[0]!
  const outcome = OUTCOMES[clause.outcome] ?? 'passed'
  const deviation = clause.id === 'KV-WRITE-01' ? { deviation: 'old storage merges objects' } : {}
  const failure = sampleFailure(clause.id)
  return {
    id,
    title: clause.text.toLowerCase().replace(/\.$/, ''),
    engine: clause.engine,
    kind: index % 5 === 2 ? 'property' : 'scenario',
    clauses: [clause.id],
    outcome,
    ...(outcome === 'blocked'
      ? {
          reason: 'needs permission for oversized bodies on a server that is not ours',
          remedy: 'add "allow: [oversize]" to the target in assay.config.yaml',
        }
      : {}),
    ...(outcome === 'errored'
      ? { reason: `TypeError: the check read a field of an answer that has no body: ${'a4c523f3'.repeat(40)}` }
      : {}),
    durationMs: ((index * 7919) % 4000) + 12,
    exchanges: (index % 9) + 2,
    rerun: `assay certify https://secrets.staging.example:8200 --dialect vault --check ${id} --seed 4711`,
    ...failure,
    decisions: failure.decisions.map((decision) => ({ ...decision, ...deviation })),
    ...deviation,
  }
}

/** Clauses by outcome. */
export const count = (clauses: ClauseResult[]): ClauseCounts => countsOf(clauses.map(({ outcome }) => outcome))
