/** The flags of `assay demo`. */
import { Command } from 'commander'
import type { DemoOptions } from '../demo.ts'

export const demoCommand = (): Command =>
  new Command('demo')
    .description('certify the reference server with three planted faults, as a first look')
    .option('--out <dir>', 'folder for the report', 'assay-report')
    .option('--no-open', 'do not open the report on a desktop')
    .action(async (options: DemoOptions) => {
      process.exitCode = await (await import('../demo.ts')).demo(options)
    })
