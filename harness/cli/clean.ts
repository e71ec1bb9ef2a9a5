/** `assay clean [URL]`: removes what earlier runs left, by journal and by our prefix. */
import { Command } from 'commander'
import { connectExternal } from '../backends/ladder.ts'
import { loadContract } from '../contract/load.ts'
import type { Contract } from '../contract/types.ts'
import { removeBackendLeftovers } from '../oracles/leftovers.ts'
import { externalOf, instanceOf } from '../run/backends.ts'
import { strike } from '../run/journal.ts'
import { newRunName } from '../run/open.ts'
import type { RunConfig, TargetConfig } from '../target/config.ts'
import { openTarget } from '../target/open.ts'
import { preflight } from '../target/preflight.ts'
import type { UndoEntry } from '../target/provisioners/types.ts'
import type { Target } from '../target/target.ts'
import { type CertifyOptions, configFrom } from './certify-flags.ts'
import { exit } from './exit.ts'
import { tokenFrom } from './flags.ts'
import { type Abandoned, inOrder, removeAbandoned, undoEarlier, undoEntryOf } from './leftovers.ts'

type CleanOptions = Pick<CertifyOptions, 'token' | 'tokenFile' | 'config' | 'dialect' | 'caCert' | 'tlsSkipVerify'>

const PREFIX = 'assay-'

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const openFor = async (contract: Contract, run: RunConfig, config: TargetConfig, token: string | undefined): Promise<Target> => {
  const target = openTarget(contract, run, config, {
    run: newRunName(),
    ...(token === undefined ? {} : { token }),
    secret: () => undefined,
    journal: () => undefined,
    removed: () => undefined,
    signal: new AbortController().signal,
  })
  await preflight(contract, target)
  return target
}

const undoAll = async (target: Target, entries: UndoEntry[]): Promise<number> => {
  let failed = 0
  for (const entry of inOrder(entries)) {
    try {
      const forced = await undoEarlier(target, entry)
      const without = forced ? ' without ending its leases: users that it made may be left on backends out of its reach' : ''
      say(`removed ${entry.kind} ${entry.namespace}${entry.name}${without}`)
    } catch (error) {
      failed += 1
      say(`could not remove ${entry.kind} ${entry.namespace}${entry.name}: ${(error as Error).message}`)
    }
  }
  return failed
}

/** Removes what is on one target; returns how much could not be removed. */
const cleanTarget = async (target: Target, abandoned: Abandoned[]): Promise<number> => {
  const { url } = target.config
  const journalled = abandoned.flatMap(({ onTargets }) => onTargets.filter((entry) => entry.on === url))
  const found = await target.provisioner.leftovers(PREFIX)
  const names = new Set(found.map((entry) => `${entry.kind} ${entry.name}`))
  const only = journalled.filter((entry) => !names.has(`${entry.kind} ${entry.name}`)).map(undoEntryOf)
  const failed = await undoAll(target, [...only, ...found])
  if (failed === 0)
    for (const { file, onTargets } of abandoned)
      strike(
        file,
        onTargets.filter((entry) => entry.on === url),
      )
  return failed
}

/** Removes what is on the backends that a configuration names; returns how many of them could not be cleaned. */
const cleanBackends = async (config: TargetConfig, abandoned: Abandoned[]): Promise<number> => {
  const { external, targetHost } = externalOf(config.backends)
  let failed = 0
  for (const name of Object.keys(external)) {
    try {
      const handle = await connectExternal(name, external[name]!, targetHost)
      for (const removed of await removeBackendLeftovers(handle)) say(`removed ${removed} on ${instanceOf(handle)}`)
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

/** Says what only an address or a configuration can reach; returns how much of it there is. */
const report = (abandoned: Abandoned[]): number => {
  const lines = abandoned.flatMap(({ onTargets, onInstances }) => [
    ...onTargets.slice(0, 1).map(({ on }) => `${onTargets.length} objects are left on ${on}: run assay clean ${on} with its token`),
    ...onInstances.map(({ on, name }) => `run ${name} made objects on ${on}: run assay clean --config FILE with a file that names it`),
  ])
  for (const line of lines) say(line)
  say('nothing else is left on this machine')
  return lines.length
}

const clean = async (url: string | undefined, options: CleanOptions): Promise<number> => {
  const abandoned = await removeAbandoned()
  if (url === undefined && options.config === undefined) return report(abandoned) === 0 ? exit.passed : exit.incomplete
  const contract = await loadContract()
  const run = await configFrom(url, options as CertifyOptions)
  let failed = 0
  for (const config of run.targets) {
    const target = await openFor(contract, run, config, tokenFrom(options))
    try {
      failed += await cleanTarget(target, abandoned)
    } finally {
      await target.http.close()
    }
  }
  // Last: a target needs its backends to end its leases.
  for (const config of run.targets) failed += await cleanBackends(config, abandoned)
  say(failed === 0 ? 'nothing of ours is left' : `${failed} objects could not be removed`)
  return failed === 0 ? exit.passed : exit.incomplete
}

export const cleanCommand = (): Command =>
  new Command('clean')
    .description('remove what earlier runs left on this machine, on targets, and on the backends of a configuration')
    .argument('[url]', 'address of the server')
    .option('--token <token>', 'token of a caller who may do everything (or ASSAY_TOKEN)')
    .option('--token-file <file>', 'file that holds the token')
    .option('--config <file>', 'configuration file: its targets, and the backends that it names')
    .option('--dialect <name|file>', 'how the server spells the names of the contract')
    .option('--ca-cert <file>', 'PEM file of the authority to trust')
    .option('--tls-skip-verify', 'do not verify the certificate of the server')
    .action(async (url: string | undefined, options: CleanOptions) => {
      process.exitCode = await clean(url, options)
    })
