/** Reads fields of a request body, strictly: what cannot be coerced is refused with 400. */

import { invalid } from './errors.ts'
import type { Json, JsonObject } from './json.ts'

/** Text; numbers and booleans are written out. `fallback` where absent or null. */
export const textOf = (body: JsonObject, field: string, fallback = ''): string => {
  const value = body[field]
  if (value === undefined || value === null) return fallback
  if (typeof value === 'object') throw invalid(`${field} must be a string`)
  return String(value)
}

/** A truth value, or one of the texts `true`, `false`, `1`, `0`. */
export const flagOf = (body: JsonObject, field: string, fallback: boolean): boolean => {
  const value = body[field]
  if (value === undefined || value === null || value === '') return fallback
  if (typeof value === 'boolean') return value
  const known = new Map([
    ['true', true],
    ['false', false],
    ['1', true],
    ['0', false],
  ])
  const flag = typeof value === 'object' ? undefined : known.get(String(value).toLowerCase())
  if (flag === undefined) throw invalid(`${field} must be a boolean`)
  return flag
}

/** A whole number, or its text. */
export const integerOf = (body: JsonObject, field: string, fallback: number): number => {
  const value = body[field]
  if (value === undefined || value === null || value === '') return fallback
  const number = typeof value === 'string' && /^[+-]?\d+$/.test(value.trim()) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) throw invalid(`${field} must be an integer`)
  return number
}

/** A list of texts, or one comma-separated text. */
export const listOf = (body: JsonObject, field: string, fallback: string[] = []): string[] => {
  const value = body[field]
  if (value === undefined || value === null) return fallback
  const items: Json[] = Array.isArray(value) ? value : typeof value === 'object' ? [value] : String(value).split(',')
  if (items.some((item) => item === null || typeof item === 'object')) throw invalid(`${field} must be a list of strings`)
  return items.map((item) => String(item).trim()).filter((item) => item !== '')
}

/** An object whose values are texts. */
export const textMapOf = (body: JsonObject, field: string): Record<string, string> => {
  const value = body[field]
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw invalid(`${field} must be an object of strings`)
  if (Object.values(value).some((member) => member === null || typeof member === 'object'))
    throw invalid(`${field} must be an object of strings`)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, String(member)]))
}
