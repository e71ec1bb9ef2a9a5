/** What results say of each check. */
import type { Vote } from '../../specs/meta/outcomes.ts'
import type { CheckResult, Undecided } from '../../specs/meta/results.ts'
import { workOn } from '../base/position.ts'
import { shellWord } from '../base/shell.ts'
import { isContractCheck } from '../checks/check.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Matched } from '../planning/deviations.ts'
import type { RunFacts } from '../planning/run-facts.ts'
import type { CheckRun } from '../running/check-run.ts'
import { isUnstable } from '../running/repeat.ts'
import type { RunContext } from '../sending/context.ts'
import { evidenceFor } from '../sending/history.ts'
import type { Target } from '../target/target.ts'
import { shownRecord } from './evidence.ts'
import { messageText, valueText } from './value-text.ts'
import { voteOf } from './verdict.ts'

const rerunOf = (context: RunContext, facts: RunFacts, run: CheckRun): string => {
  const path = run.notes.path === undefined ? [] : ['--replay', run.notes.path]
  const words = [...facts.rerun, '--check', run.check.id, '--seed', String(context.seed), ...path]
  return `npx assay certify ${words.map(shellWord).join(' ')}`
}

/** The outcome of a check, softened if no violated clause is required. */
export const outcomeAtLevel = (context: RunContext, run: CheckRun): CheckResult['outcome'] => {
  if (run.outcome !== 'failed') return run.outcome
  const levels = run.decisions.filter((one) => one.outcome === 'violated').map((one) => context.contract.clauses.get(one.clause)?.level)
  if (levels.includes('required')) return 'failed'
  return levels.includes('advised') ? 'warned' : 'observed'
}

/** Numbers of the exchanges that violated a clause. */
const decisiveOf = (run: CheckRun): number[] =>
  run.decisions.flatMap(({ outcome, exchange, beside = [] }) =>
    outcome === 'violated' && exchange !== undefined ? [exchange, ...beside] : [],
  )

/** Why all that failed in a check is tolerated; undefined where some of it is not. */
const toleratedBy = ({ check, decisions, outcome }: CheckRun, matched: Matched): string | undefined => {
  const violated = decisions.filter((one) => one.outcome === 'violated').map(({ clause }) => clause)
  const failed = outcome === 'failed' ? violated : check.clauses
  const reasons = failed.map((clause) => matched.reasons.get(`${check.id} ${clause}`))
  return reasons.includes(undefined) ? undefined : reasons[0]
}

const stopOf = ({ lacks, restsOn, refused }: CheckRun): CheckResult['stoppedBy'] => {
  if ((lacks ?? restsOn ?? refused) === undefined) return undefined
  return { ...(lacks === undefined ? {} : { lacks }), ...(restsOn === undefined ? {} : { restsOn }), ...refused }
}

const isContractMiss = (run: CheckRun): boolean => isContractCheck(run.check) && run.outcome === 'blocked'

/** The vote of a check; one that waits for what others see has not exercised what nobody saw. */
export const ballotOf = (run: CheckRun, clause: string): Vote => (isContractMiss(run) ? 'notExercised' : voteOf(run, clause))

/** What a check says of its clauses that it made no decision on, so that outcomes can be told again from the results. */
const undecidedOf = (run: CheckRun, matched: Matched): Undecided[] =>
  run.check.clauses.flatMap((clause) => {
    if (run.decisions.some((one) => one.clause === clause)) return []
    const deviation = matched.reasons.get(`${run.check.id} ${clause}`)
    const vote = ballotOf(run, clause) as Undecided['vote']
    return [{ clause, vote, ...(deviation === undefined ? {} : { deviation }) }]
  })

/** A check as the results show it. */
export const checkResult = (context: RunContext, facts: RunFacts, run: CheckRun, matched: Matched): CheckResult => {
  const { check } = run
  workOn(check.id)
  const reason = toleratedBy(run, matched)
  const undecided = undecidedOf(run, matched)
  const stoppedBy = stopOf(run)
  const deviationOf = ({ clause, outcome }: CheckRun['decisions'][number]) =>
    outcome === 'violated' ? matched.reasons.get(`${check.id} ${clause}`) : undefined
  return {
    id: check.id,
    title: check.title,
    engine: check.engine,
    kind: check.kind,
    clauses: check.clauses,
    outcome: outcomeAtLevel(context, run),
    ...(run.reason === undefined ? {} : { reason: messageText(context, run.reason) }),
    ...(run.remedy === undefined ? {} : { remedy: run.remedy }),
    ...(stoppedBy === undefined ? {} : { stoppedBy }),
    durationMs: Math.round(run.durationMs),
    exchanges: run.exchangeCount,
    decisions: run.decisions.map((decision) => {
      const { clause, outcome, message, expected, seen, value, exchange, beside, member } = decision
      const deviation = deviationOf(decision)
      return {
        clause,
        outcome,
        ...(message === undefined ? {} : { message: messageText(context, message) }),
        ...(expected === undefined ? {} : { expected: valueText(context, expected)! }),
        ...(seen === undefined && value === undefined ? {} : { seen: valueText(context, seen ?? value) ?? '' }),
        ...(exchange === undefined ? {} : { exchange }),
        ...(beside === undefined ? {} : { beside: [...beside] }),
        ...(member === undefined ? {} : { member }),
        ...(deviation === undefined ? {} : { deviation }),
      }
    }),
    ...(undecided.length === 0 ? {} : { undecided }),
    evidence: (['passed', 'observed'].includes(run.outcome) && !isUnstable(run) ? [] : evidenceFor(run.exchanges, decisiveOf(run))).map(
      (one) => shownRecord(context.secrets, context.targets.get(one.operation.api) as Target, one),
    ),
    rerun: rerunOf(context, facts, run),
    ...(run.notes.counterexample === undefined ? {} : { counterexample: run.notes.counterexample }),
    ...(run.notes.stability === undefined ? {} : { stability: run.notes.stability }),
    ...(reason === undefined ? {} : { deviation: reason }),
  }
}

/** Why this machine cannot exercise a check, and what to do about it; empty where nothing is known. */
export const whyNotClaimed = ({ missingBackends }: RunContext, { needs }: CheckDefinition): string[] => {
  const missing = (needs.backends ?? []).map((name) => missingBackends[name]).find((why) => why !== undefined)
  return missing === undefined ? [] : [missing.reason, missing.remedy]
}

/** A check that this machine cannot exercise, as the results show it. */
export const notClaimedResult = (context: RunContext, check: CheckDefinition): CheckResult => {
  const [reason, remedy] = whyNotClaimed(context, check)
  return {
    id: check.id,
    title: check.title,
    engine: check.engine,
    kind: check.kind,
    clauses: check.clauses,
    outcome: 'notClaimed',
    ...(reason === undefined ? {} : { reason }),
    ...(remedy === undefined ? {} : { remedy }),
    durationMs: 0,
    exchanges: 0,
    decisions: [],
    evidence: [],
    rerun: '',
  }
}
