/** Which checks a run selects, and which of them the target does not claim. */

import type { RunScope } from '../../specs/meta/results.ts'
import { requireKnown, UsageError } from '../base/usage.ts'
import type { CheckDefinition, CheckKind, RunnableCheck } from '../checks/vocabulary.ts'
import type { Contract } from '../contract/contract.ts'
import type { Effort } from '../target/configured-names.ts'
import { checksOfEffort } from './effort-checks.ts'
import { matching, requireMatching } from './selection.ts'
import { partFor } from './shards.ts'

/** What the user asked for; absent members select everything. */
export interface Selection {
  engines?: string[]
  /** Ids or patterns with `*`. */
  clauses?: string[]
  /** Ids or patterns with `*`. */
  checks?: string[]
  kinds?: string[]
  shard?: { index: number; of: number }
  /** Milliseconds that checks took in earlier runs, by id: by these the shards are balanced. */
  durations?: ReadonlyMap<string, number>
  /** Checks of higher efforts are left out; without it none is. */
  effort?: Effort
}

const KINDS: CheckKind[] = ['contract', 'scenario', 'property', 'model', 'race', 'security']

/** What one id or pattern of the selection names. */
export interface Named {
  word: string
  clauses: readonly string[]
  checks: readonly string[]
}

export interface Plan {
  engines: string[]
  checks: CheckDefinition[]
  scope: RunScope
  /** Engines that were asked for by name. */
  asked: string[]
  /** Clauses and checks that were asked for, by the id or pattern that names them. */
  named: Named[]
  /** Engines, and clauses, that were asked for by name and that the target does not claim. */
  unclaimed: string[]
  /** Checks of the claimed engines that the selection leaves out. */
  leftOut: CheckDefinition[]
  /** Those of them that only the effort leaves out: they are tried where a clause would stay undecided. */
  spare: RunnableCheck[]
}

/** The engine that a check id or pattern names, where there is one of that name. */
const engineOf = (contract: Contract, checks: string): string[] => [checks.split('/')[0]!].filter((name) => contract.engines.has(name))

/** The clauses that ids and patterns name. A pattern that names some of the target's names only those; an id names what it says. */
const clausesOf = (contract: Contract, claimed: readonly string[], patterns: readonly string[]): Named[] => {
  const ids = [...contract.clauses.keys()]
  requireMatching('clause', patterns, ids)
  const isClaimed = (clause: string) => claimed.includes(contract.clauses.get(clause)!.engine)
  return patterns.map((word) => {
    const found = matching(word, ids)
    return { word, clauses: found.some(isClaimed) ? found.filter(isClaimed) : found, checks: [] }
  })
}

const unclaimedOf = (
  contract: Contract,
  claimed: readonly string[],
  { engines = [], checks = [] }: Selection,
  clauses: readonly string[],
): string[] => [
  ...[...engines, ...checks.flatMap((pattern) => engineOf(contract, pattern))].filter((engine) => !claimed.includes(engine)),
  ...clauses.filter((clause) => !claimed.includes(contract.clauses.get(clause)!.engine)),
]

/** The checks that an id or a pattern names; none where it names an engine that the target does not claim. */
const named = (contract: Contract, all: CheckDefinition[], chosen: CheckDefinition[], claimed: readonly string[], pattern: string) => {
  const ids = new Set(
    matching(
      pattern,
      chosen.map((check) => check.id),
    ),
  )
  if (ids.size > 0 || engineOf(contract, pattern).some((engine) => !claimed.includes(engine))) return ids
  requireMatching(
    'check',
    [pattern],
    all.map((check) => check.id),
  )
  throw new UsageError(`${pattern} matches no check of the engines and clauses that are selected (see: assay list checks)`)
}

/**
 * Selects checks.
 *
 * @param all every check of the claimed engines.
 * @param claimed engines that the target claims.
 * @throws UsageError for unknown names (with the nearest known) and for patterns that match nothing.
 */
export const makePlan = (contract: Contract, all: CheckDefinition[], claimed: readonly string[], selection: Selection): Plan => {
  requireKnown('engine', selection.engines ?? [], [...contract.engines.keys()])
  const byClause = clausesOf(contract, claimed, selection.clauses ?? [])
  const clauses = byClause.flatMap((one) => one.clauses)
  requireKnown('kind', selection.kinds ?? [], KINDS)
  const engines = claimed.filter((engine) => selection.engines === undefined || selection.engines.includes(engine))
  let checks = all.filter((check) => engines.includes(check.engine))
  if (selection.clauses !== undefined) checks = checks.filter((check) => check.clauses.some((clause) => clauses.includes(clause)))
  const chosen = checks
  const byCheck = (selection.checks ?? []).map(
    (word): Named => ({ word, clauses: [], checks: [...named(contract, all, chosen, claimed, word)] }),
  )
  if (selection.checks !== undefined) {
    const ids = new Set(byCheck.flatMap((one) => one.checks))
    checks = checks.filter((check) => ids.has(check.id))
  }
  if (selection.kinds !== undefined) checks = checks.filter((check) => selection.kinds?.includes(check.kind))
  const part = selection.clauses !== undefined || selection.checks !== undefined || selection.kinds !== undefined
  let spare: RunnableCheck[] = []
  // What somebody named is tried, whatever the effort.
  const isRequired = (clause: string): boolean => contract.clauses.get(clause)?.level === 'required'
  if (selection.effort !== undefined && !part) ({ tried: checks, others: spare } = checksOfEffort(checks, selection.effort, isRequired))
  const { shard } = selection
  if (shard !== undefined) {
    const partOf = <C extends CheckDefinition>(all: readonly C[]): C[] =>
      partFor(
        [...all].sort((left, right) => (left.id < right.id ? -1 : 1)),
        shard,
        selection.durations,
      )
    checks = partOf(checks)
    spare = partOf(spare)
  }
  return {
    engines,
    checks,
    scope: { claimed: [...claimed], engines, part, ...(shard === undefined ? {} : { shard }) },
    asked: selection.engines ?? [],
    named: [...byClause, ...byCheck],
    unclaimed: [...new Set(unclaimedOf(contract, claimed, selection, clauses))],
    leftOut: all.filter((check) => !checks.includes(check)),
    spare,
  }
}

/** The plan with the spare checks that were tried after all. */
export const planWithSpare = (plan: Plan, runs: readonly { check: CheckDefinition }[]): Plan => {
  const ran = new Set(runs.map(({ check }) => check.id))
  const after = plan.spare.filter(({ id }) => ran.has(id))
  const isLeft = ({ id }: CheckDefinition): boolean => !ran.has(id)
  return { ...plan, checks: [...plan.checks, ...after], leftOut: plan.leftOut.filter(isLeft), spare: plan.spare.filter(isLeft) }
}

/**
 * The plan of a run of limited time or failures, once it is over: what did not fit was left out of it.
 *
 * @param wanted checks that were to run.
 * @param runs those that did.
 * @param ended what they had to fit into: milliseconds, violated clauses, or both.
 */
export const sampledPlan = (
  plan: Plan,
  wanted: readonly CheckDefinition[],
  runs: readonly { check: CheckDefinition }[],
  { ms, failures }: { ms?: number; failures?: number },
): Plan => {
  const ran = new Set(runs.map(({ check }) => check.id))
  const left = wanted.filter(({ id }) => !ran.has(id))
  if (left.length === 0) return plan
  const bounds = { ...(ms === undefined ? {} : { seconds: Math.round(ms / 1000) }), ...(failures === undefined ? {} : { failures }) }
  const sample = { ...bounds, checks: wanted.length - left.length, of: wanted.length }
  return {
    ...plan,
    checks: plan.checks.filter((check) => !left.includes(check)),
    scope: { ...plan.scope, part: true, sample },
    leftOut: [...plan.leftOut, ...left],
  }
}

/** Backends that the selected checks need. */
export const backendsOf = (checks: readonly CheckDefinition[]): string[] =>
  [...new Set(checks.flatMap((check) => check.needs.backends ?? []))].sort()
