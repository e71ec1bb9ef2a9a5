/** Known deviations of a target: failures that a team has accepted, with reason, owner and end. */
import type { DeviationRecord, Level } from '../../specs/meta/results.ts'

/** One entry of a deviations file: a record of the results before anything was held against it. */
export type Deviation = Omit<DeviationRecord, 'state'>

/** One failed or blocked decision, as deviations are matched against it. */
export interface Failure {
  clause: string
  level: Level
  check: string
  outcome: 'violated' | 'blocked'
  reason: string
}

/** Turns a pattern with `*` into a test of whole names. */
export const patternOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  )

type Judged = Pick<Failure, 'clause' | 'check'>

/** An entry also covers what was split off from its clause, so that a file outlives a later suite. */
const names = ({ clause, splitInto = [] }: Deviation, one: string): boolean => clause === one || splitInto.includes(one)

const isAbout = (entry: Deviation, { clause, check }: Judged): boolean =>
  names(entry, clause) && (entry.check === undefined || patternOf(entry.check).test(check))

const covers = (entry: Deviation, failure: Failure): boolean =>
  isAbout(entry, failure) &&
  (entry.outcome ?? 'violated') === failure.outcome &&
  (entry.signature === undefined || failure.reason.includes(entry.signature))

const isExpired = (entry: Deviation, today: string): boolean => entry.expires !== undefined && entry.expires < today

/** What became of entries and failures. */
export interface Matched {
  records: DeviationRecord[]
  /** Failures that no valid entry covers. */
  uncovered: Failure[]
  /** Reason of the entry by check and clause, for the report. */
  reasons: Map<string, string>
}

/**
 * Holds failures against known deviations.
 *
 * @param decided clauses that this run decided, with the check: an entry for one of them that matches nothing is stale.
 * @param leftOut clauses with checks that this run left out: an entry that one of those may still match is not stale.
 * @param today `YYYY-MM-DD`.
 */
export const matchDeviations = (
  entries: readonly Deviation[],
  failures: readonly Failure[],
  decided: readonly Judged[],
  leftOut: readonly Judged[],
  today: string,
): Matched => {
  const reasons = new Map<string, string>()
  const covered = new Set<Failure>()
  const records = entries.map((entry): DeviationRecord => {
    const matching = failures.filter((failure) => covers(entry, failure))
    if (isExpired(entry, today)) return { ...entry, state: 'expired' }
    for (const failure of matching) {
      covered.add(failure)
      reasons.set(`${failure.check} ${failure.clause}`, entry.reason)
    }
    if (matching.length > 0) return { ...entry, state: 'matched' }
    if (failures.some((failure) => names(entry, failure.clause))) return { ...entry, state: 'other' }
    const wasTested = decided.some((one) => isAbout(entry, one)) && !leftOut.some((one) => isAbout(entry, one))
    if (!wasTested) return { ...entry, state: 'unused' }
    // What was split off may be open by now: then no failure can show whether the target still does it.
    return { ...entry, state: entry.occurs === 'sometimes' || entry.splitInto !== undefined ? 'absent' : 'stale' }
  })
  const uncovered = failures.filter((failure) => !covered.has(failure))
  // A check that also fails in a new way is not a known deviation.
  for (const failure of uncovered) reasons.delete(`${failure.check} ${failure.clause}`)
  return { records, uncovered, reasons }
}
