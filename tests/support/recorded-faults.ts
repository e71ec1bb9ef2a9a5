/** What the checks of a fault's clauses see of it, recorded once, and such recordings combined as if one server had both faults. */
import { DRAWN, isContractCheck, takesServerAway } from '../../harness/checks/check.ts'
import type { CheckDefinition } from '../../harness/checks/vocabulary.ts'
import { startEmbedded } from '../../harness/cli/embedded.ts'
import type { Contract } from '../../harness/contract/contract.ts'
import { assembleResults } from '../../harness/outcomes/assembled-results.ts'
import { dependencesOf } from '../../harness/outcomes/explanations.ts'
import type { Plan } from '../../harness/planning/plan.ts'
import { toldAgain } from '../../harness/results/testing/told.ts'
import { closeRun, openRun } from '../../harness/running/open-run.ts'
import { removeShared, runChecks } from '../../harness/running/run.ts'
import type { allFaults } from '../../reference/faults/index.ts'
import type { CheckResult, OperationCoverage, Results } from '../../specs/meta/results.ts'

export type Fault = (typeof allFaults)[number]

/** Checks of one fault that are run. */
const MOST_CHECKS = 2
/** Sets the exchanges of two recordings of one check apart. */
const FURTHER = 100_000

/** The checks that are tried on a fault: those of its own engine that decide its clauses, need nothing installed and wait for nothing. */
export const checksFor = (all: readonly CheckDefinition[], { clauses, engine }: Fault): CheckDefinition[] =>
  all
    .filter((check) => check.engine === engine && !isContractCheck(check) && !takesServerAway(check) && !DRAWN.includes(check.kind))
    .filter((check) => !('waits' in check && check.waits === true))
    .filter((check) => (check.needs.backends ?? []).length === 0 && check.clauses.some((clause) => clauses.includes(clause)))
    .slice(0, MOST_CHECKS)

/** Required clauses that results show to be violated. */
export const violatedIn = ({ clauses, checks }: Pick<Results, 'clauses' | 'checks'>): string[] => {
  const required = new Set(clauses.filter(({ level }) => level === 'required').map(({ id }) => id))
  const found = checks.flatMap(({ decisions }) => decisions.filter(({ outcome }) => outcome === 'violated').map(({ clause }) => clause))
  return [...new Set(found)].filter((clause) => required.has(clause))
}

/**
 * Runs these checks against a reference server that has these faults.
 *
 * @param without what the configuration says that the server lacks
 */
export const recorded = async (
  contract: Contract,
  faults: Fault[],
  checks: CheckDefinition[],
  without: string[] = [],
): Promise<Results> => {
  const { reference, config } = await startEmbedded(contract, { faults })
  for (const target of config.targets) target.without = without
  try {
    const { context } = await openRun(contract, config, { seed: 1, effort: 'quick', signal: new AbortController().signal })
    context.plain = true
    const runs = await runChecks(context, checks)
    await removeShared(context)
    const engines = [...contract.engines.keys()]
    const scope: Plan['scope'] = { claimed: engines, engines, part: true }
    const plan = { engines, checks, scope, asked: [], named: [], unclaimed: [], leftOut: [], spare: [] }
    const facts = {
      name: 'pairs',
      rerun: [],
      selection: [],
      probed: false,
      notes: [],
      startedAt: new Date(),
      begun: performance.now(),
      requests: 0,
    }
    const results = assembleResults(context, plan, { ...facts, notClaimed: [], unclaimedEngines: [], deviations: [] }, runs)
    await closeRun(context)
    return results
  } finally {
    await reference.close()
  }
}

/** One check as both recordings saw it: what either found violated stands. */
const both = (left: CheckResult, right: CheckResult): CheckResult => {
  const later = <T extends { exchange?: number }>(one: T): T =>
    one.exchange === undefined ? one : { ...one, exchange: one.exchange + FURTHER }
  const failed = [left, right].find(({ outcome }) => outcome === 'failed') ?? left
  const decided = [...left.decisions, ...right.decisions.map(later)]
  const undecided = (failed.undecided ?? []).filter(
    ({ clause }) => !decided.some((one) => one.clause === clause && one.outcome === 'violated'),
  )
  return {
    ...failed,
    decisions: decided,
    undecided,
    evidence: [...left.evidence, ...right.evidence.map((one) => ({ ...one, number: one.number + FURTHER }))],
  }
}

const isIdle = ({ requests, statuses }: OperationCoverage): boolean =>
  requests > 0 && Object.keys(statuses).every((status) => Number(status) >= 400)

/** An operation that one of the faults keeps from doing anything does nothing with both. */
const coverageOf = (left: Results, right: Results): OperationCoverage[] =>
  left.coverage.map((row) => {
    const other = right.coverage.find(({ operation }) => operation === row.operation) ?? row
    if (isIdle(row)) return row
    if (isIdle(other)) return other
    return { ...row, requests: row.requests + other.requests, statuses: { ...row.statuses, ...other.statuses } }
  })

/** Results as if one server had both faults. */
export const combined = (left: Results, right: Results): Results => {
  const others = new Map(right.checks.map((check) => [check.id, check]))
  const own = left.checks.map((check) => (others.has(check.id) ? both(check, others.get(check.id)!) : check))
  const known = new Set(left.checks.map(({ id }) => id))
  return { ...left, checks: [...own, ...right.checks.filter(({ id }) => !known.has(id))], coverage: coverageOf(left, right) }
}

/** Results in which known deviations cover all violations of these clauses, judged again. */
export const tolerating = (contract: Contract, results: Results, clauses: readonly string[]): Results => {
  const checks = results.checks.map((check) => ({
    ...check,
    decisions: check.decisions.map((one) =>
      one.outcome === 'violated' && clauses.includes(one.clause) ? { ...one, deviation: 'a team has accepted it' } : one,
    ),
  }))
  return toldAgain({ ...results, checks }, dependencesOf(contract))
}
