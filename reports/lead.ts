/** The lines that say what is wrong, in the reader's words: where a statement stands, and what was expected and seen. */
import type { ClauseResult } from '../specs/meta/results.ts'
import type { Failure } from './view.ts'

const SEVERAL = /^\d[\d.]*, ?\d/

/** Where a clause stands, e.g. `Secrets service, section 4.4`. */
export const sourceOf = ({ source }: { source: Pick<ClauseResult['source'], 'title' | 'section'> }): string =>
  `${source.title}, ${SEVERAL.test(source.section) ? 'sections' : 'section'} ${source.section}`

/** What one check found wrong, as one sentence. */
export const leadOf = (clause: ClauseResult, { check, decision }: Failure): string => {
  const seen = decision?.seen === undefined ? '' : `. Expected ${decision.expected ?? 'otherwise'}; seen ${decision.seen}`
  return `${decision?.message ?? check.reason ?? clause.text}${seen}`
}
