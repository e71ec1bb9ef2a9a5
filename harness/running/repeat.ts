/**
 * Runs a check, and runs it again where noise may have decided it.
 *
 * The rule: a check is repeated only if exchanges of its own met noise (a gateway's 502, 503 or 504, a page of HTML, a broken connection, 429).
 * Ended by noise, it is repeated until it comes to an end, six times at most; what still blocks it is said. Failed in spite of noise, it is repeated
 * twice at most: where it passes it is unstable and violates nothing, where it does not the first failure counts. Some failures count at first sight, for
 * no noise makes them and a later success takes nothing from them: those of races, models and security checks, and whatever was accepted
 * that had to be refused. Without noise nothing is repeated: a failure is a failure.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { RunnableCheck } from '../checks/vocabulary.ts'
import { type RunContext, targetOfCheck } from '../sending/context.ts'
import type { EqualForms } from '../sending/equal-forms.ts'
import { NoiseMemory } from '../sending/through-noise.ts'
import { pauseAfter } from '../target/noise.ts'
import type { CheckRun } from './check-run.ts'
import { attemptCheck } from './execute.ts'
import { inEitherForm } from './forms-apart.ts'

const ENDED_BY_NOISE = 6
const FAILED = 2
const PAUSE_FACTOR = 4

const AT_FIRST_SIGHT = ['race', 'model', 'security']

const wasAccepted = ({ expected, seen }: CheckRun['decisions'][number]): boolean =>
  typeof seen === 'number' && seen >= 200 && seen < 300 && /^4/.test(String(expected))

const countsAtFirstSight = (run: CheckRun): boolean =>
  AT_FIRST_SIGHT.includes(run.check.kind) || run.decisions.some((decision) => decision.outcome === 'violated' && wasAccepted(decision))

const isGood = ({ outcome }: Pick<CheckRun, 'outcome'>): boolean => outcome === 'passed' || outcome === 'observed'

/** Whether a check holds although it failed first: see the rule above. */
export const isUnstable = (run: CheckRun): boolean => isGood(run) && run.notes.stability === 'unstable'

/** A check that failed once and holds when it is repeated; shows what failed. */
const unstable = (failed: CheckRun, held: CheckRun): CheckRun => ({
  ...held,
  reason: `failed once and held when it was repeated: ${failed.reason}; meanwhile ${failed.noise}`,
  exchanges: failed.exchanges,
  notes: { ...held.notes, stability: 'unstable' },
})

/** Runs a check to its end, again where the rule above says so; tells the first noise of all its repetitions. Never throws. */
export const executeCheck = async (context: RunContext, check: RunnableCheck): Promise<CheckRun> => {
  const met: string[] = []
  const inForms = () => inEitherForm(context, check, (forms) => repeated(context, check, met, forms))
  const run = await (context.plain ? inForms() : context.names.tried(check, context.signal, inForms))
  return met[0] === undefined ? run : { ...run, noise: met[0] }
}

/** @param met noise of the repetitions, in their order; is added to. */
const repeated = async (context: RunContext, check: RunnableCheck, met: string[], forms: EqualForms | undefined): Promise<CheckRun> => {
  const memory = new NoiseMemory()
  let exchangeCount = 0
  const attempt = async (): Promise<CheckRun> => {
    const run = await context.clock.undisturbed(() =>
      context.tokens.during(targetOfCheck(context, check), check, context, () => attemptCheck(context, check, memory, forms)),
    )
    exchangeCount += run.exchangeCount
    if (run.noise !== undefined) met.push(run.noise)
    return { ...run, exchangeCount }
  }
  let run = await attempt()
  for (let again = 1; run.endedByNoise && again < ENDED_BY_NOISE && !context.signal.aborted; again += 1) {
    await wait(PAUSE_FACTOR * pauseAfter(again))
    run = await attempt()
  }
  if (run.outcome !== 'failed' || run.noise === undefined || countsAtFirstSight(run)) return run
  for (let again = 0; again < FAILED && !context.signal.aborted; again += 1) {
    const other = await attempt()
    if (isGood(other)) return unstable(run, other)
    if (other.outcome === 'failed' && other.noise === undefined) return run
  }
  return run
}
