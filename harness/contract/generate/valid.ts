/** Valid instances: from a dereferenced, non-recursive JSON Schema to a fast-check arbitrary. */
import fc, { type Arbitrary } from 'fast-check'
import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { bounded } from './bounded.ts'
import { isValid } from './judge.ts'
import { both, flatten, generated, plain } from './merge.ts'
import { type Node, type Schema, schemaOf, typesOf } from './schema.ts'
import { stringsOf } from './strings.ts'

const short = (node: Node): string => JSON.stringify(node).slice(0, 200)

/** Any JSON value, shallow, without the exotic: what a member without constraints may hold. */
export const anyJson: Arbitrary<Json> = fc.jsonValue({ maxDepth: 2, depthSize: 'small' }).map((value) => withoutMinusZero(value as Json))

// JSON text has no minus zero after a round trip, so a generated one would never compare equal.
const withoutMinusZero = (value: Json): Json => {
  if (value === 0) return 0
  if (Array.isArray(value)) return value.map(withoutMinusZero)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutMinusZero(member)]))
}

const integersOf = (schema: Schema): Arbitrary<number> => {
  const step = schema.multipleOf ?? 1
  const low = Math.max(
    schema.minimum ?? -1_000_000,
    schema.exclusiveMinimum === undefined ? -Infinity : Math.floor(schema.exclusiveMinimum) + 1,
  )
  const high = Math.min(
    schema.maximum ?? Math.max(1_000_000, low),
    schema.exclusiveMaximum === undefined ? Infinity : Math.ceil(schema.exclusiveMaximum) - 1,
  )
  return fc.integer({ min: Math.ceil(low / step), max: Math.floor(high / step) }).map((count) => count * step)
}

const numbersOf = (schema: Schema): Arbitrary<number> => {
  if (schema.multipleOf !== undefined) return integersOf(schema)
  const min = schema.minimum ?? schema.exclusiveMinimum ?? -1_000_000
  const max = schema.maximum ?? schema.exclusiveMaximum ?? Math.max(1_000_000, min)
  return fc.double({ min, max, noNaN: true }).map((value) => (value === 0 ? 0 : value))
}

const arraysOf = (schema: Schema): Arbitrary<Json> => {
  const head = schema.prefixItems ?? []
  const minItems = schema.minItems ?? 0
  const maxItems = schema.maxItems ?? Math.max(minItems, head.length) + 3
  const rest = schema.items === false ? 0 : Math.max(0, maxItems - head.length)
  const item = schema.items === undefined && schema.contains !== undefined ? schema.contains : schema.items
  const tail =
    rest === 0 ? fc.constant([]) : fc.array(arbitraryOf(item ?? true), { minLength: Math.max(0, minItems - head.length), maxLength: rest })
  return fc.tuple(fc.tuple(...head.slice(0, maxItems).map(arbitraryOf)), tail).map(([first, others]) => [...first, ...others])
}

// Unlisted members only where the node is a free-form map: extra members are for the server to use.
const extraMembers = (schema: Schema): Arbitrary<JsonObject> => {
  const patterns = Object.entries(schema.patternProperties ?? {})
  const declared = Object.keys(schema.properties ?? {})
  const maxKeys = Math.max(0, Math.min(3, (schema.maxProperties ?? 3) - (schema.required ?? []).length))
  const minKeys = Math.min(maxKeys, Math.max(0, (schema.minProperties ?? 0) - declared.length))
  const [pattern, member] = patterns[0] ?? []
  if (pattern !== undefined) {
    return fc.dictionary(fc.stringMatching(new RegExp(pattern, 'u')), arbitraryOf(member ?? true), { minKeys, maxKeys })
  }
  const closed = schema.additionalProperties === false || (declared.length > 0 && schema.additionalProperties === undefined)
  if (closed || maxKeys === 0) return fc.constant({})
  const keys =
    schema.propertyNames === undefined ? fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,9}$/) : stringsOf(flatten(schema.propertyNames))
  const free = keys.filter((key) => !declared.includes(key) && key !== '__proto__')
  return fc.dictionary(free, arbitraryOf(schema.additionalProperties ?? true), { minKeys, maxKeys })
}

const withDependents = (value: JsonObject, full: JsonObject, schema: Schema): JsonObject => {
  const needed = Object.entries(schema.dependentRequired ?? {}).flatMap(([name, others]) => (name in value ? others : []))
  return Object.fromEntries(Object.entries(full).filter(([name]) => name in value || needed.includes(name)))
}

const objectsOf = (schema: Schema): Arbitrary<Json> => {
  const properties = schema.properties ?? {}
  const required = new Set(schema.required ?? [])
  const names = [...new Set([...Object.keys(properties), ...required])].filter((name) => !isImpossible(properties[name]))
  const optional = names.filter((name) => !required.has(name))
  const members = Object.fromEntries(names.map((name) => [name, arbitraryOf(properties[name] ?? schema.additionalProperties ?? true)]))
  const least = Math.max(0, (schema.minProperties ?? 0) - required.size)
  const chosen = fc.subarray(optional, {
    minLength: Math.min(least, optional.length),
    maxLength: Math.min(optional.length, (schema.maxProperties ?? 100) - required.size),
  })
  return fc.tuple(fc.record(members) as Arbitrary<JsonObject>, chosen, extraMembers(schema)).map(([full, kept, extra]) => {
    const value = Object.fromEntries(Object.entries(full).filter(([name]) => required.has(name) || kept.includes(name)))
    return { ...extra, ...withDependents(value, full, schema) }
  })
}

const byType = (schema: Schema, type: string): Arbitrary<Json> => {
  if (type === 'object') return objectsOf(schema)
  if (type === 'array') return arraysOf(schema)
  if (type === 'string') return stringsOf(schema)
  if (type === 'integer') return integersOf(schema)
  if (type === 'number') return numbersOf(schema)
  return type === 'boolean' ? fc.boolean() : fc.constant(null)
}

/** The alternatives of a node: each branch of anyOf, oneOf and if merged into it. */
export const alternativesOf = (schema: Schema): Schema[] => {
  const { anyOf, oneOf, if: condition, ...own } = schema
  const branches = anyOf ?? oneOf
  if (branches !== undefined) {
    const rest: Schema = anyOf === undefined ? own : { ...own, ...(oneOf === undefined ? {} : { oneOf }) }
    if (condition !== undefined) rest.if = condition
    return branches.map((branch) => flatten(both(rest, flatten(branch))))
  }
  if (condition === undefined) return [schema]
  const { then, else: otherwise, ...rest } = own
  const met = flatten(both(both(rest, flatten(condition)), flatten(then)))
  const unmet = flatten(both(rest, flatten(otherwise)))
  return [met, unmet]
}

const listed = (schema: Schema): Json[] | undefined => (schema.const === undefined ? schema.enum : [schema.const])

// Branches of several conditions may contradict each other.
const isImpossible = (node: Node | undefined): boolean => {
  const schema = flatten(node)
  if (typeof schema.not === 'object' && Object.keys(schema.not).length === 0) return true
  return (schema.required ?? []).some((name) => isImpossible(schema.properties?.[name]))
}

const construct = (schema: Schema): Arbitrary<Json> | undefined => {
  const values = listed(schema)
  if (values !== undefined) return values.length === 0 ? undefined : fc.constantFrom(...values)
  if (isImpossible(schema)) return undefined
  if (schema.anyOf !== undefined || schema.oneOf !== undefined || schema.if !== undefined) {
    const options = alternativesOf(schema)
      .map(construct)
      .filter((option) => option !== undefined)
    return options.length === 0 ? undefined : fc.oneof(...options)
  }
  const types = typesOf(schema)
  if (types === undefined) return anyJson
  return fc.oneof(...types.map((type) => byType(schema, type)))
}

// Keywords whose construction above may miss: only such nodes pay for a filter of their own.
const needsJudge = (schema: Schema): boolean =>
  [
    'not',
    'oneOf',
    'anyOf',
    'if',
    'allOf',
    'contains',
    'uniqueItems',
    'pattern',
    'enum',
    'const',
    'patternProperties',
    'propertyNames',
    'multipleOf',
    'minProperties',
    'maxProperties',
    'exclusiveMinimum',
    'exclusiveMaximum',
  ].some((keyword) => keyword in schema)

const known = new WeakMap<object, Arbitrary<Json>>()

const arbitraryOf = (node: Node): Arbitrary<Json> => {
  const schema = schemaOf(node)
  const cached = known.get(schema)
  if (cached !== undefined) return cached
  const flat = generated(schema)
  const built = construct(flat)
  const examples = [...(schema.examples ?? flat.examples ?? [])].filter((example) => isValid(schema, example))
  const made =
    built === undefined
      ? []
      : [{ arbitrary: needsJudge(flat) ? bounded(built, (value) => isValid(schema, value), short(node)) : built, weight: 3 }]
  if (made.length === 0 && examples.length === 0) throw new Error(`nothing is valid under ${short(node)}`)
  const all = examples.length === 0 ? made : [...made, { arbitrary: fc.constantFrom(...examples), weight: 1 }]
  const arbitrary = all.length === 1 ? all[0]!.arbitrary : fc.oneof(...all)
  known.set(schema, arbitrary)
  return arbitrary
}

/**
 * Instances that are valid under a dereferenced, non-recursive schema; Ajv judges each one, also while shrinking.
 *
 * @param schema JSON Schema 2020-12 within the subset of `unsupportedKeywords`; `examples` are mixed in, `x-faker: internet.username` makes a
 *   string realistic.
 * @throws Error where nothing is valid; `Unsatisfiable` while drawing where construction never meets the schema.
 */
export const validInstances = (schema: object | boolean): Arbitrary<Json> => {
  const node = plain(schema) as Node
  return bounded(arbitraryOf(node), (value) => isValid(node, value), short(node))
}
