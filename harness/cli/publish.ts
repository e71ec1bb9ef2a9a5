/** What a run leaves: the reports, and the verdict on the terminal. */
import { FORMATS, renderReports, terminalSummary } from '../../reports/index.ts'
import type { Results } from '../../specs/meta/results.ts'
import type { Signer } from '../results/signing-key.ts'
import { writeEvidence } from './evidence-files.ts'
import { type HistoryOptions, keptWith, writeHistoryPage } from './history-flags.ts'
import { showOnJobPage } from './job-page.ts'
import { writeStatement } from './signed-statement.ts'
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

/** Where reports are written, and what of earlier runs goes with them. */
interface PublishOptions extends HistoryOptions {
  out: string
  json?: boolean
  /** Signs a statement about what was written. */
  signer?: Signer
  /** Files that show violations, by their path beside the results. */
  evidence?: ReadonlyMap<string, string>
}

/** Writes the reports and says the verdict, which a full disk must not swallow. */
export const publish = async (results: Results, options: PublishOptions): Promise<void> => {
  let failure: Error | undefined
  let unsigned: unknown
  const nights = await keptWith(results, options)
  const files = await renderReports(results, options.out, FORMATS, nights).catch((error: Error): string[] => {
    failure = error
    return []
  })
  if (options.json === true) process.stdout.write(`${JSON.stringify(summaryObject(results, files))}\n`)
  if (failure === undefined)
    files.push(...writeHistoryPage(nights, options.out), ...writeEvidence(options.evidence ?? new Map(), options.out))
  const signing = failure !== undefined || options.signer === undefined ? undefined : writeStatement(results, files, options.signer)
  await signing?.catch((error: unknown) => {
    unsigned = error
  })
  const out = options.json === true ? process.stderr : process.stdout
  const page = files.find((file) => file.endsWith('.html'))
  out.write(terminalSummary(results, { color: colorOn(out), width: out.columns ?? 100, ...(page === undefined ? {} : { report: page }) }))
  showOnJobPage(results)
  if (unsigned !== undefined) throw unsigned
  if (failure !== undefined) throw notWritten('the report', options.out, failure)
}
