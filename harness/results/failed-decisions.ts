/** What failed or stayed undecided in results, as known deviations are matched against it. */
import type { CheckResult, Decision, DeviationRecord, Level, Results } from '../../specs/meta/results.ts'
import type { Deviation, Failure } from '../planning/deviations.ts'

const reasonOf = ({ message, expected = '', seen = '' }: Decision, check: CheckResult): string =>
  [message ?? check.reason, expected, seen].join('\n')

const OPEN = ['blocked', 'undecided']

/** Failed and blocked decisions of results, those that known deviations cover included. */
export const failuresIn = ({ checks, clauses }: Pick<Results, 'checks' | 'clauses'>): Failure[] => {
  const levels = new Map(clauses.map(({ id, level }): [string, Level] => [id, level]))
  return checks.flatMap((check) => {
    const about = (clause: string) => ({ clause, check: check.id, level: levels.get(clause) ?? 'open' })
    const violated = check.decisions.filter(({ outcome }) => outcome === 'violated')
    return [
      ...violated.map((one): Failure => ({ ...about(one.clause), outcome: 'violated', reason: reasonOf(one, check) })),
      ...(check.undecided ?? [])
        .filter(({ vote }) => OPEN.includes(vote))
        .map(({ clause }): Failure => ({ ...about(clause), outcome: 'blocked', reason: check.reason ?? '' })),
    ]
  })
}

const RAN = ['passed', 'failed', 'warned']

/** Clauses that the checks of results came to a decision on, with the check. */
export const decidedIn = ({ checks }: Pick<Results, 'checks'>): { clause: string; check: string }[] =>
  checks
    .filter(({ outcome, decisions }) => RAN.includes(outcome) || decisions.some((one) => one.outcome === 'violated'))
    .flatMap(({ id, clauses }) => clauses.map((clause) => ({ clause, check: id })))

/** The entries that results were matched against. */
export const entriesIn = ({ deviations }: { deviations: readonly DeviationRecord[] }): Deviation[] =>
  deviations.map(({ state: _, ...entry }) => entry)
