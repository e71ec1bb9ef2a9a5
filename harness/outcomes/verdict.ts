/** From what checks saw to outcomes of clauses, verdicts of engines and the gate. */

import type { Vote } from '../../specs/meta/outcomes.ts'
import type { ClauseCounts, ClauseOutcome, EngineResult, Level, Verdict } from '../../specs/meta/results.ts'
import { DRAWN } from '../checks/check.ts'
import type { Clause } from '../contract/contract.ts'
import type { CheckRun } from '../running/check-run.ts'

/** The vote of a finished check on one of its clauses. */
export const voteOf = (run: CheckRun, clause: string): Vote => {
  const decisions = run.decisions.filter((decision) => decision.clause === clause)
  if (decisions.some((decision) => decision.outcome === 'violated')) return 'violated'
  if (run.outcome === 'errored') return 'errored'
  if (decisions.some((decision) => decision.outcome === 'verified')) return 'verified'
  if (decisions.length > 0) return 'observed'
  const isLeft = run.leftToOthers === true || (run.outcome === 'failed' && DRAWN.includes(run.check.kind))
  return isLeft ? 'undecided' : 'blocked'
}

const VIOLATED: Record<Level, ClauseOutcome> = { required: 'violated', advised: 'warned', open: 'observed' }
const ORDER: Vote[] = ['violated', 'errored', 'blocked', 'verified', 'undecided', 'observed', 'notExercised', 'notClaimed']

/** The outcome of a clause from the votes of its checks. */
export const outcomeOf = (clause: Pick<Clause, 'level' | 'excluded'>, votes: readonly Vote[]): ClauseOutcome => {
  if (votes.length === 0) return clause.excluded === undefined ? 'notExercised' : 'excluded'
  const strongest = ORDER.find((vote) => votes.includes(vote))!
  if (strongest === 'violated') return VIOLATED[clause.level]
  if (strongest === 'undecided') return 'blocked'
  return clause.level === 'open' && strongest === 'verified' ? 'observed' : strongest
}

const NONE: ClauseCounts = {
  verified: 0,
  violated: 0,
  warned: 0,
  observed: 0,
  blocked: 0,
  errored: 0,
  notExercised: 0,
  notClaimed: 0,
  excluded: 0,
  total: 0,
}

export const countOutcomes = (outcomes: readonly ClauseOutcome[]): ClauseCounts => {
  const counts = { ...NONE }
  for (const outcome of outcomes) counts[outcome] += 1
  counts.total = outcomes.length
  return counts
}

interface JudgedClause {
  level: Level
  outcome: ClauseOutcome
}

/**
 * The verdict of an engine. Conformant needs a required clause that was verified, and none that a check left undecided; an engine of which
 * nothing required is claimed says so, whatever else was seen of it.
 *
 * @param narrowed not all of its checks were selected: what was left out is then no gap, and what was selected is not the whole.
 */
export const engineVerdict = (clauses: readonly JudgedClause[], narrowed: boolean): Verdict => {
  const required = clauses.filter((clause) => clause.level === 'required').map((clause) => clause.outcome)
  const only = (...outcomes: ClauseOutcome[]) => required.every((outcome) => outcomes.includes(outcome))
  if (required.includes('violated')) return 'nonConformant'
  if (required.includes('notClaimed') && only('notClaimed', 'excluded')) return 'notClaimed'
  if (required.includes('blocked') || required.includes('errored')) return 'incomplete'
  if (narrowed) return 'partial'
  return required.includes('verified') && !required.includes('notExercised') ? 'conformant' : 'incomplete'
}

/** What the verdict of a run depends on beside its engines. */
export interface Scope {
  /** Not every check of the target's engines was selected. */
  narrowed: boolean
  /** What was asked for by name and cannot be tested. */
  unmet: readonly string[]
  /** The run did not come to its end. */
  cutShort: boolean
  /** Some check decided something. */
  decided: boolean
}

/** The verdict of the run as a whole: that of its worst engine, and conformant only of all that the target claims. */
export const overallVerdict = (engines: readonly EngineResult[], { narrowed, unmet, cutShort, decided }: Scope): Verdict => {
  const verdicts = engines.map((engine) => engine.verdict)
  if (verdicts.includes('nonConformant')) return 'nonConformant'
  if (verdicts.includes('incomplete') || unmet.length > 0 || cutShort || !decided) return 'incomplete'
  if (narrowed || verdicts.includes('partial')) return 'partial'
  return verdicts.includes('conformant') ? 'conformant' : 'incomplete'
}
