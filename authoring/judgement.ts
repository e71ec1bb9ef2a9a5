/** What a test makes of a check's outcome: the same gate as that of `certify`. */

import { outcomeAtLevel } from '../harness/outcomes/check-results.ts'
import type { CheckRun } from '../harness/running/check-run.ts'
import type { RunContext } from '../harness/sending/context.ts'

export interface Judgement {
  /** As results.json spells it. */
  outcome: string
  /** What becomes of the test. */
  test: 'passed' | 'failed' | 'skipped'
  /** Why, without secrets. */
  note?: string
  expected?: unknown
  seen?: unknown
}

const reproduce = (context: RunContext, run: CheckRun): string => {
  const path = run.notes.path === undefined ? '' : ` --replay ${run.notes.path}`
  return `every exchange: assay certify ... --check ${run.check.id} --seed ${context.seed}${path} --trace`
}

const noteOf = (context: RunContext, run: CheckRun): string =>
  [
    run.reason ?? 'no reason was recorded',
    ...(run.remedy === undefined ? [] : [run.remedy]),
    ...(run.notes.counterexample === undefined ? [] : [`counterexample: ${JSON.stringify(run.notes.counterexample)}`]),
    reproduce(context, run),
  ].join('\n')

/**
 * Judges a finished check.
 *
 * @param run undefined where the target does not claim the check.
 */
export const judge = (context: RunContext, run: CheckRun | undefined): Judgement => {
  if (run === undefined) return { outcome: 'notClaimed', test: 'skipped', note: 'a backend that it needs is not to be had' }
  const outcome = outcomeAtLevel(context, run)
  const redact = context.secrets
  const note = redact.redact(noteOf(context, run))
  if (run.leftToOthers === true) return { outcome, test: 'skipped', note }
  if (outcome === 'passed' || outcome === 'observed') return { outcome, test: 'passed' }
  if (outcome === 'warned') return { outcome, test: 'passed', note }
  const [violated] = run.decisions.filter((decision) => decision.outcome === 'violated')
  if (violated?.expected === undefined && violated?.seen === undefined) return { outcome, test: 'failed', note }
  return { outcome, test: 'failed', note, ...redact.redactAll({ expected: violated.expected, seen: violated.seen }) }
}
