/** What a run shows on the page of its job in GitHub Actions: a summary, and annotations. */
import { appendFileSync } from 'node:fs'
import { renderAnnotations, renderMarkdown } from '../../reports/index.ts'
import type { Results } from '../../specs/meta/results.ts'

/** GitHub refuses a larger summary of a step. */
const MOST_BYTES = 1_000_000

/** Shows results where the run is a step of GitHub Actions, and does nothing elsewhere. */
export const showOnJobPage = (results: Results, environment: NodeJS.ProcessEnv = process.env): void => {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = environment
  if (GITHUB_ACTIONS !== 'true') return
  process.stderr.write(renderAnnotations(results))
  if (!GITHUB_STEP_SUMMARY) return
  try {
    appendFileSync(GITHUB_STEP_SUMMARY, `${renderMarkdown(results).slice(0, MOST_BYTES)}\n`)
  } catch (error) {
    process.stderr.write(`assay: the summary of the step could not be written: ${(error as Error).message}\n`)
  }
}
