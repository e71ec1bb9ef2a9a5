/** `assay report RESULTS`: renders results.json again. */
import { Command } from 'commander'
import { readResults, renderReports, terminalSummary } from '../../reports/index.ts'
import { requireConsistent } from './consistent.ts'
import { notWritten, requireWritable } from './surroundings.ts'
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
      const files = await renderReports(results, options.out).catch((error: Error) => {
        throw notWritten('the report', options.out, error)
      })
      const page = files.find((name) => name.endsWith('.html')) ?? options.out
      process.stdout.write(terminalSummary(results, { color: colorOn(process.stdout), width: process.stdout.columns ?? 100, report: page }))
    })
