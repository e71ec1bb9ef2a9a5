/** What faults and variants of both versions share. */
import { type Json, mapNumbers } from '../../core/json.ts'

/** Numbers beyond whole ones as a double prints them: `1.0` becomes `1`. */
export const normalised = (value: Json): Json =>
  mapNumbers(value, (text) => (/[.eE]/.test(text) && Number.isFinite(Number(text)) ? String(Number(text)) : text))

/** Members in another order than they were written in. */
export const sorted = (value: Json): Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => b.localeCompare(a)))
    : value
