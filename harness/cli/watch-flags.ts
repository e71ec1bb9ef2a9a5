/** The flags of `certify --watch`. */
import type { Command } from 'commander'
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
