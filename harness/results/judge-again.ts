/** Tells outcomes, verdicts and the gate again from what the checks of results say, by the rules of a run. */
import type { Vote } from '../../specs/meta/outcomes.ts'
import type { CheckResult, ClauseOutcome, ClauseResult, EngineResult, Results, Verdict } from '../../specs/meta/results.ts'
import { votedWith } from '../outcomes/clause-causes.ts'
import { gateOf } from '../outcomes/gate.ts'
import { countOutcomes, engineVerdict, outcomeOf, overallVerdict } from '../outcomes/verdict.ts'
import { isNarrowed, isNarrowedWithin } from '../planning/scope.ts'

/** The vote of a check on one of its clauses. */
const voteIn = ({ outcome, decisions, undecided = [] }: CheckResult, clause: string): Vote => {
  const mine = decisions.filter((one) => one.clause === clause).map((one) => one.outcome)
  if (mine.includes('violated')) return 'violated'
  if (outcome === 'errored') return 'errored'
  if (mine.includes('verified')) return 'verified'
  if (mine.length > 0) return 'observed'
  const left = undecided.find((one) => one.clause === clause)
  return votedWith(left?.vote ?? 'blocked', left?.causedBy)
}

const votesByClause = (checks: readonly CheckResult[]): Map<string, Vote[]> => {
  const votes = new Map<string, Vote[]>()
  for (const check of checks) {
    if (check.outcome === 'notClaimed') continue
    for (const clause of check.clauses) votes.set(clause, [...(votes.get(clause) ?? []), voteIn(check, clause)])
  }
  return votes
}

/** What may be said of a clause without a vote, and only there. */
const WITHOUT_VOTES: ClauseOutcome[] = ['notExercised', 'notClaimed', 'excluded']

/** The outcome of each clause, by id; one without a vote keeps its outcome, which says why. */
export const outcomesAgain = ({ checks, clauses, scope }: Pick<Results, 'checks' | 'clauses' | 'scope'>): Map<string, ClauseOutcome> => {
  const votes = votesByClause(checks)
  const again = ({ id, engine, level, outcome }: ClauseResult): ClauseOutcome => {
    const mine = votes.get(id) ?? []
    if (!scope.claimed.includes(engine) && !mine.includes('violated')) return 'notClaimed'
    if (mine.length > 0) return outcomeOf({ level }, mine)
    return WITHOUT_VOTES.includes(outcome) ? outcome : 'notExercised'
  }
  return new Map(clauses.map((clause) => [clause.id, again(clause)]))
}

/** The counts and the verdict of each engine, from the outcomes of its clauses. */
export const enginesAgain = ({ engines, clauses, scope }: Pick<Results, 'engines' | 'clauses' | 'scope'>): EngineResult[] =>
  engines.map((engine) => {
    const mine = clauses.filter((clause) => clause.engine === engine.id)
    return {
      ...engine,
      verdict: engineVerdict(mine, isNarrowedWithin(scope) || !scope.engines.includes(engine.id)),
      clauses: countOutcomes(mine.map(({ outcome }) => outcome)),
    }
  })

const about = ({ gateReasons }: Results, wanted: Results['gateReasons'][number]['kind']) =>
  gateReasons.filter(({ kind }) => kind === wanted)

/** The verdict and the gate of results; what only the run itself can know (cut short, asked for and not claimed) is taken from their reasons. */
export const verdictAgain = (results: Results): { verdict: Verdict } & Pick<Results, 'gate' | 'gateReasons'> => {
  const unmet = about(results, 'notClaimed').map(({ message, subject }) => ({ message, ...(subject === undefined ? {} : { subject }) }))
  const cutShort = about(results, 'cutShort').length > 0
  return {
    verdict: overallVerdict(results.engines, {
      narrowed: isNarrowed(results.scope),
      unmet: unmet.map(({ message }) => message),
      cutShort,
      decided: results.checks.some(({ decisions }) => decisions.length > 0),
    }),
    ...gateOf({ ...results, unmet, cutShort }),
  }
}
