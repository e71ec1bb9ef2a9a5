/** Reads what the user selects: ids, and patterns with `*`, of which each has to name something. */
import { nearest, UsageError } from '../base/usage.ts'
import { patternOf } from './deviations.ts'

/** The beginnings of an id up to a separator, as patterns: `kv/v1-reads` gives `kv/*` and `kv/v1-*`. */
const beginnings = (id: string): string[] => [...id.matchAll(/[/_-]/g)].map(({ index }) => `${id.slice(0, index + 1)}*`)

/** The ids that a pattern names. */
export const matching = (pattern: string, ids: readonly string[]): string[] => {
  const expression = patternOf(pattern)
  return ids.filter((id) => expression.test(id))
}

/**
 * Checks ids and patterns that a user gave.
 *
 * @param what they name, for the message: `check`.
 * @param ids everything that exists.
 * @throws UsageError that names the first that matches nothing, and the nearest id or pattern that does.
 */
export const requireMatching = (what: string, given: readonly string[], ids: readonly string[]): void => {
  for (const pattern of given) {
    if (matching(pattern, ids).length > 0) continue
    if (!pattern.includes('*')) throw new UsageError(`unknown ${what} ${JSON.stringify(pattern)}${nearest(pattern, ids)}`)
    const known = [...new Set(ids.flatMap((id) => [...beginnings(id), id]))]
    throw new UsageError(`${pattern} matches no ${what}${nearest(pattern, known)} (see: assay list ${what}s)`)
  }
}
