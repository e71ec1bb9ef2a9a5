/** JSON values: types, and what tells an object. */

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** Whether a value has members: no array, no null. */
export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value if it has members, else an object without any. */
export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {})
