/** The gate: whether a run passes, after known deviations. */
import type { ClauseResult, EngineResult, Results } from '../../specs/meta/results.ts'
import type { RunContext } from './context.ts'
import type { Matched } from './deviations.ts'
import type { CheckRun } from './execute.ts'
import type { Plan } from './plan.ts'

/** Violations and stale deviations come first, then our own mistakes, then what was left undecided. */
export const gateOf = (
  context: RunContext,
  plan: Plan,
  runs: CheckRun[],
  engines: EngineResult[],
  clauses: ClauseResult[],
  matched: Matched,
): Pick<Results, 'gate' | 'gateReasons'> => {
  const reasons: string[] = []
  const violated = matched.uncovered.filter((failure) => failure.outcome === 'violated')
  for (const clause of new Set(violated.map((failure) => failure.clause))) reasons.push(`${clause} is violated`)
  for (const record of matched.records) {
    if (record.state === 'stale') reasons.push(`the known deviation of ${record.clause} no longer occurs: remove its entry`)
    if (record.state === 'expired') reasons.push(`the known deviation of ${record.clause} expired on ${record.expires}`)
  }
  if (reasons.length > 0) return { gate: 'failed', gateReasons: reasons }
  const errored = runs.filter((run) => run.outcome === 'errored')
  if (errored.length > 0) return { gate: 'errored', gateReasons: errored.map((run) => `${run.check.id}: ${run.reason}`) }
  if (context.signal.aborted) return { gate: 'incomplete', gateReasons: ['the run was cut short'] }
  const accepted = new Set(matched.reasons.keys())
  const open = clauses.filter(({ id, level, outcome, checks }) => {
    if (level !== 'required' || !['blocked', 'notExercised'].includes(outcome)) return false
    if (outcome === 'notExercised' && plan.narrowedWithin) return false
    return checks.length === 0 || !checks.some((check) => accepted.has(`${check} ${id}`))
  })
  if (open.length > 0)
    return {
      gate: 'incomplete',
      gateReasons: open.map((clause) => `${clause.id} was not decided: ${clause.reason ?? 'no check reached it'}`),
    }
  if (engines.every((engine) => engine.verdict === 'not-claimed'))
    return {
      gate: 'incomplete',
      gateReasons: [
        'nothing of the selection is claimed by the target: check the URL, --api and --dialect, or name its engines in the configuration',
      ],
    }
  if (plan.unclaimed.length > 0)
    return {
      gate: 'incomplete',
      gateReasons: plan.unclaimed.map(
        (name) => `${name} was asked for and the target does not claim it: leave it out, or name its engine in the configuration`,
      ),
    }
  const lacking = engines.filter(({ id, verdict }) => verdict === 'not-claimed' && plan.asked.includes(id))
  if (lacking.length > 0)
    return {
      gate: 'incomplete',
      gateReasons: lacking.map(({ id, reason, cure }) =>
        [`${id} was asked for and cannot be tested here`, reason, cure].filter(Boolean).join(': '),
      ),
    }
  if (!runs.some((run) => run.decisions.length > 0))
    return { gate: 'incomplete', gateReasons: ['no check of the selection decided anything: the target does not claim what it asks for'] }
  return { gate: 'passed', gateReasons: [] }
}
