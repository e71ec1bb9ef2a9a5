/** First contact: what the checks make of a fault or mutant that was not planted for them. Any required clause of any engine may kill it. */
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Contract } from '../contract/contract.ts'
import { generalEngines, shownOnIt } from '../contract/general.ts'
import { voteOf } from '../outcomes/verdict.ts'
import type { CheckRun } from '../running/check-run.ts'
import { refusedOperations } from '../running/contract-checks.ts'
import type { RunContext } from '../sending/context.ts'
import type { Baseline, CleanRun } from './clean-run.ts'
import { type ProofContext, runInstance } from './instance.ts'
import type { ServerOptions } from './server-under-test.ts'

/**
 * killed: a required clause was violated; warned: an advised one only; blocked: nothing was violated, and more was blocked or errored than on
 * the clean server, so that a certification would not have been green; survived: no check noticed; unreached: its code never ran; errored: the
 * run itself did not come to an end.
 */
export type ContactState = 'killed' | 'warned' | 'blocked' | 'survived' | 'unreached' | 'errored'

export interface ContactRecord {
  id: string
  engine: string
  title: string
  state: ContactState
  /** Clauses found violated by the time it was killed, or advised ones; none where no check noticed. */
  clauses: string[]
  note?: string
}

const violatedClauses = (contract: Contract, runs: CheckRun[], context: RunContext, level: 'required' | 'advised'): string[] => {
  const byChecks = runs.flatMap((run) => run.check.clauses.filter((clause) => voteOf(run, clause) === 'violated'))
  const bySchemas = [...context.ledger.clauses].filter(([, entry]) => entry.findings.size > 0).map(([clause]) => clause)
  return [...new Set([...byChecks, ...bySchemas])].filter((clause) => contract.clauses.get(clause)?.level === level)
}

const stoppedIn = (runs: readonly CheckRun[]): string[] =>
  runs.filter(({ outcome }) => outcome === 'blocked' || outcome === 'errored').map(({ check }) => check.id)

/**
 * Checks of the proof that may notice something in an engine: its own, and the sweeps of others over its operations; quickest first. What is
 * wrong with conventions that all engines keep, any check may notice: first those of the conventions themselves, and of these and of others first
 * those that need nothing but the server, which show it as well.
 */
export const checksThatMayNotice = (
  contract: Contract,
  all: readonly CheckDefinition[],
  baseline: Baseline,
  engine: string,
): CheckDefinition[] => {
  const general = generalEngines(contract).has(engine)
  const shown = shownOnIt(contract, engine)
  const concerns = (check: CheckDefinition): boolean =>
    general ||
    [engine, ...shown].includes(check.engine) ||
    (check.operation !== undefined && contract.operations.get(check.operation)?.engine === engine)
  const rankOf = (check: CheckDefinition): number =>
    general ? Number(check.engine !== engine) * 2 + Number((check.needs.backends ?? []).length > 0) : 0
  const durationOf = ({ id }: CheckDefinition): number => baseline.durations.get(id) ?? 0
  return all
    .filter((check) => check.kind !== 'contract' && concerns(check))
    .sort((left, right) => rankOf(left) - rankOf(right) || durationOf(left) - durationOf(right))
}

/** What is tried: a fault by its id, or whatever else `server` asks for. */
export interface Candidate {
  id: string
  engine: string
  title: string
  server: Omit<ServerOptions, 'engines'>
}

/**
 * Tries one candidate with every check that may notice it, until a required clause is violated. Findings by schemas count as they come in.
 *
 * @param checks in the order in which they are run
 */
export const tryFirstContact = async (
  proof: ProofContext,
  checks: CheckDefinition[],
  baseline: CleanRun,
  { id, engine, title, server }: Candidate,
): Promise<ContactRecord> => {
  const record = { id, engine, title, clauses: [] }
  try {
    const required = (runs: CheckRun[], context: RunContext) => violatedClauses(proof.contract, runs, context, 'required')
    const { runs, context, hits } = await runInstance(proof, checks, {
      server,
      verdictsOnly: true,
      isResting: ({ id: check }) => baseline.resting.has(check),
      isDecisive: (clause) => proof.contract.clauses.get(clause)?.level === 'required',
      enough: (so, where) => required(so, where).length > 0,
    })
    // Before all are done another check may still be served.
    const refused = refusedOperations(context).map(({ clause }) => clause)
    const seen = required(runs, context)
    const clauses = seen.length > 0 ? seen : refused.filter((clause) => proof.contract.clauses.get(clause)?.level === 'required')
    if (clauses.length > 0) return { ...record, state: 'killed', clauses }
    if (server.faults?.some((fault) => (hits.get(fault) ?? 0) === 0)) return { ...record, state: 'unreached' }
    const advised = violatedClauses(proof.contract, runs, context, 'advised')
    if (advised.length > 0) return { ...record, state: 'warned', clauses: advised }
    const known = new Set(stoppedIn(baseline.instance.runs))
    const stopped = stoppedIn(runs).filter((check) => !known.has(check))
    if (stopped.length > 0) return { ...record, state: 'blocked', note: stopped.slice(0, 5).join(', ') }
    return { ...record, state: 'survived' }
  } catch (error) {
    proof.signal.throwIfAborted()
    return { ...record, state: 'errored', note: (error as Error).message }
  }
}

/** How many were killed, of those that could be: what never ran, or never became a server that can be judged, says nothing. */
export const contactRate = (records: readonly ContactRecord[]): { killed: number; relevant: number; percent: number } => {
  const relevant = records.filter(({ state }) => state !== 'unreached' && state !== 'errored').length
  const killed = records.filter(({ state }) => state === 'killed').length
  return { killed, relevant, percent: relevant === 0 ? 0 : Math.floor((1000 * killed) / relevant) / 10 }
}
