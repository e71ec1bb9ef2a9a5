/** The lines that say what is wrong, in the reader's words: where a statement stands, and what was expected and seen. */
import type { ClauseResult, Decision } from '../specs/meta/results.ts'

const SEVERAL = /^\d[\d.]*, ?\d/

/** Where a clause stands, e.g. `Secrets service, section 4.4`. */
export const sourceOf = ({ source }: { source: Pick<ClauseResult['source'], 'title' | 'section'> }): string =>
  `${source.title}, ${SEVERAL.test(source.section) ? 'sections' : 'section'} ${source.section}`

/** Expected and seen, where the sentence of the decision does not hold them already. */
export const contrastOf = (decision: Decision | undefined): Pick<Decision, 'expected' | 'seen'> => {
  const { message = '', expected, seen } = decision ?? {}
  const said = [expected, seen].every((value) => value === undefined || message.includes(value))
  if (said && message.includes('expected ')) return {}
  return { ...(expected === undefined ? {} : { expected }), ...(seen === undefined ? {} : { seen }) }
}

/** What was found wrong, as one sentence; `otherwise` is said where no decision tells. */
export const leadOf = (decision: Decision | undefined, otherwise: string): string => {
  const { expected, seen } = contrastOf(decision)
  const contrast = seen === undefined && expected === undefined ? '' : `: expected ${expected ?? 'otherwise'}, got ${seen ?? 'nothing'}`
  return `${decision?.message ?? otherwise}${contrast}`
}
