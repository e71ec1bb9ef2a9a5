/** A comparison of implementations as text for a terminal: one line for each engine and implementation. */
import { type Comparison, leadOfComparison } from './comparison.ts'
import { oneLine } from './text.ts'
import { VERDICT_WORDS } from './words.ts'

/** Renders the comparison as text that ends with a line feed. */
export const comparisonText = (comparison: Comparison): string => {
  const { implementations, engines } = comparison
  const width = Math.max(...engines.map(({ id }) => id.length), 8)
  const lines = implementations.flatMap(({ name, verdict }, at) => [
    `${oneLine(name)}: ${VERDICT_WORDS[verdict].label}`,
    ...engines.map(({ id, standings }) => {
      const standing = standings[at]
      if (standing === null || standing === undefined) return `  ${oneLine(id).padEnd(width)}  not there`
      const { verified, violated, total } = standing.clauses
      return `  ${oneLine(id).padEnd(width)}  ${VERDICT_WORDS[standing.verdict].label.toLowerCase()}, ${verified} of ${total} verified, ${violated} violated`
    }),
  ])
  return `${[leadOfComparison(comparison), ...lines].join('\n')}\n`
}
