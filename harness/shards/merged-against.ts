/** What the parts of a run say of a second server, as one. */
import type { Against, AgainstDifference, Results } from '../../specs/meta/results.ts'

const keyOf = ({ clause, operation, place }: AgainstDifference): string => JSON.stringify([clause, operation, place])

/** Joins them; undefined where no part was sent to a second server. */
export const mergedAgainst = (parts: readonly Results[]): Against | undefined => {
  const all = parts.flatMap(({ against }) => (against === undefined ? [] : [against]))
  const [first] = all
  if (first === undefined) return undefined
  const differences = new Map<string, AgainstDifference>()
  for (const one of all.flatMap((against) => against.differences)) {
    const known = differences.get(keyOf(one))
    differences.set(keyOf(one), known === undefined ? one : { ...known, count: known.count + one.count })
  }
  const sum = (of: (against: Against) => number) => all.reduce((total, against) => total + of(against), 0)
  return {
    url: first.url,
    checks: sum(({ checks }) => checks),
    exchanges: sum(({ exchanges }) => exchanges),
    parted: all.flatMap(({ parted }) => parted),
    leftOut: sum(({ leftOut }) => leftOut),
    differences: [...differences.values()],
  }
}
