/** `assay report RESULTS`: renders results.json again. */
import { Command } from 'commander'
import { readResults, terminalSummary } from '../../reports/index.ts'
import { Attempts } from '../base/separate-steps.ts'
import { withFailures } from './complaint.ts'
import { requireConsistent } from './consistent.ts'
import { exit } from './exit.ts'
import { writeReports } from './report-files.ts'
import { requireWritable } from './surroundings.ts'
import { colorOn } from './terminal.ts'

export const reportCommand = (): Command =>
  new Command('report')
    .description('render results.json again')
    .argument('<results>', 'a results.json of an earlier run')
    .option('--out <dir>', 'folder of the report', 'assay-report')
    .action(async (file: string, options: { out: string }) => {
      const results = await readResults(file)
      requireConsistent(file, results)
      requireWritable(options.out)
      const attempts = new Attempts()
      const files = await writeReports({ results, out: options.out }, attempts)
      const page = files.find((name) => name.endsWith('.html')) ?? options.out
      process.stdout.write(terminalSummary(results, { color: colorOn(process.stdout), width: process.stdout.columns ?? 100, report: page }))
      process.exitCode = withFailures(attempts.failures, exit.passed)
    })
