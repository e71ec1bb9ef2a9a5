/** Clauses that fail for one cause, taken together: a defect that breaks twenty statements is one thing to mend. */
import type { ClauseResult } from '../specs/meta/results.ts'
import { beneathWords } from './beneath.ts'
import type { Failure, Finding } from './view.ts'

/** What breaks clauses: the same operation, the same status, and the same message but for its values. */
export interface Cause {
  clauses: ClauseResult[]
  /** The failures that show it, one for each check. */
  failures: Failure[]
  /** Why it is tolerated, where a known deviation covers it. */
  deviation?: string
  /** What stands beneath its clauses, in words. */
  beneath: string[]
  /** How many clauses these are: violated, blocked or narrowed by its own. */
  consequences: number
}

const QUOTED = /"[^"]*"|'[^']*'|`[^`]*`|‹[^›]*›/g
/** Numbers, and names that were made up for the run. */
const NUMBERED = /[\w./-]*\d[\w./-]*/g

/** Findings by what caused them, in the order in which the first of each stands. */
export const causesOf = (findings: Finding[]): Cause[] => {
  const causes = new Map<string, Cause>()
  for (const finding of findings) {
    const key = keyOf(finding)
    const cause = causes.get(key) ?? {
      clauses: [],
      failures: [],
      beneath: [],
      consequences: 0,
      ...(finding.deviation === undefined ? {} : { deviation: finding.deviation }),
    }
    causes.set(key, cause)
    cause.clauses.push(finding.clause)
    cause.beneath.push(...beneathWords(finding))
    cause.consequences += (finding.follows ?? []).length + (finding.rests ?? []).length
    const known = new Set(cause.failures.map(({ check }) => check.id))
    cause.failures.push(...finding.failures.filter(({ check }) => !known.has(check.id)))
  }
  return [...causes.values()]
}

const keyOf = ({ clause, failures: [failure], deviation }: Finding): string => {
  if (failure === undefined) return JSON.stringify([clause.id])
  const { check, decision, exchange } = failure
  const message = decision?.message ?? check.reason ?? ''
  const shape = message.replace(QUOTED, '…').replace(NUMBERED, '#')
  const place = exchange === undefined ? [check.id] : [exchange.operation, exchange.response?.status ?? exchange.failure]
  return JSON.stringify([...place, shape, deviation])
}
