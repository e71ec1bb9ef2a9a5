/** Decides the clauses that answers decide from the answers of all parts of a run. */
import type { AnswerFinding, CheckResult, Level, Results } from '../../specs/meta/results.ts'
import { OWN_DOING } from '../sending/unanswered.ts'

const SOFTENED: Record<Level, CheckResult['outcome']> = { required: 'failed', advised: 'warned', open: 'observed' }

const isAnswered = (parts: readonly Results[], operation: string): boolean =>
  parts.some(({ coverage }) => coverage.some((row) => row.operation === operation && row.requests > 0))

const isServed = (parts: readonly Results[], operation: string): boolean =>
  parts.some(({ coverage }) =>
    coverage.some((row) => row.operation === operation && Object.keys(row.statuses).some((status) => status.startsWith('2'))),
  )

/** Whether all parts together show what a finding says of an operation. */
const isShown = (parts: readonly Results[], { unanswered, unserved, count }: AnswerFinding): boolean => {
  if (unanswered !== undefined) return count >= OWN_DOING && !isAnswered(parts, unanswered)
  return unserved === undefined || (count >= OWN_DOING && !isServed(parts, unserved))
}

/** Findings of all parts, equal ones once; an operation does not fail if some part saw it answered, or saw it do something. */
const findingsOf = (parts: readonly Results[], clause: string): AnswerFinding[] => {
  const all = parts.flatMap(({ answers = [] }) => answers.filter((one) => one.clause === clause).flatMap(({ findings }) => findings))
  const together = new Map<string, AnswerFinding>()
  for (const finding of all) {
    const { unanswered, unserved, message } = finding
    const key = unanswered === undefined ? (unserved === undefined ? message : `unserved ${unserved}`) : `unanswered ${unanswered}`
    const known = together.get(key)
    together.set(key, known === undefined ? finding : { ...known, count: known.count + finding.count })
  }
  return [...together.values()].filter((finding) => isShown(parts, finding))
}

/**
 * The result of a check that answers decide, over all parts.
 *
 * @param check as the part that it belongs to saw it; it stays so where no part reached its clause.
 */
export const decideFromAnswers = (check: CheckResult, parts: readonly Results[], levels: ReadonlyMap<string, Level>): CheckResult => {
  const clause = check.clauses[0]!
  const findings = findingsOf(parts, clause)
  const lost = findings.filter(({ unanswered }) => unanswered !== undefined)
  const reached = parts.flatMap(({ answers = [] }) => answers).reduce((sum, one) => sum + (one.clause === clause ? one.reached : 0), 0)
  if (reached === 0 && findings.length === 0) return check
  const { reason: _, remedy: __, undecided: ___, stoppedBy: ____, ...base } = check
  if (findings.length === 0)
    return { ...base, outcome: 'passed', exchanges: reached, decisions: [{ clause, outcome: 'verified' }], evidence: [] }
  const among = Math.max(reached, ...findings.map(({ count }) => count)) + lost.reduce((sum, { count }) => sum + count, 0)
  const decisions = findings.map(({ message, count, check: seenIn, expected, seen, member }, at) => ({
    clause,
    outcome: 'violated' as const,
    message: `${message} (${count} of ${among} ${lost.length === 0 && findings.every(({ unserved }) => unserved === undefined) ? 'answers' : 'requests'}; seen in ${seenIn})`,
    expected,
    seen,
    exchange: at + 1,
    ...(member === undefined ? {} : { member }),
  }))
  return {
    ...base,
    outcome: SOFTENED[levels.get(clause) ?? 'open'],
    reason: decisions[0]!.message,
    exchanges: reached,
    decisions,
    evidence: findings.map(({ exchange }, at) => ({ ...exchange, number: at + 1 })),
  }
}
