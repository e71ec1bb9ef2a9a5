/** How each part of the results stands towards the gate, so that every format says the same as the exit code. */
import type { CheckResult, Decision, GateReason, Results } from '../specs/meta/results.ts'

/** What a check means for the gate: `tolerated` is a failure that known deviations cover, `open` one that did not decide. */
export type Standing = 'fails' | 'errored' | 'tolerated' | 'open' | 'holds'

/** Reasons that a check shows by itself; the others belong to no check. */
const SHOWN_BY_CHECKS: GateReason['kind'][] = ['violated', 'advised', 'unstable', 'errored']

/** The reasons of the gate that no check shows: stale or expired deviations, and whatever makes a run incomplete. */
export const reasonsApart = ({ gateReasons }: Results): GateReason[] => gateReasons.filter(({ kind }) => !SHOWN_BY_CHECKS.includes(kind))

/** Whether a decision fails the gate, by itself or with its cause, in these results. */
export const failsGate = ({ clauses, failOn, gateReasons }: Results): ((decision: Decision) => boolean) => {
  const levels = new Map(clauses.map(({ id, level }) => [id, level]))
  const causes = new Map(clauses.map(({ id, causedBy = [] }) => [id, causedBy]))
  const failing = new Set(gateReasons.flatMap(({ kind, subject }) => (kind === 'violated' && subject !== undefined ? [subject] : [])))
  const stands = (clause: string, seen: readonly string[] = []): boolean =>
    failing.has(clause) || (causes.get(clause) ?? []).some((cause) => !seen.includes(cause) && stands(cause, [...seen, clause]))
  return ({ clause, outcome, deviation, causedBy }) => {
    if (outcome !== 'violated' || deviation !== undefined) return false
    if (causedBy !== undefined && !causedBy.some((cause) => stands(cause))) return false
    const level = levels.get(clause)
    return level === 'required' || (level === 'advised' && failOn.includes('advised'))
  }
}

const isViolated = ({ outcome }: Decision): boolean => outcome === 'violated'

/** Why a failure is tolerated: by an entry of its own, or by that of what it follows from. */
export const toleratedFor = ({ deviation, decisions }: CheckResult): string => {
  const causes = [...new Set(decisions.filter(isViolated).flatMap(({ causedBy = [] }) => causedBy))]
  return causes.length === 0 ? `known deviation: ${deviation ?? ''}` : `follows from ${causes.join(', ')}, which known deviations cover`
}

/** Tells how checks of these results stand. */
export const standingIn = (results: Results): ((check: CheckResult) => Standing) => {
  const fails = failsGate(results)
  return (check) => {
    if (check.outcome === 'errored') return 'errored'
    if (check.decisions.some(fails)) return 'fails'
    if (check.outcome === 'failed') return check.deviation === undefined && !check.decisions.some(isViolated) ? 'fails' : 'tolerated'
    if (check.outcome === 'blocked' || check.outcome === 'notClaimed') return 'open'
    return check.stability === 'unstable' && results.failOn.includes('unstable') ? 'fails' : 'holds'
  }
}
