/** What a run leaves: the reports, and the verdict on the terminal. */
import { renderReports, terminalSummary } from '../../reports/index.ts'
import type { Results } from '../../specs/meta/results.ts'
import { showOnJobPage } from './job-page.ts'
import { notWritten } from './surroundings.ts'
import { colorOn } from './terminal.ts'

const summaryObject = (results: Results, files: string[]): object => ({
  assay: results.assay,
  target: results.target,
  seed: results.seed,
  effort: results.effort,
  verdict: results.verdict,
  gate: results.gate,
  gateReasons: results.gateReasons,
  engines: results.engines,
  backends: results.backends,
  stats: results.stats,
  reports: files,
})

/** Writes the reports and says the verdict, which a full disk must not swallow. */
export const publish = async (results: Results, options: { out: string; json?: boolean }): Promise<void> => {
  let failure: Error | undefined
  const files = await renderReports(results, options.out).catch((error: Error): string[] => {
    failure = error
    return []
  })
  if (options.json === true) process.stdout.write(`${JSON.stringify(summaryObject(results, files))}\n`)
  const out = options.json === true ? process.stderr : process.stdout
  const page = files.find((file) => file.endsWith('.html'))
  out.write(terminalSummary(results, { color: colorOn(out), width: out.columns ?? 100, ...(page === undefined ? {} : { report: page }) }))
  showOnJobPage(results)
  if (failure !== undefined) throw notWritten('the report', options.out, failure)
}
