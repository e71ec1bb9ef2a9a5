/** A mistake in flags, configuration or files: the user's to mend, exit code 2. */
import { closest, distance } from 'fastest-levenshtein'

export class UsageError extends Error {
  override name = 'UsageError'
}

/** `; did you mean X?` when something known is close, else an empty string. */
export const nearest = (word: string, known: readonly string[]): string => {
  if (known.length === 0) return ''
  const found = closest(word, [...known])
  return distance(word, found) <= Math.max(2, Math.floor(word.length / 2)) ? `; did you mean ${found}?` : ''
}

/**
 * Checks names that a user gave against those that exist.
 *
 * @throws UsageError that names the first unknown one and the nearest known.
 */
export const requireKnown = (what: string, given: readonly string[], known: readonly string[]): void => {
  for (const name of given) {
    if (!known.includes(name)) throw new UsageError(`unknown ${what} ${JSON.stringify(name)}${nearest(name, known)}`)
  }
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/**
 * Reads a duration such as `500ms`, `30s`, `5m` or a bare number of seconds.
 *
 * @returns milliseconds.
 * @throws UsageError that names `what`.
 */
export const duration = (text: string, what: string): number => {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim())
  if (match === null) throw new UsageError(`${what}: ${JSON.stringify(text)} is not a duration such as 500ms, 30s or 5m`)
  return Number(match[1]) * UNITS[match[2] ?? 's']!
}
