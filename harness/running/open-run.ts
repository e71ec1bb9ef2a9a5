/** Opens all targets of a run and the context that its checks share. */
import { randomInt } from 'node:crypto'
import { keepingSecrets, withoutSecrets } from '../base/credential-guard.ts'
import { CleanUpTime } from '../cleanup/cleanup.ts'
import { entryOn, Journal, type JournalOptions } from '../cleanup/journal.ts'
import type { Contract } from '../contract/contract.ts'
import { Harmless, vocabularyOf } from '../secrets/harmless.ts'
import { SecretRegistry } from '../secrets/secrets.ts'
import type { RunContext } from '../sending/context.ts'
import { Ledger } from '../sending/ledger.ts'
import { NameForms } from '../sending/name-forms.ts'
import { Reservations } from '../sending/reservations.ts'
import type { Effort } from '../target/configured-names.ts'
import { preflight } from '../target/preflight.ts'
import { RunClock } from '../target/run-clock.ts'
import type { RunConfig } from '../target/run-configuration.ts'
import { RunTokens } from '../target/run-tokens.ts'
import type { Target } from '../target/target.ts'
import { stepOf } from '../target/undo.ts'
import { openTarget, provideTokens } from './open-target.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** A name that no other run has. */
export const newRunName = (): string => Array.from({ length: 6 }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** The secrets of a run; the words of the contract do not count. */
export const secretsFor = (contract: Contract): SecretRegistry => new SecretRegistry(new Harmless(vocabularyOf(contract)))

export interface OpenRunOptions {
  /** Keeps the secrets of the run; default a new one. */
  secrets?: SecretRegistry
  seed: number
  effort: Effort
  token?: string
  replay?: string
  trace?: boolean
  /** Sends requests in plain form only. */
  plain?: boolean
  /** Keeps answers for offline faults. */
  recording?: boolean
  signal: AbortSignal
  /** Told of the journal before anything is made. */
  onJournal?(journal: Journal): void
  /** Told of what must not let the run go on. */
  journal?: JournalOptions
}

export interface OpenRun {
  context: RunContext
  notes: string[]
  /** Product and version of the servers, as they say them. */
  server?: string
}

/**
 * Opens the targets of a configuration and examines them.
 *
 * @throws UsageError for configuration, Blocked for a target that cannot be tested; their words hold no secret, whatever the target has said.
 */
export const openRun = (contract: Contract, config: RunConfig, options: OpenRunOptions): Promise<OpenRun> => {
  const secrets = options.secrets ?? secretsFor(contract)
  return keepingSecrets(secrets, () => openTargets(contract, config, options, secrets))
}

/** What a program of the user's comes to, unless the run is to end before; what it has made then stays in the journal. */
const orAborted = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })

/** What the servers say of themselves: once where all say the same, each with its API where they do not. */
const productsIn = (said: ReadonlyMap<string, string>, targets: number): string | undefined => {
  const [first, ...others] = new Set(said.values())
  if (first === undefined || (others.length === 0 && said.size === targets)) return first
  return [...said].map(([title, product]) => `${title}: ${product}`).join('; ')
}

const openTargets = async (contract: Contract, config: RunConfig, options: OpenRunOptions, secrets: SecretRegistry): Promise<OpenRun> => {
  const run = newRunName()
  const journal = new Journal(run, options.journal)
  options.onJournal?.(journal)
  const targets = new Map<string, Target>()
  const notes: string[] = []
  const said = new Map<string, string>()
  for (const target of config.targets) {
    const opened = openTarget(contract, config, target, {
      run,
      ...(options.token === undefined ? {} : { token: options.token }),
      secrets,
      journal: (to, entry) => void (config.ephemeral === true || journal.add(entryOn(to, entry))),
      removed: (to, entry) => void (config.ephemeral === true || journal.remove(entryOn(to, entry))),
      signal: options.signal,
    })
    targets.set(opened.api.api, opened)
  }
  const undo: RunContext['undo'] = []
  for (const target of targets.values()) {
    for (const entry of await orAborted(options.signal, provideTokens(target))) undo.push(stepOf(target, entry))
    const found = await preflight(contract, target, options.signal)
    notes.push(...found.notes.map(withoutSecrets))
    if (found.server !== undefined) said.set(target.api.title, withoutSecrets(found.server))
  }
  for (const target of targets.values()) {
    const prepared = target.provisioner.prepare?.(target.api.identities ?? [])
    for (const entry of await orAborted(options.signal, Promise.resolve(prepared ?? []))) {
      undo.push(stepOf(target, entry))
    }
  }
  const context: RunContext = {
    run,
    seed: options.seed,
    effort: options.effort,
    contract,
    targets,
    secrets,
    ledger: new Ledger(options.recording),
    journal,
    backends: {},
    missingBackends: {},
    grace: config.timing.grace,
    counts: new Map(),
    shared: new Map(),
    reservations: new Reservations(),
    undo,
    leftovers: [],
    cleanUp: new CleanUpTime(options.signal, performance.now() + config.timing.run),
    clock: new RunClock([...targets.values()]),
    tokens: new RunTokens(),
    names: new NameForms(contract),
    ...(options.replay === undefined ? {} : { replay: options.replay }),
    trace: options.trace === true,
    plain: options.plain === true,
    verdictsOnly: false,
    signal: options.signal,
  }
  const server = productsIn(said, targets.size)
  return { context, notes, ...(server === undefined ? {} : { server }) }
}

/** Requests sent to all targets. */
export const requestsOf = (context: RunContext): number => [...context.targets.values()].reduce((sum, target) => sum + target.http.sent, 0)

/** Ends all connections and closes the journal. */
export const closeRun = async (context: RunContext): Promise<void> => {
  for (const target of context.targets.values()) await target.http.close()
  context.journal.close()
}
