/** The flags of `assay merge`. */
import { Command } from 'commander'
import { historyFlags } from '../history-flags.ts'
import type { MergeOptions } from '../merge-shards.ts'
import { signFlags } from '../sign-flags.ts'

export const mergeCommand = (): Command =>
  signFlags(historyFlags(new Command('merge')))
    .description('join the results of shards into one')
    .argument('<dirs...>', 'report folders (or results.json) of all shards of a run')
    .option('--out <dir>', 'folder of the report', 'assay-report')
    .option('--json', 'print the summary as one JSON object on stdout')
    .action(async (places: string[], options: MergeOptions) => {
      process.exitCode = await (await import('../merge-shards.ts')).merge(places, options)
    })
