/** `assay clean [URL]`: removes what earlier runs left, by journal and by our prefix. */
import { connectExternal } from '../backends/chain.ts'
import { removeBackendLeftovers } from '../backends/objects.ts'
import { keepingSecrets, withoutSecrets } from '../base/credential-guard.ts'
import { UsageError } from '../base/usage.ts'
import { type FoundJournal, foundJournals, type JournalEntry, strike } from '../cleanup/journal.ts'
import type { Contract } from '../contract/contract.ts'
import { loadContract } from '../contract/load.ts'
import { newRunName, secretsFor } from '../running/open-run.ts'
import { openTarget } from '../running/open-target.ts'
import { externalOf, instanceOf } from '../running/used-backends.ts'
import type { SecretRegistry } from '../secrets/secrets.ts'
import { fetchTokens } from '../target/caller-tokens.ts'
import { preflight } from '../target/preflight.ts'
import type { UndoEntry } from '../target/provisioner.ts'
import { namespaceOf, type RunConfig, type TargetConfig } from '../target/run-configuration.ts'
import type { Target } from '../target/target.ts'
import { endLeases, nameOf, undoOrForce } from '../target/undo.ts'
import { urlOf } from '../target/url.ts'
import type { CertifyOptions } from './certify-flags.ts'
import { configFrom, requireKnownNames } from './configuration.ts'
import { exit } from './exit.ts'
import { tokenFrom } from './flags.ts'
import { counted, namesOfLocal, placeOf, wordsOfInstances, wordsOfTargets } from './left.ts'
import { type Abandoned, inOrder, isThere, removeAbandoned, undoEntryOf } from './leftovers.ts'

export type CleanOptions = Pick<CertifyOptions, 'token' | 'tokenFile' | 'config' | 'namespace' | 'dialect' | 'caCert' | 'tlsSkipVerify'> & {
  forget?: boolean
}

const PREFIX = 'assay-'

const say = (text: string): void => void process.stdout.write(`${withoutSecrets(text)}\n`)

const openFor = async (
  contract: Contract,
  run: RunConfig,
  config: TargetConfig,
  token: string | undefined,
  secrets: SecretRegistry,
): Promise<Target> => {
  const target = openTarget(contract, run, config, {
    run: newRunName(),
    ...(token === undefined ? {} : { token }),
    secrets,
    journal: () => undefined,
    removed: () => undefined,
    signal: new AbortController().signal,
  })
  await fetchTokens(target)
  await preflight(contract, target)
  return target
}

const undoAll = async (target: Target, entries: UndoEntry[]): Promise<number> => {
  let failed = 0
  await endLeases(target, entries)
  for (const entry of inOrder(entries)) {
    try {
      const forced = await undoOrForce(target, entry)
      const without = forced ? ' without ending its leases: users that it made may be left on backends out of its reach' : ''
      say(`removed ${nameOf(entry)}${without}`)
    } catch (error) {
      failed += 1
      say(`could not remove ${nameOf(entry)}: ${(error as Error).message}`)
    }
  }
  return failed
}

/** Removes what is on one target; returns how much could not be removed. */
const cleanTarget = async (target: Target, abandoned: Abandoned[], alive: readonly FoundJournal[]): Promise<number> => {
  const isHere = (entry: JournalEntry): boolean => isThere(target.config, entry)
  const journalled = abandoned.flatMap(({ onTargets }) => onTargets.filter(isHere))
  const isOfOthers = ({ name }: UndoEntry): boolean => alive.some(({ run }) => name.startsWith(`${PREFIX}${run}-`))
  const found = (await target.provisioner.leftovers(PREFIX)).filter((entry) => !isOfOthers(entry))
  const names = new Set(found.map((entry) => `${entry.kind} ${entry.name}`))
  const only = journalled.filter((entry) => !names.has(`${entry.kind} ${entry.name}`)).map(undoEntryOf)
  const failed = await undoAll(target, [...only, ...found])
  if (failed === 0) for (const { file, onTargets } of abandoned) strike(file, onTargets.filter(isHere))
  return failed
}

/** Removes what is on the backends that a configuration names; returns how many of them could not be cleaned. */
const cleanBackends = async (config: TargetConfig, abandoned: Abandoned[], alive: readonly FoundJournal[]): Promise<number> => {
  const spared = alive.map(({ run }) => run)
  const { external, targetHost } = externalOf(config.backends)
  let failed = 0
  for (const name of Object.keys(external)) {
    try {
      const handle = await connectExternal(name, external[name]!, targetHost)
      for (const removed of await removeBackendLeftovers(handle, undefined, spared)) say(`removed ${removed} on ${instanceOf(handle)}`)
      for (const { file, onInstances } of abandoned)
        strike(
          file,
          onInstances.filter((entry) => entry.on === instanceOf(handle)),
        )
    } catch (error) {
      failed += 1
      say(`could not clean ${name}: ${(error as Error).message}`)
    }
  }
  return failed
}

/** Says which runs go on, whose objects are left alone. */
const sayAlive = (alive: readonly FoundJournal[]): void => {
  for (const { run, owner, seen } of alive)
    say(`left alone: run ${run} of ${owner?.host ?? 'another machine'} goes on (last sign of life ${seen.toTimeString().slice(0, 8)})`)
}

/** Says what only an address or a configuration can reach; returns how much of it there is. */
const report = (abandoned: Abandoned[]): number => {
  const lines = [
    ...wordsOfTargets(abandoned.flatMap(({ onTargets }) => onTargets)),
    ...wordsOfInstances(abandoned.flatMap(({ onInstances }) => onInstances)),
    ...abandoned
      .filter(({ outOfReach }) => outOfReach.length > 0)
      .map(({ outOfReach, host }) => `${namesOfLocal(outOfReach)} of ${host}, out of reach: run assay clean there (forgotten after a day)`),
  ]
  for (const line of lines) say(line)
  say('nothing else is left on this machine')
  return lines.length
}

/** Strikes what is on a server that is gone from the journals; returns the exit code. */
const forget = (url: string | undefined, options: CleanOptions, abandoned: Abandoned[]): number => {
  if (url === undefined) throw new UsageError('--forget needs the URL of the server that is gone')
  urlOf(url, 'the URL')
  const place = { url, namespace: namespaceOf(options.namespace ?? '') }
  let forgotten = 0
  for (const { file, onTargets } of abandoned) {
    const gone = onTargets.filter((entry) => isThere(place, entry))
    forgotten += gone.length
    strike(file, gone)
  }
  say(`${counted(forgotten, 'object')} on ${url} forgotten`)
  const others = new Set(abandoned.flatMap(({ onTargets }) => onTargets).map(placeOf))
  if (forgotten === 0 && others.size > 0) say(`what is remembered is on ${[...others].join(', ')}`)
  return exit.passed
}

export const clean = async (url: string | undefined, options: CleanOptions): Promise<number> => {
  const abandoned = await removeAbandoned()
  const alive = foundJournals().filter(({ isAlive }) => isAlive)
  sayAlive(alive)
  if (options.forget === true) return forget(url, options, abandoned)
  if (url === undefined && options.config === undefined) return report(abandoned) === 0 ? exit.passed : exit.incomplete
  const contract = await loadContract()
  const run = await configFrom(url, options as CertifyOptions)
  requireKnownNames(contract, run)
  const secrets = secretsFor(contract)
  return keepingSecrets(secrets, async () => {
    let failed = 0
    for (const config of run.targets) {
      const target = await openFor(contract, run, config, tokenFrom(options), secrets)
      try {
        failed += await cleanTarget(target, abandoned, alive)
      } finally {
        await target.http.close()
      }
    }
    // Last: a target needs its backends to end its leases.
    for (const config of run.targets) failed += await cleanBackends(config, abandoned, alive)
    say(failed === 0 ? 'nothing of ours is left' : `${counted(failed, 'object')} could not be removed`)
    return failed === 0 ? exit.passed : exit.incomplete
  })
}
