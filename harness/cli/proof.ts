/** The proof: seeded faults that must be caught by the clause they break, and legal variants that must raise no alarm. */
import type { Fault, Variant } from '../../reference/core/mutation.ts'
import type { KillRecord } from '../../specs/meta/results.ts'
import type { BackendHandle } from '../base/backend-handle.ts'
import type { CheckDefinition } from '../checks/types.ts'
import type { Contract } from '../contract/types.ts'
import type { RunContext } from '../run/context.ts'
import type { CheckRun } from '../run/execute.ts'
import { closeRun, openRun, requestsOf } from '../run/open.ts'
import { removeShared, runChecks } from '../run/run.ts'
import type { FaultyProxy } from '../run/transport-faults.ts'
import { voteOf } from '../run/verdict.ts'
import { startEmbedded } from './embedded.ts'

export interface ProofContext {
  contract: Contract
  seed: number
  engines: string[]
  backends: Record<string, BackendHandle>
  missingBackends: Record<string, { reason: string; cure: string }>
  signal: AbortSignal
}

export interface Instance {
  context: RunContext
  runs: CheckRun[]
  hits: Map<string, number>
  requests: number
  /** How often the proxy broke the transport. */
  broken: number
}

interface InstanceOptions {
  faults?: Fault[]
  variants?: Variant[]
  recording?: boolean
  /** A proxy to put in front of the server. */
  through?(url: string): Promise<FaultyProxy>
  /** Milliseconds for one exchange. */
  timeout?: number
  /** Stops between batches once this says so. */
  enough?(runs: CheckRun[]): boolean
}

const BATCH = 12

/** Runs checks against a reference server of their own. */
export const runInstance = async (proof: ProofContext, checks: CheckDefinition[], options: InstanceOptions = {}): Promise<Instance> => {
  const { reference, config } = await startEmbedded(proof.contract, {
    engines: proof.engines,
    ...(options.faults === undefined ? {} : { faults: options.faults }),
    ...(options.variants === undefined ? {} : { variants: options.variants }),
    tls: false,
  })
  const proxy = await options.through?.(reference.url)
  if (proxy !== undefined) for (const target of config.targets) target.url = target.url.replace(reference.url, proxy.url)
  if (options.timeout !== undefined) config.timing.timeout = options.timeout
  try {
    const { context } = await openRun(proof.contract, config, {
      seed: proof.seed,
      effort: 'standard',
      signal: proof.signal,
      ...(options.recording === undefined ? {} : { recording: options.recording }),
    })
    proxy?.arm()
    context.backends = proof.backends
    context.missingBackends = proof.missingBackends
    const runs: CheckRun[] = []
    const size = options.enough === undefined ? checks.length : BATCH
    for (let index = 0; index < checks.length; index += size) {
      runs.push(...(await runChecks(context, checks.slice(index, index + size))))
      if (options.enough?.(runs) === true) break
    }
    await removeShared(context)
    await closeRun(context)
    return { context, runs, hits: reference.hits, requests: requestsOf(context), broken: proxy?.broken() ?? 0 }
  } finally {
    await proxy?.close()
    await reference.close()
  }
}

/** What a clean run taught: how long each check takes, and which checks reach the clauses that schemas decide. */
export interface Baseline {
  instance: Instance
  durations: Map<string, number>
}

export const baselineOf = (instance: Instance): Baseline => ({
  instance,
  durations: new Map(instance.runs.map((run) => [run.check.id, run.durationMs])),
})

const EXERCISERS = 3

/**
 * The checks that may kill a fault: those that decide its clauses, quickest first, and what exercises the schema-decided ones: checks of the
 * fault's own engine, which see most of its values, and the quickest of all.
 *
 * @param most - how many exercisers of either sort a schema-decided clause gets.
 */
const checksFor = (all: CheckDefinition[], baseline: Baseline, { clauses, engine }: Fault, most: number): CheckDefinition[] => {
  const byDuration = (left: CheckDefinition, right: CheckDefinition) =>
    (baseline.durations.get(left.id) ?? 0) - (baseline.durations.get(right.id) ?? 0)
  const deciding = all.filter((check) => check.clauses.some((clause) => clauses.includes(clause)))
  const active = deciding.filter((check) => check.kind !== 'contract' || check.deadline > 0).sort(byDuration)
  const passive = deciding.filter((check) => !active.includes(check))
  const reaching = new Set(passive.flatMap((check) => [...(baseline.instance.context.ledger.clauses.get(check.clauses[0]!)?.by ?? [])]))
  const exercisers = all.filter((check) => reaching.has(check.id) && !active.includes(check)).sort(byDuration)
  const own = exercisers.filter((check) => check.engine === engine)
  const chosen = new Set([...own.slice(0, most * passive.length), ...exercisers.slice(0, most * passive.length)])
  return [...chosen, ...passive, ...active]
}

const killersOf = (runs: CheckRun[], clauses: readonly string[]): string[] =>
  runs
    .filter((run) => clauses.some((clause) => run.check.clauses.includes(clause) && voteOf(run, clause) === 'violated'))
    .map((run) => run.check.id)

const tryOnce = async (
  proof: ProofContext,
  checks: CheckDefinition[],
  fault: Fault,
): Promise<Pick<KillRecord, 'state' | 'killedBy'> & { note?: string }> => {
  try {
    const { runs, hits } = await runInstance(proof, checks, { faults: [fault], enough: (so) => killersOf(so, fault.clauses).length > 0 })
    const killedBy = killersOf(runs, fault.clauses)
    if (killedBy.length > 0) return { state: 'killed', killedBy }
    const other = runs.filter((run) => ['failed', 'errored', 'blocked'].includes(run.outcome)).slice(0, 3)
    const note = other.map((run) => `${run.check.id} ${run.outcome}: ${run.reason}`).join(' | ')
    return { state: (hits.get(fault.id) ?? 0) === 0 ? 'unreached' : 'survived', killedBy, ...(note === '' ? {} : { note }) }
  } catch (error) {
    return { state: 'errored', killedBy: [], note: (error as Error).message }
  }
}

const isOpen = ({ state }: Pick<KillRecord, 'state'>): boolean => state === 'survived' || state === 'unreached'

const byChance = ({ kind }: CheckDefinition): boolean => kind === 'race' || kind === 'model' || kind === 'property'

/** Tries one fault; where checks that draw or race let it survive, once more with the next seed, which the note then says. */
export const tryFault = async (
  proof: ProofContext,
  all: CheckDefinition[],
  baseline: Baseline,
  fault: Fault,
): Promise<KillRecord & { note?: string }> => {
  const record = { fault: fault.id, engine: fault.engine, title: fault.title, clauses: fault.clauses }
  const few = checksFor(all, baseline, fault, EXERCISERS)
  if (few.length === 0) return { ...record, state: 'survived', killedBy: [], note: 'no check decides its clauses' }
  const quick = await tryOnce(proof, few, fault)
  // Which few are quickest differs from run to run: only all of them together have the last word.
  const checks = checksFor(all, baseline, fault, all.length)
  const first = isOpen(quick) && checks.length > few.length ? await tryOnce(proof, checks, fault) : quick
  if (!isOpen(first) || !checks.some(byChance)) return { ...record, ...first }
  const second = await tryOnce({ ...proof, seed: proof.seed + 1 }, checks, fault)
  const note = second.state === 'killed' ? `survived seed ${proof.seed}, killed with seed ${proof.seed + 1}` : second.note
  return { ...record, ...second, ...(note === undefined ? {} : { note }) }
}

/** Alarms of a run on a legal server: required clauses found violated, and our own mistakes. */
export const alarmsOf = (contract: Contract, runs: CheckRun[]): string[] =>
  runs.flatMap((run) => {
    if (run.outcome === 'errored') return [`${run.check.id} errored: ${run.reason}`]
    return run.check.clauses
      .filter((clause) => contract.clauses.get(clause)?.level === 'required' && voteOf(run, clause) === 'violated')
      .map((clause) => `${clause} by ${run.check.id}: ${run.reason}`)
  })
