/** Variations of a request that works: only what can change without asking for something else. */
import fc, { type Arbitrary } from 'fast-check'
import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { bounded } from './bounded.ts'
import { isValid } from './judge.ts'
import { flatten, generated, plain } from './merge.ts'
import { type Node, type Schema, schemaOf, typesOf } from './schema.ts'
import { validInstances } from './valid.ts'

const isFreeForm = (schema: Schema): boolean =>
  (typesOf(schema)?.every((type) => type === 'object') ?? false) &&
  schema.properties === undefined &&
  schema.anyOf === undefined &&
  schema.oneOf === undefined

// A text or number without a stated shape may name something that must exist; everything else means the same for any valid value.
const isClosed = (node: Node): boolean => {
  const schema = generated(node)
  if (typeof schema['x-generate'] === 'boolean') return schema['x-generate']
  if (schema.enum !== undefined || schema.const !== undefined) return true
  const types = typesOf(schema)
  if (types === undefined) return false
  return types.every(
    (type) =>
      type === 'boolean' ||
      (type === 'string' && (schema['x-format'] === 'go-duration' || schema.format === 'date-time')) ||
      (['integer', 'number'].includes(type) && schema.minimum !== undefined && schema.maximum !== undefined) ||
      (type === 'array' && schema.items !== undefined && isClosed(schema.items)),
  )
}

/** Values that a member may be given beside others: its examples where it has some, else any of a closed shape. */
const valuesOf = (node: Node): Arbitrary<Json> | undefined => {
  const schema = flatten(node)
  const shown = (schema.examples ?? []).filter((example) => isValid(plain(node), example))
  if (shown.length > 0 && schema['x-generate'] !== false) return fc.constantFrom(...shown)
  return isClosed(schema) ? validInstances(plain(node)) : undefined
}

const kept = (value: Json, node: Node | undefined): Arbitrary<Json> => {
  const schema = flatten(node)
  if (!isObject(value) || schemaOf(node)['x-generate'] === false) return fc.constant(value)
  if (isFreeForm(schema)) return validInstances(schema)
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, kept(member, schema.properties?.[name])]))
  return fc.record(members) as Arbitrary<Json>
}

const added = (body: JsonObject, schema: Schema): Arbitrary<JsonObject> => {
  const open = Object.entries(schema.properties ?? {}).flatMap(([name, node]): [string, Arbitrary<Json>][] => {
    const values = name in body ? undefined : valuesOf(node)
    return values === undefined ? [] : [[name, values]]
  })
  if (open.length === 0) return fc.constant({})
  const all = fc.record(Object.fromEntries(open)) as Arbitrary<JsonObject>
  const names = fc.subarray(
    open.map(([name]) => name),
    { minLength: 1, maxLength: Math.min(2, open.length) },
  )
  return fc
    .tuple(all, names)
    .map(([values, chosen]) => Object.fromEntries(Object.entries(values).filter(([name]) => chosen.includes(name))))
}

/**
 * Valid bodies near one that is accepted: what it holds stays (members may name prerequisites), free-form objects get other content, and one or two
 * optional members of closed shape (flags, sets, durations, bounded numbers, fields with examples) are added.
 *
 * @returns undefined where the schema leaves nothing to vary.
 */
export const variations = (schema: object, body: Json): Arbitrary<Json> | undefined => {
  const root = plain(schema) as Schema
  const flat = flatten(root)
  if (!isObject(body)) return undefined
  const bodies = fc.tuple(kept(body, root), added(body, flat)).map(([base, more]): Json => ({ ...(base as JsonObject), ...more }))
  const sampled = fc.sample(bodies, { numRuns: 5, seed: 1 })
  if (sampled.every((one) => JSON.stringify(one) === JSON.stringify(body))) return undefined
  return bounded(bodies, (one) => isValid(root, one), 'a variation of an accepted body')
}
