/** JSON values: types, and what tells an object. */
import { inspect } from 'node:util'

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** Whether a value has members: no array, no null. */
export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value if it has members, else an object without any. */
export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** Any value as JSON: whole numbers of any size as texts, and what JSON has no spelling for as a programmer reads it. */
export const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member)) ?? ''
  } catch {
    return inspect(value)
  }
}
