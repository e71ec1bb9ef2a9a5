/** What an effort tries of a selection; where that leaves a clause open, others are tried for it. */
import { isRunnable } from '../checks/check.ts'
import type { CheckDefinition, RunnableCheck } from '../checks/vocabulary.ts'
import type { Effort } from '../target/configured-names.ts'
import { checkCosts } from './check-costs.ts'
import { effortLevels, isWithin } from './effort-levels.ts'
import { sampled } from './sample-order.ts'

/** So many requests weigh as much as a second that a check waits. */
const REQUESTS_PER_SECOND = 20

const costOf = (): ((check: RunnableCheck) => number) => {
  const costs = checkCosts()
  return (check) => {
    const { requests, seconds } = costs(check)
    return requests + seconds * REQUESTS_PER_SECOND
  }
}

/**
 * What an effort tries.
 *
 * @returns `tried`: the checks of that level and those below it, and all that schemas decide; `others`: what is left out.
 */
export const checksOfEffort = (
  checks: readonly CheckDefinition[],
  effort: Effort,
): { tried: CheckDefinition[]; others: RunnableCheck[] } => {
  const levelOf = effortLevels()
  const isTried = (check: CheckDefinition): boolean => !isRunnable(check) || isWithin(levelOf(check), effort)
  return { tried: checks.filter(isTried), others: checks.filter(isRunnable).filter((check) => !isTried(check)) }
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
