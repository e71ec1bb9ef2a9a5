/** Durations as servers show them. */
import type { Json } from '../base/json.ts'

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Seconds of a duration in any spelling: a number, its text, or text with units; 0 where it is empty or absent, NaN for anything else. */
export const secondsOf = (value: Json | undefined): number => {
  if (value === '' || value === null || value === undefined) return 0
  if (typeof value === 'number' || /^\d+$/.test(String(value))) return Number(value)
  const parts = [...String(value).matchAll(/(\d+)([smhd])/g)]
  return parts.length === 0 ? Number.NaN : parts.reduce((sum, part) => sum + Number(part[1]) * UNITS[part[2]!]!, 0)
}
