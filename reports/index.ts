/** Reports of a run: results.json and what is rendered from it. Knows the results only, never how they came to be. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Results } from '../specs/meta/results.ts'
import { renderJunit } from './junit.ts'
import { renderMarkdown } from './markdown.ts'
import { renderPage } from './page/document.tsx'
import { renderSarif } from './sarif.ts'

export { type Difference, differenceOf, incomparable } from './diff.ts'
export { differenceMarkdown, differenceText } from './diff-text.ts'
export { killTable } from './kills.ts'
export { sourceOf } from './lead.ts'
export { renderDiffPage } from './page/diff-page.tsx'
export { renderProofPage } from './page/proof-page.tsx'
export { terminalSummary } from './summary.ts'
export { ResultsError, readResults } from './validate.ts'

/** One way to write results down. */
export type Format = 'html' | 'json' | 'junit' | 'markdown' | 'sarif'

const WRITERS: Record<Format, { file: string; render: (results: Results) => string }> = {
  json: { file: 'results.json', render: (results) => `${JSON.stringify(results, null, 2)}\n` },
  html: { file: 'report.html', render: renderPage },
  junit: { file: 'junit.xml', render: renderJunit },
  markdown: { file: 'summary.md', render: renderMarkdown },
  sarif: { file: 'report.sarif', render: renderSarif },
}

/** All formats; results.json comes first, so that it exists even where another one fails. */
export const FORMATS = Object.keys(WRITERS) as Format[]

/**
 * Writes the reports of a run.
 * @param results what the run found, redacted already
 * @param folder where to write; made when it is absent, files of an earlier run are replaced
 * @param formats which to write; default all
 * @returns paths of the written files, in the order of `formats`
 * @throws the file system's error where the folder cannot be written
 */
export const renderReports = async (results: Results, folder: string, formats: readonly Format[] = FORMATS): Promise<string[]> => {
  await mkdir(folder, { recursive: true })
  const files: string[] = []
  for (const format of formats) {
    const { file, render } = WRITERS[format]
    const path = join(folder, file)
    await writeFile(path, render(results))
    files.push(path)
  }
  return files
}
