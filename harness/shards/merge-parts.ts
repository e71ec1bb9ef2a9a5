/** Joins the parts of a run (`--shard I/N`) into one result, as one run would have found it but for times. */
import type { BackendRecord, CheckResult, ClauseResult, OperationCoverage, Results } from '../../specs/meta/results.ts'
import { certifiedFor } from '../outcomes/certified.ts'
import { causesOfClause } from '../outcomes/clause-causes.ts'
import { type Dependences, withCauses } from '../outcomes/explanations.ts'
import { matchDeviations } from '../planning/deviations.ts'
import { decidedIn, entriesIn, failuresIn } from '../results/failed-decisions.ts'
import { enginesAgain, outcomesAgain, verdictAgain } from '../results/judge-again.ts'
import { mergedAgainst } from './merged-against.ts'
import { decideFromAnswers } from './merged-answers.ts'
import type { Part } from './whole-run.ts'

/** What the contract says that no part of a run does. */
export interface MergeFacts {
  /** Ids of the checks that answers decide. */
  decidedByAnswers: ReadonlySet<string>
  /** Every check of the claimed engines with its clauses. */
  checks: readonly { id: string; clauses: readonly string[] }[]
  dependences: Dependences
}

const byId = <T extends { id: string }>(left: T, right: T): number => (left.id < right.id ? -1 : 1)

const unique = <T>(items: readonly T[], keyOf: (item: T) => string): T[] => [...new Map(items.map((item) => [keyOf(item), item])).values()]

const RANK: ClauseResult['outcome'][] = ['excluded', 'notClaimed', 'notExercised']

/** One clause as all parts together see it, but for its outcome. */
const mergedClause = (parts: readonly ClauseResult[], checks: readonly CheckResult[]): ClauseResult => {
  const { reason: _, observations: __, reproduction: ___, causedBy: ____, narrowedBy: _____, ...clause } = parts[0]!
  const reproduction = parts.find((part) => part.reproduction !== undefined)?.reproduction
  const without = RANK.find((outcome) => parts.some((part) => part.outcome === outcome)) ?? clause.outcome
  const observations = [...new Set(parts.flatMap((part) => part.observations ?? []))]
  const mine = checks.filter((check) => check.outcome !== 'notClaimed' && check.clauses.includes(clause.id)).map(({ id }) => id)
  return {
    ...clause,
    outcome: without,
    checks: mine,
    ...(observations.length === 0 ? {} : { observations }),
    ...(reproduction === undefined ? {} : { reproduction }),
  }
}

const REASONED = ['blocked', 'errored', 'excluded', 'notExercised']

/** The clauses with their outcomes and why the undecided ones are. */
const mergedClauses = (parts: readonly Results[], merged: Pick<Results, 'checks' | 'scope'>): ClauseResult[] => {
  const groups = new Map<string, ClauseResult[]>()
  for (const clause of parts.flatMap((part) => part.clauses)) groups.set(clause.id, [...(groups.get(clause.id) ?? []), clause])
  const clauses = [...groups.values()].map((group) => mergedClause(group, merged.checks))
  const outcomes = outcomesAgain({ ...merged, clauses })
  const order = new Map(parts[0]!.clauses.map(({ id }, at) => [id, at]))
  return clauses
    .map((clause) => {
      const outcome = outcomes.get(clause.id)!
      const reason = groups.get(clause.id)!.find((one) => one.outcome === outcome && one.reason !== undefined)?.reason
      const causes = causesOfClause({ id: clause.id, outcome }, merged.checks)
      return { ...clause, outcome, ...causes, ...(reason === undefined || !REASONED.includes(outcome) ? {} : { reason }) }
    })
    .sort((left, right) => (order.get(left.id) ?? order.size) - (order.get(right.id) ?? order.size))
}

const mergedCoverage = (parts: readonly Results[]): OperationCoverage[] => {
  const rows = new Map<string, OperationCoverage>()
  for (const row of parts.flatMap(({ coverage }) => coverage)) {
    const known = rows.get(row.operation)
    const statuses = { ...known?.statuses }
    for (const [status, count] of Object.entries(row.statuses)) statuses[status] = (statuses[status] ?? 0) + count
    rows.set(row.operation, { ...row, requests: (known?.requests ?? 0) + row.requests, statuses })
  }
  return [...rows.values()]
}

const mergedBackends = (parts: readonly Results[]): BackendRecord[] => {
  const all = parts.flatMap(({ backends }) => backends)
  return unique(
    [...all.filter(({ provider }) => provider === 'none'), ...all.filter(({ provider }) => provider !== 'none')],
    ({ name }) => name,
  )
}

/** Decisions with the known deviations that cover them in the whole run. */
const withDeviations = (checks: readonly CheckResult[], reasons: ReadonlyMap<string, string>): CheckResult[] =>
  checks.map(({ deviation: _, ...check }) => {
    const known = (clause: string) => reasons.get(`${check.id} ${clause}`)
    const marked = <T extends { clause: string }>({ deviation: __, ...one }: T & { deviation?: string }, applies: boolean) => {
      const reason = applies ? known(one.clause) : undefined
      return { ...one, ...(reason === undefined ? {} : { deviation: reason }) }
    }
    const failed = check.decisions.filter(({ outcome }) => outcome === 'violated').map(({ clause }) => clause)
    const covered = (failed.length > 0 ? failed : check.clauses).map(known)
    return {
      ...check,
      decisions: check.decisions.map((one) => marked(one, one.outcome === 'violated')) as CheckResult['decisions'],
      ...(check.undecided === undefined
        ? {}
        : { undecided: check.undecided.map((one) => marked(one, true)) as NonNullable<CheckResult['undecided']> }),
      ...(covered.includes(undefined) ? {} : { deviation: covered[0]! }),
    }
  })

const sum = (parts: readonly Results[], of: (results: Results) => number): number => parts.reduce((total, part) => total + of(part), 0)

const statsOf = (parts: readonly Results[]): Results['stats'] => {
  const requests = sum(parts, ({ stats }) => stats.requests)
  const durationMs = Math.max(...parts.map(({ stats }) => stats.durationMs))
  return {
    requests,
    durationMs,
    peakMemoryMb: Math.max(...parts.map(({ stats }) => stats.peakMemoryMb)),
    requestsPerSecond: Math.round((requests / Math.max(1, durationMs)) * 1000),
  }
}

/** The target with what any part said of it, or saw there although it was said to be lacking. */
const mergedTarget = (parts: readonly Results[]): Results['target'] => {
  const { target } = parts[0]!
  const apis = target.apis.map(({ present: _, ...api }) => {
    const seen = parts.flatMap((part) => part.target.apis.filter((one) => one.api === api.api).flatMap(({ present = [] }) => present))
    return { ...api, ...(seen.length === 0 ? {} : { present: [...new Set(seen)] }) }
  })
  return { ...target, apis, notes: [...new Set(parts.flatMap((part) => part.target.notes))] }
}

const withoutShard = (command: string): string => command.replace(/ --shard[ =]\S+/, '')

/**
 * Joins the parts of a run; they have to be whole, see `requireWhole`.
 *
 * @param facts what the contract says of the checks.
 */
export const mergeParts = (given: readonly Part[], facts: MergeFacts): Results => {
  const parts = given.map(({ results }) => results)
  const [first] = parts as [Results]
  const { shard: _, ...scope } = first.scope
  const levels = new Map(parts.flatMap(({ clauses }) => clauses.map(({ id, level }) => [id, level] as const)))
  const own = parts.flatMap((part) => part.checks).sort(byId)
  const told = own.map((check) => (facts.decidedByAnswers.has(check.id) ? decideFromAnswers(check, parts, levels) : check))
  const coverage = mergedCoverage(parts)
  const target = mergedTarget(parts)
  const known = unique(
    parts.flatMap((part) => part.clauses),
    ({ id }) => id,
  )
  const found = withCauses({ checks: told, clauses: known, coverage, target }, facts.dependences)
  const entries = entriesIn({ deviations: first.deviations })
  const ran = new Set(found.filter(({ outcome }) => outcome !== 'notClaimed').map(({ id }) => id))
  const leftOut = facts.checks
    .filter(({ id }) => !ran.has(id))
    .flatMap(({ id, clauses }) => clauses.map((clause) => ({ clause, check: id })))
  const clauses = mergedClauses(parts, { checks: found, scope })
  const { records, reasons } = matchDeviations(
    entries,
    failuresIn({ checks: found, clauses }),
    decidedIn({ checks: found }),
    leftOut,
    first.startedAt.slice(0, 10),
  )
  const counts: Record<string, number> = {}
  for (const [name, count] of parts.flatMap((part) => Object.entries(part.counts))) counts[name] = (counts[name] ?? 0) + count
  const said = (kind: 'notClaimed' | 'cutShort') => parts.map(({ gateReasons }) => gateReasons.filter((reason) => reason.kind === kind))
  const [unmet, ...others] = said('notClaimed')
  const gateReasons = [
    ...said('cutShort').flat().slice(0, 1),
    ...unmet!.filter(({ subject }) => others.every((reasons_) => reasons_.some((reason) => reason.subject === subject))),
  ]
  const { answers: __, against: ___, ...rest } = first
  const against = mergedAgainst(parts)
  const merged: Results = {
    ...rest,
    target,
    startedAt: parts.map(({ startedAt }) => startedAt).sort()[0]!,
    finishedAt: parts
      .map(({ finishedAt }) => finishedAt)
      .sort()
      .at(-1)!,
    run: parts.map(({ run }) => run).join('-'),
    scope,
    gateReasons,
    clauses,
    checks: withDeviations(found, reasons),
    engines: unique(
      parts.flatMap(({ engines }) => engines),
      ({ id }) => id,
    ),
    coverage,
    backends: mergedBackends(parts),
    deviations: records,
    leftovers: parts.flatMap(({ leftovers }) => leftovers),
    environment: { ...first.environment, command: withoutShard(first.environment.command) },
    counts,
    ...(against === undefined ? {} : { against }),
    stats: statsOf(parts),
  }
  const engines = enginesAgain(merged)
  const judged = { ...merged, engines, ...verdictAgain({ ...merged, engines }) }
  const { profile } = first
  return profile === undefined ? judged : { ...judged, profile: { ...profile, certified: certifiedFor(profile, judged) } }
}
