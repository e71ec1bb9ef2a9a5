/** Which clauses a schema can judge on a given instance: a clause that was never in reach is not verified. */
import { isObject } from '../base/json.ts'
import { isValid } from './compile.ts'
import type { Schema } from './contract.ts'

const visit = (schema: unknown, instance: unknown, found: Set<string>): void => {
  if (!isObject(schema)) return
  if (typeof schema['x-clause'] === 'string') found.add(schema['x-clause'])
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    for (const branch of (schema[keyword] as unknown[] | undefined) ?? []) visit(branch, instance, found)
  }
  // What a branch demands of another kind of instance, this one says nothing of.
  if (isObject(schema.if)) visit(isValid(schema.if, instance) ? schema.then : schema.else, instance, found)
  if (Array.isArray(instance)) for (const item of instance) visit(schema.items, item, found)
  if (!isObject(instance)) return
  const properties = (schema.properties ?? {}) as Record<string, Schema>
  const required = (schema.required ?? []) as string[]
  for (const [name, node] of Object.entries(properties)) {
    if (Object.hasOwn(instance, name)) visit(node, instance[name], found)
    else if (required.includes(name) && typeof node['x-clause'] === 'string') found.add(node['x-clause'])
  }
  for (const [name, value] of Object.entries(instance)) {
    if (!Object.hasOwn(properties, name)) visit(schema.additionalProperties, value, found)
  }
}

/** Clauses named at nodes of `schema` that apply to `instance` or to a required member that it lacks. */
export const clausesReached = (schema: Schema, instance: unknown): Set<string> => {
  const found = new Set<string>()
  visit(schema, instance, found)
  return found
}

/** Every clause named anywhere in a schema. */
export const clausesNamed = (schema: unknown, found: Set<string> = new Set()): Set<string> => {
  if (Array.isArray(schema)) for (const item of schema) clausesNamed(item, found)
  else if (isObject(schema)) {
    if (typeof schema['x-clause'] === 'string') found.add(schema['x-clause'])
    for (const value of Object.values(schema)) clausesNamed(value, found)
  }
  return found
}
