/** `assay clean [URL]`: removes what earlier runs left, by journal and by our prefix. */
import { rmSync } from 'node:fs'
import { Command } from 'commander'
import { loadContract } from '../contract/load.ts'
import { newRunName } from '../run/open.ts'
import { completeRun, completeTarget, type TargetConfig } from '../target/config.ts'
import { openTarget } from '../target/open.ts'
import { preflight } from '../target/preflight.ts'
import type { UndoEntry } from '../target/provisioners/types.ts'
import type { Target } from '../target/target.ts'
import { exit } from './exit.ts'
import { tokenFrom } from './flags.ts'
import { removeAbandoned } from './leftovers.ts'

interface CleanOptions {
  token?: string
  tokenFile?: string
  dialect?: string
  caCert?: string
  tlsSkipVerify?: boolean
}

const PREFIX = 'assay-'
// What lies in a mount or namespace goes with it; a namespace goes last, and after those inside it.
const ORDER = ['identity', 'mount', 'namespace']

const depth = ({ namespace, name }: UndoEntry): number => `${namespace}${name}`.split('/').filter(Boolean).length

const openFor = async (url: string, options: CleanOptions): Promise<Target> => {
  const contract = await loadContract()
  const tls: TargetConfig['tls'] = {
    ...(options.caCert === undefined ? {} : { caCert: options.caCert }),
    ...(options.tlsSkipVerify === true ? { skipVerify: true } : {}),
  }
  const config = completeTarget(
    { url, engines: [], tls, ...(options.dialect === undefined ? {} : { dialect: options.dialect }) },
    process.cwd(),
  )
  const token = tokenFrom(options)
  const target = openTarget(contract, completeRun({}, process.cwd()), config, {
    run: newRunName(),
    ...(token === undefined ? {} : { token }),
    secret: () => undefined,
    journal: () => undefined,
    signal: new AbortController().signal,
  })
  await preflight(contract, target)
  return target
}

const undoAll = async (target: Target, entries: UndoEntry[]): Promise<number> => {
  let failed = 0
  const sorted = [...entries].sort((left, right) => ORDER.indexOf(left.kind) - ORDER.indexOf(right.kind) || depth(right) - depth(left))
  for (const entry of sorted) {
    try {
      await target.provisioner.undo(entry)
      process.stdout.write(`removed ${entry.kind} ${entry.namespace}${entry.name}\n`)
    } catch (error) {
      failed += 1
      process.stdout.write(`could not remove ${entry.kind} ${entry.namespace}${entry.name}: ${(error as Error).message}\n`)
    }
  }
  return failed
}

const clean = async (url: string | undefined, options: CleanOptions): Promise<number> => {
  const abandoned = await removeAbandoned()
  const waiting = abandoned.filter(({ onTargets }) => onTargets.some((entry) => url === undefined || entry.on !== url))
  if (url === undefined) {
    for (const { onTargets } of waiting) {
      const [first] = onTargets
      process.stdout.write(`${onTargets.length} objects are left on ${first!.on}: run assay clean ${first!.on} with its token\n`)
    }
    process.stdout.write('nothing else is left on this machine\n')
    return waiting.length === 0 ? exit.passed : exit.incomplete
  }
  const target = await openFor(url, options)
  try {
    const journalled = abandoned.flatMap(({ onTargets }) => onTargets.filter((entry) => entry.on === url))
    const found = await target.provisioner.leftovers(PREFIX)
    const names = new Set(found.map((entry) => `${entry.kind} ${entry.name}`))
    const only = journalled.filter((entry) => !names.has(`${entry.kind} ${entry.name}`)).map(({ on: _, ...entry }) => entry as UndoEntry)
    const failed = await undoAll(target, [...only, ...found])
    if (failed === 0)
      for (const { file, onTargets } of abandoned) if (onTargets.every((entry) => entry.on === url)) rmSync(file, { force: true })
    process.stdout.write(failed === 0 ? 'nothing of ours is left\n' : `${failed} objects could not be removed\n`)
    return failed === 0 ? exit.passed : exit.incomplete
  } finally {
    await target.http.close()
  }
}

export const cleanCommand = (): Command =>
  new Command('clean')
    .description('remove what earlier runs left on this machine and on a target')
    .argument('[url]', 'address of the server')
    .option('--token <token>', 'token of a caller who may do everything (or ASSAY_TOKEN)')
    .option('--token-file <file>', 'file that holds the token')
    .option('--dialect <name|file>', 'how the server spells the names of the contract')
    .option('--ca-cert <file>', 'PEM file of the authority to trust')
    .option('--tls-skip-verify', 'do not verify the certificate of the server')
    .action(async (url: string | undefined, options: CleanOptions) => {
      process.exitCode = await clean(url, options)
    })
