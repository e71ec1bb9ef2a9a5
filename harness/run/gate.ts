/** The gate: whether a run passes, after known deviations, and every reason why it does not. */
import type { ClauseResult, DeviationRecord, EngineResult, FailOn, GateReason, Results } from '../../specs/meta/results.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Matched } from './deviations.ts'
import type { CheckRun } from './execute.ts'
import type { Named, Plan } from './plan.ts'

/** What the gate looks at. */
export interface Judged {
  plan: Plan
  runs: readonly CheckRun[]
  engines: readonly EngineResult[]
  clauses: readonly ClauseResult[]
  matched: Matched
  /** Checks that this machine cannot exercise. */
  notClaimed: readonly CheckDefinition[]
  /** Why it cannot, and what to do about it. */
  whyNot: (check: CheckDefinition) => string[]
  failOn: readonly FailOn[]
  /** The run did not come to its end. */
  cutShort: boolean
}

type Found = Pick<GateReason, 'message' | 'subject'>

type Asked = Pick<Judged, 'plan' | 'engines' | 'clauses' | 'notClaimed' | 'whyNot'>

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

const recordsIn = ({ matched }: Judged, state: DeviationRecord['state']): Found[] =>
  matched.records
    .filter((record) => record.state === state)
    .map((record) => ({ subject: record.clause, message: DEVIATION_SENTENCES[state]!(record) }))

/** Clauses of one level that are violated where no known deviation covers it. */
const uncovered = ({ matched }: Judged, level: 'required' | 'advised'): string[] => [
  ...new Set(matched.uncovered.filter((failure) => failure.outcome === 'violated' && failure.level === level).map(({ clause }) => clause)),
]

const UNDECIDED = ['blocked', 'notExercised']

/** Required clauses that were not decided, known deviations of that kind aside, and engines of which nothing required was verified. */
const undecidedOf = ({ plan, clauses, engines, matched }: Judged): Found[] => {
  const accepted = new Set(matched.reasons.keys())
  const open = clauses.filter(({ level, outcome }) => level === 'required' && UNDECIDED.includes(outcome))
  const counted = open.filter(({ id, outcome, checks }) => {
    if (outcome === 'notExercised' && plan.narrowedWithin) return false
    return !checks.some((check) => accepted.has(`${check} ${id}`))
  })
  const required = (engine: EngineResult) => clauses.filter((clause) => clause.engine === engine.id && clause.level === 'required')
  const bare = engines.filter(
    (engine) => engine.verdict === 'incomplete' && !required(engine).some(({ outcome }) => [...UNDECIDED, 'errored'].includes(outcome)),
  )
  return [
    ...counted.map(({ id, reason }) => ({ subject: id, message: `${id} was not decided: ${reason ?? 'no check reached it'}` })),
    ...bare.map(({ id }) => ({ subject: id, message: `no required clause of ${id} was verified: nothing can be said of it` })),
  ]
}

const nothingDecided = ({ runs, engines }: Judged): Found[] => {
  if (engines.every((engine) => engine.verdict === 'notClaimed'))
    return [
      {
        message:
          'nothing of the selection is claimed by the target: check the URL, --api and --dialect, or name its engines in the configuration',
      },
    ]
  if (runs.some((run) => run.decisions.length > 0)) return []
  return [{ message: 'no check of the selection decided anything: the target does not claim what it asks for' }]
}

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
    find: (judged) => uncovered(judged, 'required').map((subject) => ({ subject, message: `${subject} is violated` })),
  },
  { gate: 'failed', kind: 'unexpectedPass', find: (judged) => recordsIn(judged, 'stale') },
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
    find: ({ runs, failOn }) =>
      runs
        .filter((run) => failOn.includes('unstable') && run.notes.stability === 'unstable' && run.outcome !== 'failed')
        .map(({ check: { id } }) => ({ subject: id, message: `${id} failed once and passed when it was repeated (--fail-on unstable)` })),
  },
  {
    gate: 'errored',
    kind: 'errored',
    find: ({ runs }) =>
      runs
        .filter((run) => run.outcome === 'errored')
        .map(({ check: { id }, reason }) => ({ subject: id, message: `${id}: ${reason ?? 'no reason was recorded'}` })),
  },
  { gate: 'incomplete', kind: 'cutShort', find: ({ cutShort }) => (cutShort ? [{ message: 'the run was cut short' }] : []) },
  { gate: 'incomplete', kind: 'notClaimed', find: unmetOf },
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
