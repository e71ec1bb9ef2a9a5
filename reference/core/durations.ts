/** Durations as the API takes them: seconds as a number or as text, or text with units such as `1h30m` or `2d`. */

import { invalid } from './errors.ts'
import type { Json } from './json.ts'

const UNITS: Record<string, number> = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600, d: 86_400 }

/** Seconds of a duration, `undefined` where the text is not one. */
const parseDuration = (text: string): number | undefined => {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (!/^-?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h|d))+$/.test(text)) return undefined
  let seconds = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h|d)/g))
    seconds += Number(amount) * (UNITS[unit ?? 's'] ?? 1)
  return text.startsWith('-') ? -seconds : seconds
}

/**
 * Seconds of a body's duration; `fallback` where it is absent, null or empty text.
 * Throws 400 naming the field if it is not a duration or is negative.
 */
export const durationOf = (value: Json | undefined, field: string, fallback: number): number => {
  if (value === undefined || value === null || value === '') return fallback
  const seconds = typeof value === 'number' ? value : typeof value === 'string' ? parseDuration(value) : undefined
  if (seconds === undefined || !Number.isFinite(seconds) || seconds < 0) throw invalid(`${field} is not a duration`)
  return seconds
}

/** Text of a duration with the units hour, minute and second: `1h0m0s`, `0s`. */
export const formatDuration = (seconds: number): string => {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = Number((seconds % 60).toFixed(9))
  return (hours ? `${hours}h` : '') + (hours || minutes ? `${minutes}m` : '') + `${rest}s`
}
