/** Runs one check and says what became of it. */

import { keepingSecrets } from '../base/credential-guard.ts'
import { AssertionFailure, Blocked, GatewayNoise, LostAnswer, Misshapen, NotServed, Refused } from '../base/errors.ts'
import { anySignal } from '../base/shared-signal.ts'
import { DRAWN, takesServerAway } from '../checks/check.ts'
import { countingExpect } from '../checks/expect.ts'
import type { Notes } from '../checks/notes.ts'
import type { CheckDefinition, RunnableCheck } from '../checks/vocabulary.ts'
import { createBench } from '../sending/bench.ts'
import { type RunContext, targetOfCheck } from '../sending/context.ts'
import type { EqualForms } from '../sending/equal-forms.ts'
import { lackingFeature, lackingOperation } from '../sending/lacking.ts'
import { ownMount, ownNamespace } from '../sending/provision.ts'
import { Session, whereOf } from '../sending/session.ts'
import type { NoiseMemory } from '../sending/through-noise.ts'
import type { Explanation } from '../target/failures.ts'
import { Work } from '../target/left-work.ts'
import { nameOf } from '../target/undo.ts'
import type { CheckRun } from './check-run.ts'
import { CUT_SHORT, DeadlineOver, deadline, untilStopped } from './check-time.ts'
import { lostTarget } from './lost-target.ts'
import { clauseNotServed } from './not-served.ts'

const prepare = async (context: RunContext, session: Session): Promise<void> => {
  const { needs } = session.check
  const target = targetOfCheck(context, session.check)
  if (target.lost !== undefined) throw new Blocked(target.lost.reason, target.lost.remedy)
  context.tokens.requireOutlives(target, session.check)
  if (target.http.lost !== undefined) throw new Blocked(target.http.lost, 'check the server and its log')
  if (needs.allow !== undefined && !target.config.allow.includes(needs.allow)) {
    throw new Blocked(
      `this check needs the permission ${needs.allow}, which disturbs a server that others use`,
      `pass --allow ${needs.allow}, or add it to allow in the configuration`,
    )
  }
  const lacking = lackingFeature(target, needs)
  if (lacking !== undefined) throw lacking
  for (const backend of needs.backends ?? []) {
    const why = context.missingBackends[backend]
    if (context.backends[backend] === undefined) {
      throw new Blocked(`the backend ${backend} is missing: ${why?.reason ?? 'it was not started'}`, why?.remedy ?? 'see `assay backends`')
    }
  }
  const mounts = Object.entries(needs.mounts ?? {})
  const deepest = Math.max(0, ...mounts.map(([, { nested = 0 }]) => nested))
  const namespaces = ['']
  for (let depth = 0; depth < deepest; depth += 1) namespaces.push(await ownNamespace(context, target, session, namespaces[depth]!))
  for (const [alias, need] of mounts) await ownMount(context, target, session, alias, need, namespaces[need.nested ?? 0]!)
}

const undecided = (session: Session): string[] =>
  session.check.clauses.filter((clause) => !session.decisions.some((decision) => decision.clause === clause))

/** Swept over operations, or drawn by chance: other checks decide its clauses too, and one set-up that is refused must not hide what they saw. */
const isOneOfMany = ({ operation, kind }: CheckDefinition): boolean => operation !== undefined || DRAWN.includes(kind)

type Conclusion = Pick<
  CheckRun,
  'outcome' | 'reason' | 'remedy' | 'leftToOthers' | 'endedByNoise' | 'unanswered' | 'lacks' | 'restsOn' | 'refused'
>

/** What ended a check, whether it has found anything before or not. */
const stopOf = (error: unknown): Pick<Conclusion, 'lacks' | 'restsOn' | 'refused'> => {
  const { lacks, restsOn, refused } = error instanceof Blocked ? error : ({} as Partial<Blocked>)
  return {
    ...(lacks === undefined ? {} : { lacks }),
    ...(restsOn === undefined ? {} : { restsOn }),
    ...(refused === undefined ? {} : { refused }),
  }
}

const blockedBy = (error: Blocked): Conclusion => ({ outcome: 'blocked', reason: error.message, remedy: error.remedy, ...stopOf(error) })

/** A check is written for answers that are what they should be: one that ends badly after another kind of answer says nothing about itself. */
const ofOurs = ({ misshapen }: Session, reason: string): Conclusion => {
  if (misshapen === undefined) return { outcome: 'errored', reason }
  const blocked = blockedBy(new Misshapen(misshapen.message, misshapen.clause))
  return { ...blocked, reason: `the check cannot be carried out: ${blocked.reason}` }
}

/** What a check of several clauses asserts of none of them is what it rests on: where the target does not do that, others say whose fault it is. */
const ofNoClause = (session: Session, { message, exchange }: AssertionFailure): Conclusion => {
  if (session.exchanges === 0 || session.misshapen !== undefined) return ofOurs(session, `a failure that belongs to no clause: ${message}`)
  const shown = session.history.kept.find(({ number }) => number === exchange)
  const status = shown?.answer?.status ?? 0
  const refused = shown === undefined || status < 400 ? {} : { refused: { operation: shown.operation.id, status } }
  return {
    outcome: 'blocked',
    reason: `what the check rests on does not hold: ${message}`,
    remedy: 'see the checks of that first',
    ...refused,
  }
}

const conclude = (session: Session): Conclusion => {
  const { check, decisions } = session
  const violated = decisions.filter((decision) => decision.outcome === 'violated')
  if (violated.length > 0) return { outcome: 'failed', reason: violated.map((decision) => decision.message).join('; ') }
  if (session.assertions === 0) return ofOurs(session, 'the check asserts nothing')
  const [only] = check.clauses
  if (check.clauses.length === 1 && decisions.length === 0) session.decide({ clause: only!, outcome: 'verified' })
  const open = undecided(session)
  if (open.length > 0) return ofOurs(session, `the check ended without deciding ${open.join(', ')}`)
  return { outcome: session.decisions.every((decision) => decision.outcome === 'observed') ? 'observed' : 'passed' }
}

const concludeError = (context: RunContext, session: Session, error: unknown): Conclusion => {
  // What an interrupt broke off says nothing about the target.
  if (error instanceof AssertionFailure && context.signal.aborted) return { outcome: 'blocked', ...CUT_SHORT }
  if (error instanceof AssertionFailure) {
    const [only] = session.check.clauses
    if (session.check.clauses.length !== 1) return ofNoClause(session, error)
    session.decide({
      clause: only!,
      outcome: 'violated',
      message: error.message,
      expected: error.expected,
      seen: error.actual,
      ...whereOf(error),
    })
    return { outcome: 'failed', reason: error.message }
  }
  const violated = session.decisions.filter((decision) => decision.outcome === 'violated')
  if (violated.length > 0) return { outcome: 'failed', reason: violated.map((decision) => decision.message).join('; '), ...stopOf(error) }
  if (error instanceof Misshapen && error.clause !== undefined && session.check.clauses.includes(error.clause)) {
    session.decide({ clause: error.clause, outcome: 'violated', message: error.problem, ...whereOf(error) })
    return { outcome: 'failed', reason: error.problem, ...stopOf(error) }
  }
  const lacks = lackingOperation(targetOfCheck(context, session.check), error)
  if (lacks !== undefined) return { ...blockedBy(error as Refused), lacks }
  const notServed = clauseNotServed(context.contract, session.check, error)
  if (notServed !== undefined) {
    const { message } = error as Refused
    session.decide({ clause: notServed, outcome: 'violated', message })
    return { outcome: 'failed', reason: message, ...stopOf(error) }
  }
  if (error instanceof Blocked) {
    const blocked = blockedBy(error)
    if (error instanceof GatewayNoise || (error instanceof LostAnswer && session.noise !== undefined))
      return { ...blocked, endedByNoise: true, unanswered: true }
    const isLeft = error instanceof NotServed || (error instanceof Refused && isOneOfMany(session.check))
    if (isLeft) return { ...blocked, leftToOthers: true }
    return error instanceof Refused || error instanceof Misshapen ? blocked : { ...blocked, unanswered: true }
  }
  if (error instanceof DeadlineOver)
    return { outcome: 'blocked', reason: error.message, remedy: 'see why the target is slow, or lower --concurrency', unanswered: true }
  return ofOurs(session, error instanceof Error ? `${error.name}: ${error.message}` : String(error))
}

const isGood = ({ outcome }: Pick<CheckRun, 'outcome'>): boolean => outcome === 'passed' || outcome === 'observed'

const UNDO_DEADLINE = 60_000

const isLost = (error: unknown): boolean => error instanceof LostAnswer || error instanceof GatewayNoise

const cleanUp = async (context: RunContext, session: Session): Promise<void> => {
  for (const { undo, on } of session.undo.reverse()) {
    try {
      const before = context.signal.aborted
      // An interrupt breaks off what is under way, clean-ups too: they begin again.
      await context.cleanUp.within(UNDO_DEADLINE, undo).catch((error: Error) => {
        const isWorthAgain = isLost(error) || (!before && context.signal.aborted)
        if (!isWorthAgain) throw error
        return context.cleanUp.within(UNDO_DEADLINE, undo)
      })
    } catch (error) {
      const what = on === undefined ? '' : `${nameOf(on.entry)}: `
      context.leftovers.push(`${session.check.id}: ${what}${(error as Error).message}`)
    }
  }
  session.over = true
}

/** What the check told; what it could ask of the run holds on to all that it has exchanged. */
const findingsOf = ({ counterexample, stability, path, caseFrom }: Notes): CheckRun['notes'] => ({
  ...(counterexample === undefined ? {} : { counterexample }),
  ...(stability === undefined ? {} : { stability }),
  ...(path === undefined ? {} : { path }),
  ...(caseFrom === undefined ? {} : { caseFrom }),
})

/** Runs a check once to its end or its deadline, cleans up after it, and never throws. */
export const attemptCheck = (context: RunContext, check: RunnableCheck, memory: NoiseMemory, forms?: EqualForms): Promise<CheckRun> =>
  keepingSecrets(context.secrets, () => attempt(context, check, memory, forms))

/** Asks whether the target is lost, for as long as the run may go on; a check that was cut off has no use for the answer. */
const lostInTime = async (context: RunContext, session: Session, { outcome }: Conclusion): Promise<Explanation | undefined> => {
  if (outcome === 'blocked' && context.signal.aborted) return undefined
  return context.cleanUp.within(Number.POSITIVE_INFINITY, () => lostTarget(context, session)).catch(() => CUT_SHORT)
}

const attempt = async (
  context: RunContext,
  check: RunnableCheck,
  memory: NoiseMemory,
  forms: EqualForms | undefined,
): Promise<CheckRun> => {
  // What comes too late to be undone after the check is undone after all checks.
  const session = new Session(check, memory, (step) => context.undo.push(step))
  session.forms = forms
  if (!context.plain) session.nameForm = context.names.of(check)
  const begun = performance.now()
  const timer = deadline(Math.max(check.deadline, context.least ?? 0), () => session.history.answered)
  session.clock = timer
  const stop = new AbortController()
  const work = new Work()
  const notes: Notes = {
    signal: anySignal([stop.signal, context.signal]),
    exchanges: () => session.exchanges,
    waited: () => session.waited,
    ...(context.replay === undefined ? {} : { replay: context.replay }),
    verdictOnly: context.verdictsOnly,
  }
  const { http } = targetOfCheck(context, check)
  const { brokenOff } = http
  http.takenAway = takesServerAway(check)
  let conclusion: Conclusion
  try {
    const bench = createBench(context, session)
    const expect = countingExpect(() => {
      session.assertions += 1
    }, session.history)
    const body = work.run(() => prepare(context, session).then(() => check.body({ bench, expect, notes })))
    body.catch(() => undefined)
    await untilStopped(body, timer, notes.signal)
    conclusion = conclude(session)
  } catch (error) {
    conclusion = concludeError(context, session, error)
  }
  work.leave()
  const lost = isGood(conclusion) ? undefined : await lostInTime(context, session, conclusion)
  if (lost !== undefined) {
    conclusion = { outcome: 'blocked', ...lost }
    session.decisions.splice(0)
  }
  timer.hold()
  stop.abort()
  const durationMs = performance.now() - begun - session.waited
  await cleanUp(context, session)
  http.takenAway = false
  return {
    check,
    ...conclusion,
    ...(session.noise === undefined ? {} : { noise: session.noise }),
    ...(conclusion.outcome === 'blocked' && http.brokenOff > brokenOff ? { brokenOff: true as const } : {}),
    decisions: session.decisions,
    exchanges: !isGood(conclusion) || context.trace ? session.history.kept : [],
    exchangeCount: session.exchanges,
    durationMs,
    restedMs: session.history.rested,
    notes: findingsOf(notes),
  }
}
