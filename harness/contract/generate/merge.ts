/** Conjunction of schema nodes, as one node where keywords allow it. */
import type { Json } from '../../base/json.ts'
import { type Node, type Schema, schemaOf, typesOf } from './schema.ts'

const FALSE: Schema = { not: {} }

const same = (one: Json, other: Json): boolean => JSON.stringify(one) === JSON.stringify(other)

const mergeTypes = (one: Schema, other: Schema): string[] | undefined => {
  if (one.type === undefined || other.type === undefined) return typesOf(one.type === undefined ? { type: other.type } : { type: one.type })
  const left = typesOf(one) ?? []
  const right = typesOf(other) ?? []
  const both = left.filter((type) => right.includes(type))
  const narrowed = [...left, ...right].filter((type) => type === 'integer' && [left, right].some((types) => types.includes('number')))
  return [...new Set([...both, ...narrowed])]
}

const mergeEnums = (one: Json[] | undefined, other: Json[] | undefined): Json[] | undefined =>
  one === undefined || other === undefined ? (one ?? other) : one.filter((value) => other.some((candidate) => same(value, candidate)))

const constants = (schema: Schema): Json[] | undefined => (schema.const === undefined ? schema.enum : [schema.const])

const highest = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other)
const lowest = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)

const mergeNodes = (one: Node | undefined, other: Node | undefined): Node | undefined => {
  if (one === undefined || one === true) return other ?? one
  if (other === undefined || other === true) return one
  return one === false || other === false ? false : both(one, other)
}

const mergeMaps = (one: Record<string, Node> = {}, other: Record<string, Node> = {}): Record<string, Node> => {
  const merged: Record<string, Node> = { ...one }
  for (const [name, node] of Object.entries(other)) merged[name] = mergeNodes(merged[name], node) ?? true
  return merged
}

// Keywords that have no conjunction of their own are kept beside each other; the judge filters.
const leftovers = (one: Schema, other: Schema): Node[] => {
  const kept: Node[] = [...(one.allOf ?? []), ...(other.allOf ?? [])]
  if (one.pattern !== undefined && other.pattern !== undefined && one.pattern !== other.pattern) kept.push({ pattern: one.pattern })
  if (one.not !== undefined && other.not !== undefined) kept.push({ not: one.not })
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = one[keyword]
    if (branches !== undefined && other[keyword] !== undefined) kept.push({ [keyword]: branches })
  }
  if (one.if !== undefined && other.if !== undefined) kept.push({ if: one.if, ...branchesOf(one) })
  return kept
}

// biome-ignore lint/suspicious/noThenProperty: the keyword's name in JSON Schema
const branchesOf = (schema: Schema): Schema => ({ then: schema.then ?? true, else: schema.else ?? true })

const dropUndefined = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)) as Schema

/** Both nodes at once. What cannot be merged stays in `allOf`. */
export const both = (one: Schema, other: Schema): Schema => {
  const types = mergeTypes(one, other)
  if (types?.length === 0) return FALSE
  const values = mergeEnums(constants(one), constants(other))
  if (values?.length === 0) return FALSE
  const kept = leftovers(one, other)
  return dropUndefined({
    ...one,
    ...other,
    type: types,
    const: undefined,
    enum: values,
    properties: one.properties || other.properties ? mergeMaps(one.properties, other.properties) : undefined,
    patternProperties:
      one.patternProperties || other.patternProperties ? mergeMaps(one.patternProperties, other.patternProperties) : undefined,
    required: one.required || other.required ? [...new Set([...(one.required ?? []), ...(other.required ?? [])])] : undefined,
    additionalProperties: mergeNodes(one.additionalProperties, other.additionalProperties),
    items: mergeNodes(one.items, other.items),
    minimum: highest(one.minimum, other.minimum),
    exclusiveMinimum: highest(one.exclusiveMinimum, other.exclusiveMinimum),
    minLength: highest(one.minLength, other.minLength),
    minItems: highest(one.minItems, other.minItems),
    minProperties: highest(one.minProperties, other.minProperties),
    maximum: lowest(one.maximum, other.maximum),
    exclusiveMaximum: lowest(one.exclusiveMaximum, other.exclusiveMaximum),
    maxLength: lowest(one.maxLength, other.maxLength),
    maxItems: lowest(one.maxItems, other.maxItems),
    maxProperties: lowest(one.maxProperties, other.maxProperties),
    uniqueItems: one.uniqueItems || other.uniqueItems || undefined,
    allOf: kept.length > 0 ? kept : undefined,
    'x-clause': other['x-clause'] ?? one['x-clause'],
    'x-clause-required': other['x-clause-required'] ?? one['x-clause-required'],
    'x-clause-enum': other['x-clause-enum'] ?? one['x-clause-enum'],
  })
}

const flattened = new WeakMap<Schema, Schema>()

/** A node with its `allOf` merged in, as far as keywords allow; the same node for the same input. */
export const flatten = (node: Node | undefined): Schema => {
  const schema = schemaOf(node)
  const known = flattened.get(schema)
  if (known !== undefined) return known
  const { allOf = [], ...own } = schema
  const flat = allOf.map(flatten).reduce((merged, part) => both(merged, part), own as Schema)
  flattened.set(schema, flat)
  return flat
}

/** A node as values of it are generated: flattened, within its `x-generate`. */
export const generated = (node: Node | undefined): Schema => {
  const { 'x-generate': within, ...schema } = flatten(node)
  return typeof within === 'object' ? both(schema, within) : flatten(node)
}

const cleaned = new WeakMap<object, object>()

/** A copy without `$id`, `$schema` and `$defs`, so that the judge can compile a node that occurs in several documents. */
export const plain = <T>(node: T): T => {
  if (typeof node !== 'object' || node === null) return node
  const known = cleaned.get(node)
  if (known !== undefined) return known as T
  const copy: unknown = Array.isArray(node)
    ? node.map(plain)
    : Object.fromEntries(
        Object.entries(node)
          .filter(([key, value]) => !((key === '$id' || key === '$schema') && typeof value === 'string') && key !== '$defs')
          .map(([key, value]) => [key, plain(value)]),
      )
  cleaned.set(node, copy as object)
  return copy as T
}
