/** What every format shows, derived once from the results: violations with their evidence, causes of blocking, the slowest checks. */

import { byExplaining } from '../specs/meta/explaining.ts'
import type {
  CheckResult,
  ClauseCounts,
  ClauseOutcome,
  ClauseResult,
  Decision,
  EngineResult,
  ExchangeRecord,
  OperationCoverage,
  Results,
} from '../specs/meta/results.ts'
import { NO_CLAUSES } from './words.ts'

/** One check's part in a clause that does not hold. */
export interface Failure {
  check: CheckResult
  /** What the check decided about the clause; absent where it failed without attributing. */
  decision?: Decision
  /** The exchange that decided, if it was recorded. */
  exchange?: ExchangeRecord
  /** Other exchanges that the decision looked at. */
  beside: ExchangeRecord[]
  /** Why it is tolerated, where a known deviation covers it. */
  deviation?: string
}

/** A clause that does not hold, with everything that shows it. */
export interface Finding {
  clause: ClauseResult
  failures: Failure[]
  /** Why it is tolerated, where a known deviation covers every failure. */
  deviation?: string
  /** Violations that follow from it. */
  follows?: Finding[]
  /** Clauses that could not be decided for it. */
  rests?: ClauseResult[]
}

/** Checks that could not run for one and the same reason. */
export interface BlockedGroup {
  reason: string
  remedy?: string
  checks: CheckResult[]
  /** Ids of the clauses that are blocked; what other checks decided is not among them. */
  clauses: string[]
  /** Ids of the violated clauses that they rest on. */
  causes?: string[]
}

/** One engine with all that belongs to it. */
export interface EngineView {
  engine: EngineResult
  clauses: ClauseResult[]
  coverage: OperationCoverage[]
}

export interface View {
  total: ClauseCounts
  engines: EngineView[]
  /** Violated clauses that no deviation covers; what follows from them stands beneath them. */
  violated: Finding[]
  /** Violated clauses whose failures are all known. */
  known: Finding[]
  /** Violated clauses that follow from others. */
  following: Finding[]
  warned: Finding[]
  observed: ClauseResult[]
  blocked: BlockedGroup[]
  errored: CheckResult[]
  /** Checks that hold although they failed once, amid noise. */
  unstable: CheckResult[]
  slowest: CheckResult[]
}

const SLOWEST = 12

export const isUnstable = ({ outcome, stability }: CheckResult): boolean =>
  (outcome === 'passed' || outcome === 'observed') && stability === 'unstable'

/** An unstable check and why, as one line. */
export const unstableText = (check: CheckResult): string => `${check.id}: ${check.reason ?? 'no reason was recorded'}`

/** Derives the view from results. Pure; does not change its argument. */
export const viewOf = (results: Results): View => {
  const failing = new Map<string, CheckResult[]>()
  for (const check of results.checks) {
    for (const clause of failedClauses(check)) append(failing, clause, check)
  }
  const finding = (clause: ClauseResult): Finding => {
    const failures = (failing.get(clause.id) ?? []).map((check) => failureOf(check, clause.id))
    const [deviation] = failures.map((failure) => failure.deviation)
    return deviation !== undefined && failures.every((failure) => failure.deviation !== undefined)
      ? { clause, failures, deviation }
      : { clause, failures }
  }
  const inOrder = byExplaining(results.clauses)
  const violated = results.clauses
    .filter((clause) => clause.outcome === 'violated')
    .sort((left, right) => inOrder(left.id, right.id))
    .map(finding)
  const following = violated.filter(({ clause }) => clause.causedBy !== undefined)
  const findings = violated.filter(({ clause }) => clause.causedBy === undefined).map((one) => withBeneath(one, following, results.clauses))
  return {
    total: totalOf(results),
    engines: enginesOf(results),
    violated: findings.filter((one) => one.deviation === undefined),
    known: findings.filter((one) => one.deviation !== undefined),
    following,
    warned: results.clauses.filter((clause) => clause.outcome === 'warned').map(finding),
    observed: results.clauses.filter((clause) => clause.outcome === 'observed' || (clause.observations ?? []).length > 0),
    blocked: blockedOf(results),
    errored: results.checks.filter((check) => check.outcome === 'errored'),
    unstable: results.checks.filter(isUnstable),
    slowest: [...results.checks].sort((a, b) => b.durationMs - a.durationMs).slice(0, SLOWEST),
  }
}

/** A finding with what follows from it, directly or through others, and what rests on these. */
const withBeneath = (finding: Finding, following: readonly Finding[], clauses: readonly ClauseResult[]): Finding => {
  const under = new Set([finding.clause.id])
  const isUnder = ({ causedBy = [] }: ClauseResult): boolean => causedBy.some((cause) => under.has(cause))
  for (let size = 0; size !== under.size; ) {
    size = under.size
    for (const { clause } of following) if (isUnder(clause)) under.add(clause.id)
  }
  const follows = following.filter(({ clause }) => clause.id !== finding.clause.id && under.has(clause.id))
  const rests = clauses.filter((clause) => clause.outcome !== 'violated' && isUnder(clause))
  return { ...finding, ...(follows.length === 0 ? {} : { follows }), ...(rests.length === 0 ? {} : { rests }) }
}

/** Clauses that a check found not to hold: those it decided so, or all of its own when it failed without deciding. */
const failedClauses = (check: CheckResult): string[] => {
  const decided = check.decisions.filter((decision) => decision.outcome === 'violated').map((decision) => decision.clause)
  if (decided.length > 0) return [...new Set(decided)]
  return check.outcome === 'failed' || check.outcome === 'warned' ? check.clauses : []
}

const failureOf = (check: CheckResult, clause: string): Failure => {
  const decision = check.decisions.find((one) => one.clause === clause && one.outcome === 'violated')
  const exchange = decidingExchange(check, decision)
  const deviation = decision === undefined ? check.deviation : decision.deviation
  return {
    check,
    ...(decision ? { decision } : {}),
    ...(exchange ? { exchange } : {}),
    beside: check.evidence.filter((one) => one !== exchange && decision?.beside?.includes(one.number) === true),
    ...(deviation === undefined ? {} : { deviation }),
  }
}

/**
 * The exchange that shows a failure: the one the decision names, unless what was seen is a status that another one answered
 * (a control request sent after the refusal comes last and would mislead).
 */
const decidingExchange = ({ evidence }: CheckResult, decision: Decision | undefined): ExchangeRecord | undefined => {
  const named = evidence.find((one) => one.number === decision?.exchange)
  const status = /^\d{3}$/.exec(decision?.seen ?? '')?.[0]
  const fits = (one: ExchangeRecord | undefined): boolean => String(one?.response?.status) === status
  if (status === undefined || fits(named)) return named ?? evidence.at(-1)
  return evidence.findLast(fits) ?? named ?? evidence.at(-1)
}

/** What blocks a check: its own reason, or one for all that have the same causes. */
const whyBlocked = ({ reason = 'no reason was recorded', remedy, undecided = [] }: CheckResult, lacking: ReadonlySet<string>) => {
  const causes = [...new Set(undecided.flatMap(({ causedBy = [] }) => causedBy))]
  if (causes.length === 0 || undecided.some(({ causedBy }) => causedBy === undefined)) return { reason, remedy }
  if (causes.every((cause) => lacking.has(cause))) return { reason: `without ${causes.join(', ')}`, remedy: undefined }
  return {
    reason: `rests on ${causes.join(', ')}`,
    remedy: `see ${causes.join(', ')} first`,
    causes: causes.filter((cause) => !lacking.has(cause)),
  }
}

const blockedOf = (results: Results): BlockedGroup[] => {
  const lacking = new Set(results.target.apis.flatMap(({ without = [] }) => without))
  const open = new Set(results.clauses.filter(({ outcome }) => outcome === 'blocked').map(({ id }) => id))
  const groups = new Map<string, BlockedGroup>()
  for (const check of results.checks) {
    if (check.outcome !== 'blocked') continue
    const { reason, remedy, causes } = whyBlocked(check, lacking)
    const key = JSON.stringify([reason, remedy])
    const group = groups.get(key) ?? {
      reason,
      ...(remedy === undefined ? {} : { remedy }),
      ...(causes && { causes }),
      checks: [],
      clauses: [],
    }
    group.checks.push(check)
    group.clauses = [...new Set([...group.clauses, ...check.clauses.filter((id) => open.has(id))])]
    groups.set(key, group)
  }
  // What other checks decided stands in the list of checks.
  return [...groups.values()].filter(({ clauses }) => clauses.length > 0).sort((a, b) => b.clauses.length - a.clauses.length)
}

const enginesOf = (results: Results): EngineView[] => {
  const ids = new Set([...results.engines.map((engine) => engine.id), ...results.clauses.map((clause) => clause.engine)])
  return [...ids].map((id) => {
    const clauses = results.clauses.filter((clause) => clause.engine === id)
    const engine = results.engines.find((one) => one.id === id) ?? {
      id,
      title: id,
      verdict: 'notClaimed' as const,
      clauses: countsOf(clauses.map((clause) => clause.outcome)),
    }
    return { engine, clauses, coverage: results.coverage.filter((row) => row.engine === id) }
  })
}

const totalOf = (results: Results): ClauseCounts => countsOf(results.clauses.map((clause) => clause.outcome))

/** Clauses by outcome. */
export const countsOf = (outcomes: ClauseOutcome[]): ClauseCounts => {
  const counts = { ...NO_CLAUSES }
  for (const outcome of outcomes) counts[outcome] += 1
  counts.total = outcomes.length
  return counts
}

const append = <T>(map: Map<string, T[]>, key: string, value: T): void => {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
