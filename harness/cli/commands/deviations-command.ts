/** The flags of `assay deviations`. */
import { Command } from 'commander'
import type { CheckOptions } from '../check-deviations.ts'

export const deviationsCommand = (): Command =>
  new Command('deviations').description('work with a file of known deviations').addCommand(
    new Command('check')
      .description('hold the entries against the results of a run, without a target')
      .argument('<file>', 'a file of known deviations')
      .requiredOption('--results <file>', 'results.json of a run')
      .option('--json', 'as one JSON object')
      .action(async (file: string, options: CheckOptions) => {
        process.exitCode = await (await import('../check-deviations.ts')).checkDeviations(file, options)
      }),
  )
