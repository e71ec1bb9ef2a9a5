/** Checks as tests of Vitest. */
import { type TestContext, test } from 'vitest'
import type { CheckDefinition } from '../harness/checks/vocabulary.ts'
import { mustRunAlone } from '../harness/running/schedule.ts'
import { type Judgement, judge } from './judgement.ts'
import type { AuthoringSession } from './worker-run.ts'

/** A check that did not come out as it has to; shown where the check is declared. */
class CheckFailed extends Error {
  override name = 'CheckFailed'
  readonly expected: unknown
  readonly actual: unknown

  constructor({ outcome, note, expected, seen }: Judgement, place: string | undefined) {
    super(`${outcome}: ${note}`)
    this.expected = expected
    this.actual = seen
    const frames = (place ?? '').split('\n').filter((line) => line.includes('/suites/'))
    this.stack = [`${this.name}: ${this.message}`, ...frames].join('\n')
  }
}

const titleOf = ({ id, title, clauses }: CheckDefinition): string => `${id}: ${title} [${clauses.join(', ')}]`

/**
 * Declares the test of a check. Called while the file is read that declares the check, so that editors find the line.
 *
 * @param place stack of the declaration.
 */
export const declareTest = (session: AuthoringSession, check: CheckDefinition, place?: string): void => {
  const { id, engine, clauses } = check
  const body = async ({ task, annotate, skip }: TestContext): Promise<void> => {
    const judgement = judge(session.context, await session.run(check))
    task.meta.assay = { id, engine, clauses, outcome: judgement.outcome }
    if (judgement.test === 'skipped') skip(`${judgement.outcome}: ${judgement.note}`)
    if (judgement.test === 'failed') throw new CheckFailed(judgement, place)
    if (judgement.note !== undefined) await annotate(judgement.note, judgement.outcome)
  }
  const options = { meta: { assay: { id, engine, clauses } } }
  const alone = check.kind === 'contract' || check.needs.allow === 'seal' || mustRunAlone(session.context, check)
  if (alone) test.sequential(titleOf(check), options, body)
  else test(titleOf(check), options, body)
}

/** Declares what the target does not claim. */
export const declareSkipped = (title: string): void => test.skip(`${title} (not claimed)`, () => undefined)
