/** What a run leaves: the reports, and the verdict on the terminal. */
import { FORMATS, terminalSummary } from '../../reports/index.ts'
import type { Results } from '../../specs/meta/results.ts'
import { jsonText } from '../../specs/meta/unseen.ts'
import { NotWritten } from '../base/errors.ts'
import { Attempts } from '../base/separate-steps.ts'
import type { Signer } from '../results/signing-key.ts'
import { writeEvidence } from './evidence-files.ts'
import type { HistoryOptions } from './history-flags.ts'
import { showOnJobPage } from './job-page.ts'
import { keptWith, writeHistoryPage } from './kept-runs.ts'
import { writeReports } from './report-files.ts'
import { STATEMENT_FILE, writeStatement } from './signed-statement.ts'
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

/** Where reports are written, and what of earlier runs goes with them. */
interface PublishOptions extends HistoryOptions {
  out: string
  json?: boolean
  /** Signs a statement about what was written. */
  signer?: Signer
  /** Files that show violations, by their path beside the results. */
  evidence?: ReadonlyMap<string, string>
}

/**
 * Writes what a run leaves, the results and the report before all else, and says the verdict, which a full disk must not swallow.
 *
 * @returns what failed.
 */
export const publish = async (results: Results, options: PublishOptions): Promise<unknown[]> => {
  const [report, beside] = [new Attempts(), new Attempts()]
  const { out } = options
  const [first, ...others] = FORMATS
  const files = await writeReports({ results, out }, report, [first!])
  const nights = await beside.make(() => keptWith(results, options))
  files.push(...(await writeReports({ results, out, nights }, report, others)))
  files.push(...((await beside.make(() => writeHistoryPage(nights, out))) ?? []))
  files.push(...(await writeEvidence(options.evidence ?? new Map(), out, report)))
  const { signer } = options
  if (signer !== undefined && report.failures.length > 0)
    beside.failures.push(new NotWritten(STATEMENT_FILE, new Error('the report is not whole')))
  else if (signer !== undefined) await beside.make(() => writeStatement(results, files, signer))
  if (options.json === true) process.stdout.write(`${jsonText(summaryObject(results, files))}\n`)
  const terminal = options.json === true ? process.stderr : process.stdout
  const page = files.find((file) => file.endsWith('.html'))
  terminal.write(
    terminalSummary(results, { color: colorOn(terminal), width: terminal.columns ?? 100, ...(page === undefined ? {} : { report: page }) }),
  )
  await beside.make(() => showOnJobPage(results))
  return [...report.failures, ...beside.failures]
}
