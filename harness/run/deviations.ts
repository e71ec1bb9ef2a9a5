/** Known deviations of a target: failures that a team has accepted, with reason, owner and end. */
import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { DeviationRecord, Level } from '../../specs/meta/results.ts'
import { requireKnown, UsageError } from '../base/usage.ts'
import type { Contract } from '../contract/contract.ts'
import { problemsOf } from '../contract/documents.ts'

/** One entry of a deviations file. */
export interface Deviation {
  clause: string
  /** Check id, or a pattern with `*`; absent: any check of the clause. */
  check?: string
  /** Text that the failure's reason must contain. */
  signature?: string
  /** `blocked`: the clause cannot be decided on this target; default `violated`. */
  outcome?: 'violated' | 'blocked'
  reason: string
  owner: string
  link?: string
  /** Last day on which the entry holds, `YYYY-MM-DD`. */
  expires?: string
}

/** One failed or blocked decision, as deviations are matched against it. */
export interface Failure {
  clause: string
  level: Level
  check: string
  outcome: 'violated' | 'blocked'
  reason: string
}

/**
 * Reads a deviations file.
 *
 * @throws UsageError for a file that is missing, unreadable, misshapen or names unknown clauses.
 */
export const readDeviations = (file: string, contract: Contract): Deviation[] => {
  if (!existsSync(file)) throw new UsageError(`deviations file ${file} does not exist`)
  let document: unknown
  try {
    document = parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`deviations file ${file} is not readable YAML: ${(error as Error).message.split('\n')[0]}`)
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new UsageError(`deviations file ${file} must hold a list under \`deviations:\` (see: targets/README.md)`)
  const problems = problemsOf('deviations', document)
  if (problems.length > 0) throw new UsageError(`deviations file ${file}:\n  ${problems.join('\n  ')}`)
  const { deviations } = document as { deviations: Deviation[] | null }
  requireKnown(
    `clause in ${file}:`,
    (deviations ?? []).map((entry) => entry.clause),
    [...contract.clauses.keys()],
  )
  return deviations ?? []
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

const isAbout = (entry: Deviation, { clause, check }: Judged): boolean =>
  entry.clause === clause && (entry.check === undefined || patternOf(entry.check).test(check))

const covers = (entry: Deviation, failure: Failure): boolean =>
  isAbout(entry, failure) &&
  (entry.outcome ?? 'violated') === failure.outcome &&
  (entry.signature === undefined || failure.reason.includes(entry.signature))

const isExpired = (entry: Deviation, today: string): boolean => entry.expires !== undefined && entry.expires < today

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
    const { outcome: _, ...shown } = entry
    const matching = failures.filter((failure) => covers(entry, failure))
    if (isExpired(entry, today)) return { ...shown, state: 'expired' }
    for (const failure of matching) {
      covered.add(failure)
      reasons.set(`${failure.check} ${failure.clause}`, entry.reason)
    }
    if (matching.length > 0) return { ...shown, state: 'matched' }
    if (failures.some((failure) => failure.clause === entry.clause)) return { ...shown, state: 'other' }
    const wasTested = decided.some((one) => isAbout(entry, one)) && !leftOut.some((one) => isAbout(entry, one))
    return { ...shown, state: wasTested ? 'stale' : 'unused' }
  })
  const uncovered = failures.filter((failure) => !covered.has(failure))
  // A check that also fails in a new way is not a known deviation.
  for (const failure of uncovered) reasons.delete(`${failure.check} ${failure.clause}`)
  return { records, uncovered, reasons }
}
