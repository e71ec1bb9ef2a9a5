/** The flags of `certify --watch`. */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { UsageError } from '../base/usage.ts'
import { list } from './flags.ts'

export interface WatchOptions {
  watch?: boolean
  watchPath?: string[]
}

/** Adds the flags to a command. */
export const watchFlags = (command: Command): Command =>
  command
    .option('--watch', 'run again on a key press, when the target comes back or when a file changes; q ends it')
    .option('--watch-path <paths>', 'files and folders that are watched too, separated by commas; may be repeated', list)

/** Flags that make no sense where runs follow one another. */
const ALONE = ['embedded', 'plan', 'json', 'shard', 'replay'] as const

/**
 * Checks the flags before anything is started.
 *
 * @throws UsageError that names what cannot be watched.
 */
export const requireWatchable = (options: WatchOptions & Partial<Record<(typeof ALONE)[number], unknown>>): void => {
  const paths = options.watchPath ?? []
  if (options.watch !== true) {
    if (paths.length > 0) throw new UsageError('--watch-path needs --watch')
    return
  }
  const beside = ALONE.find((name) => options[name] !== undefined)
  if (beside !== undefined) throw new UsageError(`--watch and --${beside} exclude each other: give one of them`)
  const missing = paths.find((path) => !existsSync(path))
  if (missing !== undefined) throw new UsageError(`--watch-path: ${missing} does not exist`)
}
