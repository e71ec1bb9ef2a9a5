/** One instance of the proof: checks against a reference server of their own. */
import { type AnyHandle, isModule } from '../base/backend-handle.ts'
import { anySignal } from '../base/shared-signal.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Contract } from '../contract/contract.ts'
import { voteOf } from '../outcomes/verdict.ts'
import type { CheckRun } from '../running/check-run.ts'
import { closeRun, openRun, requestsOf } from '../running/open-run.ts'
import { removeShared, runChecks } from '../running/run.ts'
import { addSettings, serverSettingsOf } from '../running/server-settings.ts'
import type { RunContext } from '../sending/context.ts'
import type { Reservations } from '../sending/reservations.ts'
import type { Effort } from '../target/configured-names.ts'
import type { Reached, ServerOptions, StartServer } from './server-under-test.ts'
import type { FaultyProxy } from './transport-faults.ts'

export interface ProofContext {
  contract: Contract
  start: StartServer
  seed: number
  effort: Effort
  engines: string[]
  backends: Record<string, AnyHandle>
  missingBackends: Record<string, { reason: string; remedy: string }>
  /** Who uses the PKCS#11 modules: their tokens are not read well while another server writes, and their log tells no servers apart. */
  modules: Reservations
  signal: AbortSignal
}

export interface Instance {
  context: RunContext
  runs: CheckRun[]
  hits: Map<string, number>
  /** Mutants whose code ran. */
  reached: Reached
  requests: number
  /** How often the proxy broke the transport. */
  broken: number
}

interface InstanceOptions {
  /** What the server is to have. */
  server?: Omit<ServerOptions, 'engines'>
  recording?: boolean
  /** A proxy to put in front of the server. */
  through?(url: string): Promise<FaultyProxy>
  /** Milliseconds for one exchange. */
  timeout?: number
  /** Every check keeps its exchanges, whatever came of it. */
  tracing?: boolean
  /** Failing cases are neither shrunk nor run again. */
  verdictsOnly?: boolean
  /** Once a check, which need not be at its end, finds a clause violated of which this is so, the rest is cut short. */
  isDecisive?(clause: string): boolean
  /** Says of a check that it lets time pass: with `enough`, more of such checks run at once. */
  isResting?(check: CheckDefinition): boolean
  /** Once this says so, asked after every check, the rest is cut short. */
  enough?(runs: CheckRun[], context: RunContext): boolean
}

/** How many checks of one server run at once where one may be enough: of those that keep the machine busy, and of those that let time pass. */
const BATCH = 1
const RESTING_BATCH = 6

/** The checks in the order given, cut into parts that run at once. */
export const batchesOf = <C>(checks: readonly C[], isResting: (check: C) => boolean): C[][] => {
  const batches: C[][] = []
  let [busy, resting] = [BATCH, RESTING_BATCH]
  for (const check of checks) {
    const rests = isResting(check)
    if (rests ? resting === RESTING_BATCH : busy === BATCH) {
      batches.push([])
      busy = 0
      resting = 0
    }
    if (rests) resting += 1
    else busy += 1
    batches.at(-1)!.push(check)
  }
  return batches
}

/** All modules together: one server has them at a time. */
const MODULES = { modules: 'all' }

/** Whether any of these checks uses a PKCS#11 module that can be had. */
export const usesModule = ({ backends }: ProofContext, checks: readonly CheckDefinition[]): boolean =>
  checks.some(({ needs }) => needs.backends?.some((name) => backends[name] !== undefined && isModule(backends[name])) === true)

/** Runs checks against a reference server of their own. @throws the reason of the proof's signal where that ended it. */
export const runInstance = async (proof: ProofContext, checks: CheckDefinition[], options: InstanceOptions = {}): Promise<Instance> => {
  proof.signal.throwIfAborted()
  const { server, config, operate } = await proof.start({ engines: proof.engines, ...options.server })
  const proxy = await options.through?.(server.url)
  if (proxy !== undefined) for (const target of config.targets) target.url = target.url.replace(server.url, proxy.url)
  const settings = serverSettingsOf(proof.backends)
  addSettings(config, settings)
  await operate?.(settings)
  if (options.timeout !== undefined) config.timing.timeout = options.timeout
  const cut = new AbortController()
  const signal = anySignal([cut.signal, proof.signal])
  try {
    const { context } = await openRun(proof.contract, config, {
      seed: proof.seed,
      effort: proof.effort,
      signal,
      trace: options.tracing === true,
      ...(options.recording === undefined ? {} : { recording: options.recording }),
    })
    proxy?.arm()
    context.backends = proof.backends
    context.missingBackends = proof.missingBackends
    context.verdictsOnly = options.verdictsOnly === true
    context.foundViolated = (clause) => {
      if (options.isDecisive?.(clause) === true) cut.abort(new Error('enough is known'))
    }
    const runs: CheckRun[] = []
    const finished = (run: CheckRun): void => {
      runs.push(run)
      if (options.enough?.(runs, context) === true) cut.abort(new Error('enough is known'))
    }
    const batches = options.enough === undefined ? [checks] : batchesOf(checks, (check) => options.isResting?.(check) === true)
    for (const batch of batches) {
      if (signal.aborted) break
      if (usesModule(proof, batch)) await proof.modules.reserve(cut, [MODULES])
      await runChecks(context, batch, { finished })
    }
    await removeShared(context)
    await closeRun(context)
    proof.signal.throwIfAborted()
    await server.counts?.()
    return {
      context,
      runs,
      hits: server.hits,
      reached: server.reached ?? new Map(),
      requests: requestsOf(context),
      broken: proxy?.broken() ?? 0,
    }
  } finally {
    try {
      await proxy?.close()
      await server.close()
    } finally {
      proof.modules.release(cut)
    }
  }
}

/** False positives of a run on a legal server: required clauses found violated, and internal errors. */
export const falsePositivesOf = (contract: Contract, runs: CheckRun[]): string[] =>
  runs.flatMap((run) => {
    if (run.outcome === 'errored') return [`${run.check.id} errored: ${run.reason}`]
    return run.check.clauses
      .filter((clause) => contract.clauses.get(clause)?.level === 'required' && voteOf(run, clause) === 'violated')
      .map((clause) => `${clause} by ${run.check.id}: ${run.reason}`)
  })
