/** What of an answer comes again when the same is asked again: all but times, ids and secrets. */
import type { Likeness } from './step.ts'

/** Stretches of a body that differ from run to run, or that evidence does not show. */
const DIFFERS = new RegExp(
  [
    '… ?\\(\\d+ (?:characters|bytes)[^]*$',
    '"?\\[redacted\\]"?',
    '"?\\[string, ?\\d+ ?characters?\\]"?',
    '-----BEGIN[^"]*',
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
    '\\d{4}-\\d\\d-\\d\\d[T ][^"]*',
    '(?<![\\w$}-])(?=[A-Za-z/+_=.:]{0,100}\\d)(?!assay-)[A-Za-z0-9+/_=.:-]{24,}',
    '(?<![A-Za-z\\d.])1\\d{9}(?:\\d{3})?(?![A-Za-z\\d.])',
  ].join('|'),
  'g',
)

/** The pieces of a text between stretches that differ from run to run. */
export const withoutVarying = (text: string): string[] => text.split(DIFFERS)

/** A body without its white space, as it is compared. */
const compact = (text: string): string => text.replaceAll(/\s+/g, '')

/**
 * What is recognised of an answer.
 *
 * @param body as evidence shows it, with `${RUN}` instead of the run's name.
 * @param chosen values of the server's choice that later requests hold.
 */
export const likenessOf = (status: number, body: string, chosen: readonly string[]): Likeness => {
  let text = body
  for (const value of chosen) text = text.replaceAll(value, '[redacted]')
  return { status, body: withoutVarying(text).map(compact) }
}

/** Whether an answer is like the one that was recorded. */
export const isLike = (pieces: readonly string[], body: string): boolean => {
  const text = compact(body)
  const [first = '', ...rest] = pieces
  if (rest.length === 0) return text === first
  if (!text.startsWith(first)) return false
  const last = rest.pop()!
  let at = first.length
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
