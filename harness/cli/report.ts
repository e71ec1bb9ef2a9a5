/** `assay report RESULTS`: renders results.json again. */
import { readResults, terminalSummary } from '../../reports/index.ts'
import { Attempts } from '../base/separate-steps.ts'
import { withFailures } from './complaint.ts'
import { requireConsistent } from './consistent.ts'
import { exit } from './exit.ts'
import { writeReports } from './report-files.ts'
import { requireWritable } from './surroundings.ts'
import { colorOn } from './terminal.ts'

/** Renders results again; returns the exit code. */
export const report = async (file: string, out: string): Promise<number> => {
  const results = await readResults(file)
  requireConsistent(file, results)
  requireWritable(out)
  const attempts = new Attempts()
  const files = await writeReports({ results, out }, attempts)
  const page = files.find((name) => name.endsWith('.html')) ?? out
  process.stdout.write(terminalSummary(results, { color: colorOn(process.stdout), width: process.stdout.columns ?? 100, report: page }))
  return withFailures(attempts.failures, exit.passed)
}
