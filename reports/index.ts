/** Reports of a run: results.json and what is rendered from it. Knows the results only, never how they came to be. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Results } from '../specs/meta/results.ts'
import { FORMATS, type Format, WRITERS } from './formats/registry.ts'
import type { TargetNights } from './nights.ts'

export { comparisonText } from './compare-text.ts'
export { type Compared, comparisonOf } from './comparison.ts'
export { renderContractSite } from './contract-pages.ts'
export type { ContractSite, SiteClause, SiteEngine, SiteOperation } from './contract-site.ts'
export { differenceMarkdown, differenceText } from './diff-text.ts'
export { type Difference, differenceOf, incomparable } from './difference.ts'
export { renderAnnotations } from './formats/annotations.ts'
export { FORMATS } from './formats/registry.ts'
export { killTable } from './kills.ts'
export { sourceOf } from './lead.ts'
export { renderMarkdown } from './markdown.ts'
export { nightsOf, type TargetNights } from './nights.ts'
export { renderComparePage } from './page/compare-page.tsx'
export { renderDiffPage } from './page/diff-page.tsx'
export { renderHistoryPage } from './page/history-page.tsx'
export { type MutantRates, type ProofReport, renderProofPage } from './page/proof-page.tsx'
export { ResultsError, readResults } from './read-results.ts'
export { terminalSummary } from './summary.ts'

/**
 * Writes the reports of a run.
 * @param results what the run found, redacted already
 * @param folder where to write; made when it is absent, files of an earlier run are replaced
 * @param formats which to write; default all
 * @param history earlier runs of the target, this one included, where they are kept
 * @returns paths of the written files, in the order of `formats`
 * @throws the file system's error where the folder cannot be written
 */
export const renderReports = async (
  results: Results,
  folder: string,
  formats: readonly Format[] = FORMATS,
  history?: TargetNights,
): Promise<string[]> => {
  await mkdir(folder, { recursive: true })
  const files: string[] = []
  for (const format of formats) {
    const { file, render } = WRITERS[format]
    const path = join(folder, file)
    await writeFile(path, render(results, history))
    files.push(path)
  }
  return files
}
