/** The gate: whether a run passes, after known deviations, and every reason why it does not. */

import { byExplaining } from '../../specs/meta/explaining.ts'
import type { CheckResult, ClauseResult, DeviationRecord, EngineResult, GateReason, Results } from '../../specs/meta/results.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Named, Plan } from '../planning/plan.ts'
import { isNarrowedWithin } from '../planning/scope.ts'

/** What the gate looks at: parts of the results, of a run or of a file of them. */
export interface Judged extends Pick<Results, 'scope' | 'checks' | 'engines' | 'clauses' | 'deviations' | 'failOn'> {
  /** What was asked for by name and cannot be tested. */
  unmet: readonly Found[]
  /** The run did not come to its end. */
  cutShort: boolean
  target: Pick<Results['target'], 'apis'>
}

export type Found = Pick<GateReason, 'message' | 'subject'>

interface Asked {
  plan: Plan
  engines: readonly EngineResult[]
  clauses: readonly ClauseResult[]
  /** Checks that this machine cannot exercise. */
  notClaimed: readonly CheckDefinition[]
  /** Why it cannot, and what to do about it. */
  whyNot: (check: CheckDefinition) => string[]
}

/** Whether nothing that a word of the selection names can be tested; what no target claims is said elsewhere. */
const isOutOfReach = ({ word, clauses: named, checks }: Named, { plan, clauses, notClaimed }: Asked): boolean => {
  if (plan.unclaimed.includes(word) || (named.length === 0 && checks.length === 0)) return false
  const isNotClaimed = (id: string) => clauses.find((clause) => clause.id === id)?.outcome === 'notClaimed'
  return named.every(isNotClaimed) && checks.every((id) => notClaimed.some((check) => check.id === id))
}

const cannotBeTested = (word: string, why: readonly (string | undefined)[]): string =>
  [`${word} was asked for and cannot be tested here`, ...new Set(why)].filter(Boolean).join(': ')

/** Engines, clauses and checks that were asked for by name and cannot be tested, with what to do about it. */
export const unmetOf = (asked: Asked): (Found & { subject: string })[] => {
  const { plan, engines, notClaimed, whyNot } = asked
  const whyNone = ({ clauses, checks }: Named): string[] => {
    const lacking = notClaimed.find((check) => checks.includes(check.id) || check.clauses.some((clause) => clauses.includes(clause)))
    return lacking === undefined ? [] : whyNot(lacking)
  }
  return [
    ...plan.unclaimed.map((subject) => ({
      subject,
      message: `${subject} was asked for and the target does not claim it: leave it out, or name its engine in the configuration`,
    })),
    ...engines
      .filter(({ id, verdict }) => verdict === 'notClaimed' && plan.asked.includes(id))
      .map(({ id, reason, remedy }) => ({ subject: id, message: cannotBeTested(id, [reason, remedy]) })),
    ...plan.named
      .filter((named) => isOutOfReach(named, asked))
      .map((named) => ({ subject: named.word, message: cannotBeTested(named.word, whyNone(named)) })),
  ]
}

const DEVIATION_SENTENCES: Partial<Record<DeviationRecord['state'], (record: DeviationRecord) => string>> = {
  stale: ({ clause }) => `a known deviation no longer occurs: ${clause} holds now; remove its entry`,
  expired: ({ clause, expires }) => `a known deviation has expired: that of ${clause} on ${expires}; mend the server or renew the entry`,
}

const recordsIn = ({ deviations }: Judged, state: DeviationRecord['state']): Found[] =>
  deviations
    .filter((record) => record.state === state)
    .map((record) => ({ subject: record.clause, message: DEVIATION_SENTENCES[state]!(record) }))

/** Clauses of one level that are violated where neither a known deviation nor another reported violation covers it. */
const uncovered = ({ checks, clauses }: Judged, level: 'required' | 'advised'): string[] => {
  const held = new Set(clauses.filter((clause) => clause.level === level).map(({ id }) => id))
  const violated = checks.flatMap(({ decisions }) =>
    decisions.filter((one) => one.outcome === 'violated' && one.deviation === undefined && one.causedBy === undefined),
  )
  return [...new Set(violated.map(({ clause }) => clause).filter((clause) => held.has(clause)))].sort(byExplaining(clauses))
}

/** What stands under violated clauses, after the sentence that names one. */
const withConsequences = (id: string, { clauses }: Judged): string => {
  const under = clauses.filter(({ causedBy = [] }) => causedBy.includes(id))
  const follow = under.filter(({ outcome }) => outcome === 'violated').length
  const rest = under.length - follow
  const said = [
    ...(follow === 0 ? [] : [follow === 1 ? '1 violation follows from it' : `${follow} violations follow from it`]),
    ...(rest === 0 ? [] : [rest === 1 ? '1 clause rests on it' : `${rest} clauses rest on it`]),
  ]
  return said.length === 0 ? '' : `: ${said.join(', ')}`
}

const lackedIn = ({ target }: Judged): { without: Set<string>; present: Set<string> } => ({
  without: new Set(target.apis.flatMap(({ without = [] }) => without)),
  present: new Set(target.apis.flatMap(({ present = [] }) => present)),
})

/** What the configuration says is lacking, and is there. */
const unlacked = (judged: Judged): Found[] =>
  [...lackedIn(judged).present].map((subject) => ({ subject, message: `${subject} stands in without, and the target has it: take it out` }))

const UNDECIDED = ['blocked', 'notExercised']

/** Required clauses that were not decided, known deviations of that kind and reported causes aside, and engines of which nothing required was verified. */
const undecidedOf = (judged: Judged): Found[] => {
  const { scope, clauses, engines, checks } = judged
  const left = checks.flatMap(({ undecided = [] }) => undecided)
  const accepted = new Set(left.filter(({ deviation }) => deviation !== undefined).map(({ clause }) => clause))
  const open = clauses.filter(({ level, outcome }) => level === 'required' && UNDECIDED.includes(outcome))
  const reported = new Set([...clauses.filter(({ outcome }) => outcome === 'violated').map(({ id }) => id), ...lackedIn(judged).without])
  const isExplained = ({ causedBy }: ClauseResult) => causedBy?.every((cause) => reported.has(cause)) === true
  const counted = open.filter(
    (clause) => !(clause.outcome === 'notExercised' && isNarrowedWithin(scope)) && !accepted.has(clause.id) && !isExplained(clause),
  )
  const decides = ({ id, outcome, causedBy }: ClauseResult) =>
    outcome === 'errored' || (UNDECIDED.includes(outcome) && (causedBy === undefined || counted.some((one) => one.id === id)))
  const required = (engine: EngineResult) => clauses.filter((clause) => clause.engine === engine.id && clause.level === 'required')
  const bare = engines.filter(
    (engine) => engine.verdict === 'incomplete' && !required(engine).some((one) => one.outcome === 'verified' || decides(one)),
  )
  // What leaves most undecided comes first, as on the page.
  const shares = new Map<string | undefined, number>()
  for (const { reason } of counted) shares.set(reason, (shares.get(reason) ?? 0) + 1)
  const byShare = counted.sort((left, right) => shares.get(right.reason)! - shares.get(left.reason)!)
  return [
    ...byShare.map(({ id, reason }) => ({ subject: id, message: `${id} was not decided: ${reason ?? 'no check reached it'}` })),
    ...bare.map(({ id }) => ({ subject: id, message: `no required clause of ${id} was verified: nothing can be said of it` })),
  ]
}

const nothingDecided = ({ scope, checks, engines }: Judged): Found[] => {
  if (engines.every((engine) => engine.verdict === 'notClaimed'))
    return [
      {
        message:
          'nothing of the selection is claimed by the target: check the URL, --api and --dialect, or name its engines in the configuration',
      },
    ]
  if (checks.some(({ decisions }) => decisions.length > 0)) return []
  if (scope.sample?.seconds !== undefined)
    return [{ message: `nothing could be tried within ${scope.sample.seconds} s: give the run more time` }]
  return [{ message: 'no check of the selection decided anything: the target does not claim what it asks for' }]
}

/** Failed once, and held when it was repeated. */
const isUnstableResult = ({ stability, decisions }: CheckResult): boolean =>
  stability === 'unstable' && !decisions.some(({ outcome }) => outcome === 'violated')

interface Row {
  gate: GateReason['gate']
  /** Said only where nothing else is. */
  alone?: boolean
  kind: GateReason['kind']
  find: (judged: Judged) => Found[]
}

/** Every reason there is, the worst first. */
const ROWS: Row[] = [
  {
    gate: 'failed',
    kind: 'violated',
    find: (judged) =>
      uncovered(judged, 'required').map((subject) => ({ subject, message: `${subject} is violated${withConsequences(subject, judged)}` })),
  },
  { gate: 'failed', kind: 'unexpectedPass', find: (judged) => recordsIn(judged, 'stale') },
  { gate: 'failed', kind: 'unexpectedFeature', find: unlacked },
  { gate: 'failed', kind: 'expired', find: (judged) => recordsIn(judged, 'expired') },
  {
    gate: 'failed',
    kind: 'advised',
    find: (judged) =>
      judged.failOn.includes('advised')
        ? uncovered(judged, 'advised').map((subject) => ({
            subject,
            message: `${subject} is advised and does not hold (--fail-on advised)`,
          }))
        : [],
  },
  {
    gate: 'failed',
    kind: 'unstable',
    find: ({ checks, failOn }) =>
      checks
        .filter((check) => failOn.includes('unstable') && isUnstableResult(check))
        .map(({ id }) => ({ subject: id, message: `${id} failed once and passed when it was repeated (--fail-on unstable)` })),
  },
  {
    gate: 'errored',
    kind: 'errored',
    find: ({ checks }) =>
      checks
        .filter(({ outcome }) => outcome === 'errored')
        .map(({ id, reason }) => ({ subject: id, message: `${id}: ${reason ?? 'no reason was recorded'}` })),
  },
  { gate: 'incomplete', kind: 'cutShort', find: ({ cutShort }) => (cutShort ? [{ message: 'the run was cut short' }] : []) },
  { gate: 'incomplete', kind: 'notClaimed', find: ({ unmet }) => [...unmet] },
  // A run that was cut short has left the rest undecided, which needs no saying clause by clause.
  { gate: 'incomplete', kind: 'undecided', find: (judged) => (judged.cutShort ? [] : undecidedOf(judged)) },
  { gate: 'incomplete', kind: 'nothingDecided', alone: true, find: nothingDecided },
]

/** Whether the run passes, and every reason why not, the worst first. */
export const gateOf = (judged: Judged): Pick<Results, 'gate' | 'gateReasons'> => {
  const gateReasons: GateReason[] = []
  for (const { gate, kind, alone, find } of ROWS) {
    if (alone !== true || gateReasons.length === 0) gateReasons.push(...find(judged).map((found) => ({ gate, kind, ...found })))
  }
  return { gate: gateReasons[0]?.gate ?? 'passed', gateReasons }
}
