/** What an effort tries of a selection; where that leaves a clause open, others are tried for it. */
import { DRAWN, isRunnable } from '../checks/check.ts'
import type { CheckDefinition, RunnableCheck } from '../checks/vocabulary.ts'
import type { Effort } from '../target/configured-names.ts'
import { checkCosts } from './check-costs.ts'
import { effortLevels, isWithin } from './effort-levels.ts'
import { sampled } from './sample-order.ts'

/** So many requests weigh as much as a second that a check waits. */
const REQUESTS_PER_SECOND = 20
/** What is selected is the same whatever the seed of a run. */
const UNSEEDED = 1

const costOf = (): ((check: RunnableCheck) => number) => {
  const costs = checkCosts()
  return (check) => {
    const { requests, seconds } = costs(check)
    return requests + seconds * REQUESTS_PER_SECOND
  }
}

/** What a check decides for certain: one that draws its cases counts for what no other of `all` decides, as it may not come to the rest. */
const certainOf = (all: readonly CheckDefinition[]): ((check: CheckDefinition) => string[]) => {
  const isDrawn = ({ kind }: CheckDefinition): boolean => DRAWN.includes(kind)
  const certain = new Set(all.filter((check) => !isDrawn(check)).flatMap(({ clauses }) => clauses))
  return (check) => (isDrawn(check) ? check.clauses.filter((clause) => !certain.has(clause)) : check.clauses)
}

/**
 * What an effort tries of some checks. The levels are made for all engines together: in a selection a required clause may be left to none, and then gets
 * the check of the selection that costs least.
 *
 * @param isRequired whether a clause has to be decided at every effort.
 * @returns `tried`: the checks of that level and those below it, all that schemas decide, and what is added; `others`: what is left out.
 */
export const checksOfEffort = (
  checks: readonly CheckDefinition[],
  effort: Effort,
  isRequired: (clause: string) => boolean,
): { tried: CheckDefinition[]; others: RunnableCheck[] } => {
  const levelOf = effortLevels()
  const isOfLevel = (check: CheckDefinition): boolean => !isRunnable(check) || isWithin(levelOf(check), effort)
  const others = checks.filter(isRunnable).filter((check) => !isOfLevel(check))
  const certain = certainOf(checks)
  const decided = new Set(checks.filter(isOfLevel).flatMap(certain))
  const open = others.flatMap(certain).filter((clause) => isRequired(clause) && !decided.has(clause))
  const added = new Set<CheckDefinition>(open.length === 0 ? [] : sampled(others, costOf(), UNSEEDED, open).first)
  return { tried: checks.filter((check) => isOfLevel(check) || added.has(check)), others: others.filter((check) => !added.has(check)) }
}

/** A check that was tried, with what it decided. */
interface Tried {
  check: Pick<CheckDefinition, 'clauses'>
  decisions: readonly { clause: string; outcome: string }[]
}

/** What a run falls back on. */
export interface Spare {
  /** Checks that were left out and that the target has what they need for. */
  checks: readonly RunnableCheck[]
  /** Clauses whose checks could not be tried at all. */
  clauses: readonly string[]
}

/**
 * What is tried for clauses of which no check came to a decision, as the target lacks what these need.
 *
 * @param runs what became of the checks that were tried.
 * @param isRequired whether a clause has to be decided: for others an observation is enough.
 */
export const forUndecided = (
  runs: readonly Tried[],
  spare: Spare,
  seed: number,
  isRequired: (clause: string) => boolean,
): RunnableCheck[] => {
  const decisions = runs.flatMap((run) => run.decisions)
  const decided = new Set(
    decisions.filter(({ clause, outcome }) => outcome !== 'observed' || !isRequired(clause)).map(({ clause }) => clause),
  )
  const concerned = new Set([...runs.flatMap(({ check }) => check.clauses), ...spare.clauses])
  const open = [...concerned].filter((clause) => !decided.has(clause))
  return open.length === 0 ? [] : sampled(spare.checks, costOf(), seed, open).first
}
