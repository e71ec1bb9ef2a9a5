/** The flags of `assay report`. */
import { Command } from 'commander'

export const reportCommand = (): Command =>
  new Command('report')
    .description('render results.json again')
    .argument('<results>', 'a results.json of an earlier run')
    .option('--out <dir>', 'folder of the report', 'assay-report')
    .action(async (file: string, { out }: { out: string }) => {
      process.exitCode = await (await import('../report.ts')).report(file, out)
    })
