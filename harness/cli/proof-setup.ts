/** What every proof begins with: the backends that can be had, and one clean run. */
import { setMaxListeners } from 'node:events'
import { startBackends } from '../backends/chain.ts'
import type { ServerSettings } from '../base/backend-handle.ts'
import { Interrupted } from '../base/errors.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import { Journal } from '../cleanup/journal.ts'
import type { Contract } from '../contract/contract.ts'
import { type CleanRun, runClean } from '../mutation/clean-run.ts'
import type { ProofContext } from '../mutation/instance.ts'
import type { StartServer } from '../mutation/server-under-test.ts'
import { alone, type Team } from '../mutation/team.ts'
import { backendsOf } from '../planning/plan.ts'
import { newRunName } from '../running/open-run.ts'
import { makeScratch } from '../running/scratch.ts'
import { localJournal } from '../running/used-backends.ts'
import { Reservations } from '../sending/reservations.ts'
import type { Effort } from '../target/configured-names.ts'
import { operatorSettings, startEmbedded } from './embedded.ts'
import { removeAbandoned } from './leftovers.ts'
import { namedMutations } from './mutations.ts'
import { requireState } from './surroundings.ts'

/** A proof that is ready to try faults. */
export interface OpenProof {
  proof: ProofContext
  /** The checks that this machine has the backends for. */
  checks: CheckDefinition[]
  baseline: CleanRun
  /** What the clean server was held guilty of, wrongly. */
  falsePositives: string[]
}

export interface ProofSubject {
  contract: Contract
  /** What the server claims. */
  engines: string[]
  checks: CheckDefinition[]
  seed: number
  /** How much the checks do; default thorough. */
  effort?: Effort
  /** Those who make the rest of the clean run; default none. */
  team?: Team
  /** Begins what needs no clean run, and goes on beside it. */
  meanwhile?(proof: ProofContext, checks: CheckDefinition[]): void
  /** Module of a thread that runs instrumented sources; without it the server runs in this thread. */
  entry?: URL
}

export const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

const startOn =
  (contract: Contract, entry: URL | undefined): StartServer =>
  async ({ engines, faults: fault, variants: variant, mutant = '' }) => {
    const { reference, config } = await startEmbedded(contract, {
      engines,
      ...namedMutations({ ...(fault === undefined ? {} : { fault }), ...(variant === undefined ? {} : { variant }) }),
      ...(entry === undefined ? {} : { thread: true, entry, mutant }),
    })
    const operate = async (settings: ServerSettings) => reference.operate(operatorSettings(settings))
    return { server: reference, config, operate }
  }

/** Brings up the backends, lets `use` try what it wants with the checks that this machine has them for, and removes everything again; a signal cuts it short. */
export const withBackends = async <T>(
  { contract, engines, checks, seed, effort = 'thorough', entry }: ProofSubject,
  use: (proof: ProofContext, checks: CheckDefinition[]) => Promise<T>,
): Promise<T> => {
  const abort = new AbortController()
  // Every instance of the proof listens to it, as many as there are at once.
  setMaxListeners(0, abort.signal)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => abort.abort(new Interrupted('interrupted: what was under way is not decided, and no proof is written')))
  const needed = backendsOf(checks)
  if (needed.length > 0) requireState()
  await removeAbandoned()
  const run = newRunName()
  const journal = new Journal(run)
  const removeScratch = makeScratch(run, journal)
  const backends = await startBackends(needed, { external: {}, journal: localJournal(journal), onProgress: say, signal: abort.signal })
  try {
    const possible = checks.filter((check) => (check.needs.backends ?? []).every((name) => backends.handles[name] !== undefined))
    const proof: ProofContext = {
      contract,
      start: startOn(contract, entry),
      seed,
      effort,
      engines,
      backends: backends.handles,
      missingBackends: backends.missing,
      modules: new Reservations(),
      signal: abort.signal,
    }
    const result = await use(proof, possible)
    abort.signal.throwIfAborted()
    return result
  } finally {
    abort.abort(new Error('the proof is over'))
    await backends.stop()
    removeScratch()
    journal.close()
  }
}

/** The same with a clean run first, beside which `meanwhile` goes on. */
export const withProof = <T>(subject: ProofSubject, use: (open: OpenProof) => Promise<T>): Promise<T> =>
  withBackends(subject, async (proof, checks) => {
    say(`a clean run first: ${checks.length} checks`)
    subject.meanwhile?.(proof, checks)
    return use({ proof, checks, ...(await runClean(proof, checks, subject.team ?? alone)) })
  })
