/** Runs the selected checks side by side; on fixed mounts the exclusive ones one at a time. */
import PQueue from 'p-queue'
import { anySignal } from '../base/shared-signal.ts'
import type { RunnableCheck } from '../checks/vocabulary.ts'
import type { Spare } from '../planning/effort-checks.ts'
import { type RunContext, targetOfCheck } from '../sending/context.ts'
import type { CheckRun } from './check-run.ts'
import type { LimitedTime } from './limited-time.ts'
import { executeCheck } from './repeat.ts'

/** Checks that run at once; requests are limited separately, so that checks which only wait do not hold others up. */
const CHECKS_AT_ONCE = 64
/** The same where a target's answers are large: each check holds on to some of them. */
const HEAVY_CHECKS_AT_ONCE = 6

/** How many times as long as the first check that judges made keys the others have: how long a target takes for a key is its own. */
const TIMES_THE_FIRST = 5

export interface Progress {
  started?(check: RunnableCheck): void
  finished?(run: CheckRun): void
}

/** Ends a run with too many violated clauses. */
export interface FailureLimit {
  /** Violated clauses that end the run. */
  most: number
  /** Aborted once there are so many. */
  signal: AbortSignal
  finished(run: CheckRun): void
}

/** How checks are run. */
export interface Pace {
  /** How many at once. */
  concurrency?: number
  /** What does not fit into it is left out. */
  time?: LimitedTime
  /** What has not come to its end when it is reached is left out. */
  limit?: FailureLimit
  /** What is tried for clauses that are undecided when all is over. */
  spare?: Spare
  /** What runs a check; default `executeCheck`. */
  execute?: typeof executeCheck
}

/** Whether a run that time or the limit of failures has ended may say something: it came to its end before, and would not have been repeated. */
export const countsAfterTime = ({ outcome, noise }: CheckRun): boolean =>
  outcome === 'passed' || outcome === 'observed' || (outcome === 'failed' && noise === undefined)

/** Whether a check changes what others would see: it has no mount of its own where mounts are fixed. */
export const mustRunAlone = (context: RunContext, check: RunnableCheck): boolean =>
  !targetOfCheck(context, check).provisioner.features.has('mounts') &&
  Object.values(check.needs.mounts ?? {}).some((mount) => mount.exclusive === true)

const roomFor = (context: RunContext, concurrency: number): number =>
  [...context.targets.values()].some(({ http }) => http.isHeavy) ? Math.min(concurrency, HEAVY_CHECKS_AT_ONCE) : concurrency

/** The context of checks that are ended when the time is over or the limit is met. */
export const endingWith = (context: RunContext, { time, limit }: Pick<Pace, 'time' | 'limit'>): RunContext => {
  const ends = [time?.end(), limit?.signal].filter((signal) => signal !== undefined)
  return ends.length === 0 ? context : { ...context, signal: anySignal([context.signal, ...ends]) }
}

const runAll = async (
  context: RunContext,
  checks: readonly RunnableCheck[],
  { concurrency = CHECKS_AT_ONCE, time, limit, execute = executeCheck }: Pace,
  progress: Progress,
): Promise<CheckRun[]> => {
  const within = endingWith(context, { ...(time && { time }), ...(limit && { limit }) })
  const queue = new PQueue({ concurrency: roomFor(context, concurrency) })
  // Queues of their own: a check that waits for its turn keeps no other from running. Several of the largest bodies at once need more memory than all else.
  const [making, sendingLarge] = [new PQueue({ concurrency: 1 }), new PQueue({ concurrency: 1 })]
  const queueOf = ({ makesKeys, needs }: RunnableCheck): PQueue => (makesKeys ? making : needs.allow === 'oversize' ? sendingLarge : queue)
  let least: number | undefined
  const runs = checks.map((check) =>
    queueOf(check).add(async () => {
      if (within.signal.aborted || time?.fits(check) === false) return undefined
      progress.started?.(check)
      const given = check.makesKeys && least !== undefined ? { ...within, least } : within
      const run = await execute(given, check)
      if (check.makesKeys) least ??= TIMES_THE_FIRST * run.durationMs
      time?.took(check, run.durationMs)
      queue.concurrency = roomFor(context, concurrency)
      if (within.signal.aborted && !context.signal.aborted && !countsAfterTime(run)) return undefined
      limit?.finished(run)
      progress.finished?.(run)
      return run
    }),
  )
  return (await Promise.all(runs)).filter((run): run is CheckRun => run !== undefined)
}

/** Checks in the order in which they begin: those that wait and those that are long first, as they set the length of the run. */
export const inOrder = (checks: RunnableCheck[]): RunnableCheck[] =>
  [...checks].sort((left, right) => Number(right.waits ?? false) - Number(left.waits ?? false) || right.deadline - left.deadline)

/** Runs checks; after an abort only those already begun are in the answer, and in limited time only those that fitted into it. */
export const schedule = async (context: RunContext, checks: RunnableCheck[], progress: Progress, pace: Pace = {}): Promise<CheckRun[]> => {
  const alone = checks.filter((check) => mustRunAlone(context, check))
  const others = checks.filter((check) => !alone.includes(check))
  const { time } = pace
  const first = alone.length === 0 ? time : time?.half()
  const together = await runAll(context, first?.inOrder(others) ?? inOrder(others), { ...pace, ...(first && { time: first }) }, progress)
  return [...together, ...(await runAll(context, time?.inOrder(alone) ?? alone, { ...pace, concurrency: 1 }, progress))]
}
