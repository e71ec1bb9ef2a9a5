/** What each check did to a fault that all of them were held against to their end. */
import type { KillRecord } from '../../specs/meta/results.ts'
import { isContractCheck } from '../checks/check.ts'
import { voteOf } from '../outcomes/verdict.ts'
import type { CheckRun } from '../running/check-run.ts'
import type { RunContext } from '../sending/context.ts'

/** What a check made of a fault: found a clause of it violated, or another required clause, came to no end of its own, or held. */
export const DID = ['held', 'killed', 'other', 'stopped'] as const
export type Did = (typeof DID)[number]

/** One check against one fault. */
export type Trial = [check: string, did: Did, requests: number, ms: number]

const STOPPED: readonly string[] = ['blocked', 'errored']

const didOf = ({ contract, ledger }: RunContext, run: CheckRun, clauses: readonly string[]): Did => {
  const { id } = run.check
  // Schemas decide some clauses from the exchanges of whatever check there is.
  if (clauses.some((clause) => voteOf(run, clause) === 'violated' || ledger.clauses.get(clause)?.foundBy.has(id))) return 'killed'
  const isRequired = (clause: string): boolean => contract.clauses.get(clause)?.level === 'required'
  if (run.decisions.some(({ clause, outcome }) => outcome === 'violated' && isRequired(clause))) return 'other'
  return STOPPED.includes(run.outcome) ? 'stopped' : 'held'
}

/** What a check did to a fault of these clauses, with the requests that it sent and its milliseconds. */
export const trialOf = (context: RunContext, run: CheckRun, clauses: readonly string[]): Trial => [
  run.check.id,
  didOf(context, run, clauses),
  isContractCheck(run.check) ? 0 : run.exchangeCount,
  Math.round(run.durationMs),
]

/** A fault against every check of its clauses. */
export interface FaultTrials {
  fault: string
  state: KillRecord['state']
  seed: number
  ms: number
  note?: string
  trials: Trial[]
}
