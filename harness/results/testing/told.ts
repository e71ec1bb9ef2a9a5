/** Results of a run that never took place, as a table of checks: judged by the functions that judge merged shards. */
import type { CheckResult, Decision, ExchangeRecord, OperationCoverage, Results } from '../../../specs/meta/results.ts'
import { causesOfClause } from '../../outcomes/clause-causes.ts'
import { type Dependences, withCauses } from '../../outcomes/explanations.ts'
import { imagine } from '../../outcomes/testing/imagined.ts'
import { enginesAgain, outcomesAgain, verdictAgain } from '../judge-again.ts'

/** Results with everything told again that follows from what their checks say. */
export const toldAgain = (results: Results, dependences: Dependences): Results => {
  const checks = withCauses(results, dependences)
  const outcomes = outcomesAgain({ ...results, checks })
  const clauses = results.clauses.map(({ causedBy: _, narrowedBy: __, ...clause }) => {
    const outcome = outcomes.get(clause.id)!
    return { ...clause, outcome, ...causesOfClause({ id: clause.id, outcome }, checks) }
  })
  const told = { ...results, checks, clauses }
  const judged = { ...told, engines: enginesAgain(told) }
  return { ...judged, ...verdictAgain(judged) }
}

export const exchange = (number: number, operation: string, status: number, body: unknown = {}): ExchangeRecord => ({
  number,
  operation,
  caller: 'root',
  request: { method: 'POST', url: 'http://127.0.0.1:1/', headers: {} },
  response: { status, headers: {}, body: JSON.stringify(body) },
  durationMs: 1,
  curl: '',
})

export const errors = (text: string) => ({ errors: [text] })

/** A check that decided nothing: what ended it, and what it had exchanged. */
export const blocked = (
  id: string,
  clauses: string[],
  stoppedBy?: CheckResult['stoppedBy'],
  evidence: ExchangeRecord[] = [],
): CheckResult => ({
  ...base(id, clauses),
  outcome: 'blocked',
  reason: 'the set-up failed',
  ...(stoppedBy === undefined ? {} : { stoppedBy }),
  undecided: clauses.map((clause) => ({ clause, vote: 'blocked' })),
  evidence,
})

export const verified = (id: string, clauses: string[]): CheckResult => ({
  ...base(id, clauses),
  outcome: 'passed',
  decisions: clauses.map((clause) => ({ clause, outcome: 'verified' })),
})

/** A check that found its clause violated by the last of these exchanges. */
export const violated = (id: string, clause: string, evidence: ExchangeRecord[], more: Partial<Decision> = {}): CheckResult => ({
  ...base(id, [clause]),
  outcome: 'failed',
  decisions: [
    {
      clause,
      outcome: 'violated',
      message: 'it does not hold',
      seen: String(evidence.at(-1)!.response?.status),
      exchange: evidence.at(-1)!.number,
      ...more,
    },
  ],
  evidence,
})

const base = (id: string, clauses: string[]) => ({
  id,
  title: id,
  engine: id.slice(0, id.indexOf('/')),
  kind: 'scenario',
  clauses,
  durationMs: 1,
  exchanges: 1,
  decisions: [],
  evidence: [],
  rerun: '',
})

interface Told {
  checks: CheckResult[]
  without?: string[]
  present?: string[]
  coverage?: OperationCoverage[]
  restsOn?: Record<string, string[]>
  stating?: Record<string, string>
}

/** One operation and how often it answered with each status. */
export const answers = (operation: string, statuses: Record<string, number>): OperationCoverage => ({
  operation,
  engine: operation.slice(0, operation.indexOf('.')),
  method: 'POST',
  path: '/',
  requests: Object.values(statuses).reduce((sum, count) => sum + count, 0),
  statuses,
})

/** Results of these checks; every clause that they name is required. */
export const told = ({ checks, without = [], present = [], coverage = [], restsOn = {}, stating = {} }: Told): Results => {
  const ids = [...new Set(checks.flatMap(({ clauses }) => clauses))]
  const engineOf = (id: string) => id.split('-')[0]!.toLowerCase()
  const empty = imagine({ engines: Object.fromEntries(ids.map((id) => [engineOf(id), [{ seen: 'verified' as const }]])) })
  const [clause] = empty.clauses
  const [api] = empty.target.apis
  const results: Results = {
    ...empty,
    target: { ...empty.target, apis: [{ ...api!, without, present }] },
    clauses: ids.map((id) => ({
      ...clause!,
      id,
      engine: engineOf(id),
      checks: checks.filter((one) => one.clauses.includes(id)).map((one) => one.id),
    })),
    checks,
    coverage,
  }
  return toldAgain(results, { stating: new Map(Object.entries(stating)), restsOn: new Map(Object.entries(restsOn)) })
}
