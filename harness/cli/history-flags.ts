/** The flags of `--history DIR`. */
import type { Command } from 'commander'
import { countNumber } from './flags.ts'

/** How many runs are kept where nothing else is said: a quarter of nights. */
export const KEPT = 90

export interface HistoryOptions {
  history?: string
  keep?: number
}

/** Adds the flags to a command. */
export const historyFlags = (command: Command): Command =>
  command
    .option('--history <dir>', 'keep the results of each run there, and draw them in the report and in history.html')
    .option('--keep <n>', 'how many runs the history keeps', countNumber, KEPT)
