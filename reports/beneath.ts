/** What stands beneath a violated clause, in words: violations that follow from it, and clauses that rest on it. */
import type { Results } from '../specs/meta/results.ts'
import { firstOf, plural } from './text.ts'
import type { Finding } from './view.ts'

const MOST = 8

const ids = (of: readonly { id: string }[]): string =>
  firstOf(
    of.map(({ id }) => id),
    MOST,
  ).join(', ')

/** One sentence for each kind of consequence that exists. */
export const beneathWords = ({ clause, follows = [], rests = [] }: Pick<Finding, 'clause' | 'follows' | 'rests'>): string[] => [
  ...(follows.length === 0
    ? []
    : [`${plural(follows.length, 'violation follows', 'violations follow')} from ${clause.id}: ${ids(follows.map((one) => one.clause))}`]),
  ...(rests.length === 0 ? [] : [`${plural(rests.length, 'clause rests', 'clauses rest')} on ${clause.id}: ${ids(rests)}`]),
]

/** What the target lacks, and what that means for the verdict; none where it lacks nothing. */
export const lackingWords = ({ target, clauses }: Pick<Results, 'target' | 'clauses'>): string[] => {
  const without = [...new Set(target.apis.flatMap((api) => api.without ?? []))]
  if (without.length === 0) return []
  const narrowed = clauses.filter(({ narrowedBy = [] }) => narrowedBy.some(({ cause }) => without.includes(cause)))
  const open = clauses.filter(({ causedBy = [] }) => causedBy.some((cause) => without.includes(cause)))
  return [
    `Without ${without.join(', ')}: ${plural(narrowed.length, 'clause was', 'clauses were')} verified without them, ${open.length} could not be decided.`,
  ]
}

/** What a verified clause was verified without, as `without namespaces (2 checks)`. */
export const narrowingWords = ({ narrowedBy = [] }: Pick<Results['clauses'][number], 'narrowedBy'>): string =>
  narrowedBy.map(({ cause, checks }) => `without ${cause} (${plural(checks.length, 'check')})`).join(', ')
