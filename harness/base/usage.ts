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

/** So many names fit in a message. */
const FEW = 12

const remedyFor = (name: string, known: readonly string[]): string =>
  nearest(name, known) || (known.length === 0 || known.length > FEW ? '' : `; there are ${known.join(', ')}`)

/**
 * Checks names that a user gave against those that exist.
 *
 * @throws UsageError that names the first unknown one and the nearest known, or all where they are few.
 */
export const requireKnown = (what: string, given: readonly string[], known: readonly string[]): void => {
  for (const name of given) {
    if (!known.includes(name)) throw new UsageError(`unknown ${what} ${JSON.stringify(name)}${remedyFor(name, known)}`)
  }
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Milliseconds. A timer holds 2^31 - 1 of them, which is a little more, and fires at once when it is given more than that. */
const LONGEST = 24 * 24 * UNITS.h!

/**
 * Reads a duration such as `500ms`, `30s`, `1m30s` or a bare number of seconds.
 *
 * @param least milliseconds that it has to last.
 * @returns milliseconds.
 * @throws UsageError that names `what`.
 */
export const duration = (text: string, what: string, least = 1): number => {
  const given = /^\d+(\.\d+)?$/.test(text.trim()) ? `${text.trim()}s` : text.trim()
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(given))
    throw new UsageError(`${what}: ${JSON.stringify(text)} is not a duration such as 500ms, 30s or 1m30s`)
  const parts = [...given.matchAll(/([\d.]+)([a-z]+)/g)]
  const total = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * UNITS[unit!]!, 0)
  if (total < least)
    throw new UsageError(
      `${what}: ${JSON.stringify(text)} is too short: give at least ${least % 1000 === 0 ? `${least / 1000}s` : `${least}ms`}`,
    )
  if (total > LONGEST) throw new UsageError(`${what}: ${JSON.stringify(text)} is too long: give at most ${LONGEST / UNITS.h!}h`)
  return total
}
