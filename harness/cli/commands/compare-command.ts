/** The flags of `assay compare`. */
import { Command } from 'commander'
import type { CompareOptions } from '../compare.ts'

export const compareCommand = (): Command =>
  new Command('compare')
    .description('implementations side by side, engine by clause: one page, and JSON')
    .argument('<results...>', 'results.json (or report folder) of each implementation')
    .option('--out <dir>', 'folder of the page', 'assay-compare')
    .option('--json', 'print the comparison as one JSON object on stdout')
    .action(async (places: string[], options: CompareOptions) => (await import('../compare.ts')).compare(places, options))
