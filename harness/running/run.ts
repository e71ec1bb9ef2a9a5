/** One run: executes the planned checks, cleans up, and hands over what was seen. */
import { isContractCheck, isRunnable, takesServerAway } from '../checks/check.ts'
import type { CheckDefinition, ContractCheck } from '../checks/vocabulary.ts'
import { forUndecided } from '../planning/effort-checks.ts'
import { type RunContext, targetOfCheck } from '../sending/context.ts'
import { endLeases, nameOf, removalGroups, type UndoStep } from '../target/undo.ts'
import type { CheckRun } from './check-run.ts'
import { contractRun, exercisesOf, isUnreached } from './contract-checks.ts'
import { executeCheck } from './repeat.ts'
import { countsAfterTime, endingWith, type Pace, type Progress, schedule } from './schedule.ts'

/** Milliseconds for what a check has deferred, and for the leases of all mounts. */
const UNDO_DEADLINE = 20_000
/** So often an operation that gave no answer is asked before that is left at it. */
const ASKED = 4

/** Removes what the run as a whole has made; what could not be removed is recorded by its name. */
export const removeShared = async (context: RunContext): Promise<void> => {
  context.cleanUp.begin()
  await context.cleanUp
    .within(UNDO_DEADLINE, () => context.tokens.prolong(context.targets.values(), UNDO_DEADLINE * 6))
    .catch(() => undefined)
  const steps = context.undo.splice(0).reverse()
  const take = async ({ undo, on }: UndoStep, ms: number): Promise<void> => {
    try {
      await context.cleanUp.within(ms, undo)
    } catch (error) {
      context.leftovers.push(`${on === undefined ? 'something that a check made' : nameOf(on.entry)}: ${(error as Error).message}`)
    }
  }
  // What a check has deferred may need its mount.
  for (const step of steps.filter(({ on }) => on === undefined)) await take(step, UNDO_DEADLINE)
  const made = steps.flatMap(({ undo, on }) => (on === undefined ? [] : [{ undo, on }]))
  for (const target of context.targets.values()) {
    const entries = made.filter(({ on }) => on.target === target).map(({ on }) => on.entry)
    await context.cleanUp.within(UNDO_DEADLINE, () => endLeases(target, entries)).catch(() => undefined)
  }
  for (const group of removalGroups(made, ({ on }) => on.entry))
    await Promise.all(group.map((step) => take(step, Number.POSITIVE_INFINITY)))
}

const decideContract = async (
  context: RunContext,
  checks: ContractCheck[],
  exercise: (check: ContractCheck) => Promise<CheckRun[]>,
  isOver: () => boolean,
): Promise<CheckRun[]> => {
  const runs: CheckRun[] = []
  for (const check of checks) {
    if (context.signal.aborted) break
    const begun = performance.now()
    const isLeft = isUnreached(context, check)
    if (isLeft && isOver()) continue
    const asked = isLeft ? await exercise(check) : []
    if (isLeft && isOver() && isUnreached(context, check)) continue
    runs.push(contractRun(context, check, performance.now() - begun, asked))
  }
  return runs
}

/** A run that broke off when its target went away, with the cause where that turned out later. */
const withCause = (context: RunContext, run: CheckRun): CheckRun => {
  const { lost } = targetOfCheck(context, run.check)
  return run.brokenOff === undefined || lost === undefined ? run : { ...run, ...lost }
}

/** Executes checks; those that schemas decide come last, when all exchanges are in. */
export const runChecks = async (
  context: RunContext,
  checks: CheckDefinition[],
  progress: Progress = {},
  pace: Pace = {},
): Promise<CheckRun[]> => {
  const active = checks.filter(isRunnable)
  const passive = checks.filter(isContractCheck)
  const disturbing = active.filter(takesServerAway)
  const runs = await schedule(
    context,
    active.filter((check) => !disturbing.includes(check)),
    progress,
    pace,
  )
  if (pace.spare !== undefined) {
    const isRequired = (clause: string): boolean => context.contract.clauses.get(clause)?.level === 'required'
    runs.push(...(await schedule(context, forUndecided(runs, pace.spare, context.seed, isRequired), progress, pace)))
  }
  const within = endingWith(context, pace)
  const isOver = () => within.signal.aborted || pace.time?.isOver() === true
  const exercise = async (check: ContractCheck): Promise<CheckRun[]> => {
    const asked: CheckRun[] = []
    for (const one of exercisesOf(context, check)) {
      for (let tried = 0; tried === 0 || (tried < ASKED && context.ledger.unanswered.isInDoubt(check.clauses[0])); tried += 1) {
        if (!isUnreached(context, check) || context.signal.aborted) return asked
        const run = await executeCheck(within, one)
        if (isOver() && !context.signal.aborted && !countsAfterTime(run)) return asked
        asked.push(run)
      }
    }
    return asked
  }
  const contract = await decideContract(context, passive, exercise, isOver)
  for (const run of contract) progress.finished?.(run)
  const last = isOver() ? [] : await schedule(context, disturbing, progress, { ...pace, concurrency: 1 })
  return [...[...runs, ...last].map((run) => withCause(context, run)), ...contract]
}
