/** Finds the values of an answer that its schema marks as secret. */
import type { Schema } from './types.ts'

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const stringsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  return isObject(value) ? Object.values(value).flatMap(stringsIn) : []
}

/** Strings at nodes with `x-sensitive: true`. */
export const sensitiveValues = (schema: unknown, instance: unknown): string[] => {
  if (!isObject(schema) || instance === undefined) return []
  if (schema['x-sensitive'] === true) return stringsIn(instance)
  const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => (schema[keyword] as unknown[] | undefined) ?? [])
  const found = branches.flatMap((branch) => sensitiveValues(branch, instance))
  if (Array.isArray(instance)) found.push(...instance.flatMap((item) => sensitiveValues(schema.items, item)))
  if (isObject(instance)) {
    const properties = (schema.properties ?? {}) as Record<string, Schema>
    for (const [name, value] of Object.entries(instance))
      found.push(...sensitiveValues(properties[name] ?? schema.additionalProperties, value))
  }
  return found
}
