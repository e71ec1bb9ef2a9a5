/** The flags of `assay diff`. */
import { Command, Option } from 'commander'
import type { DiffOptions } from '../diff.ts'
import { factorNumber } from '../flags.ts'

const FORMATS: DiffOptions['format'][] = ['text', 'markdown', 'json', 'html']

export const diffCommand = (): Command =>
  new Command('diff')
    .description('what changed between two results of one target; exit 1 on a regression')
    .argument('<old>', 'results.json of an earlier run')
    .argument('<new>', 'results.json of a later one')
    .addOption(new Option('--format <format>', 'how it is written').choices(FORMATS).default('text'))
    .option('--slower <factor>', 'a check counts as slower that takes more than so many times what it took', factorNumber, 3)
    .option('--force', 'compare results of different targets too')
    .option('--out <file>', 'write there, not to the terminal')
    .action(async (older: string, newer: string, options: DiffOptions) => {
      process.exitCode = await (await import('../diff.ts')).diff(older, newer, options)
    })
