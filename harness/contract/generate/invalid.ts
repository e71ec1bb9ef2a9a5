/** Invalid instances: a valid one broken at one place, for one keyword. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import fc, { type Arbitrary } from 'fast-check'
import { isObject, type Json } from '../../base/json.ts'
import { bounded, Unsatisfiable } from './bounded.ts'
import { breaksOf, type Grade } from './breaks.ts'
import { errorsOf, isValid } from './judge.ts'
import { both, flatten, plain } from './merge.ts'
import { at, type Node, pointerOf, type Schema, schemaOf, withValue } from './schema.ts'
import { alternativesOf, validInstances } from './valid.ts'

/** A place and a keyword at which valid instances can be broken. */
export interface InvalidCase {
  /** JSON pointer of the place; the first item of an array stands for all, `assay` for any member of a map. */
  pointer: string
  keyword: string
  what: string
  grade: Grade
  /** The nearest `x-clause`, from the place upwards; `x-clause-required` and `x-clause-enum` at the place go before it for their keywords. */
  clause: string | undefined
  /** Invalid instances: each breaks the keyword at the place, by Ajv's errors, also while shrinking. */
  instances(): Arbitrary<Json>
  /** A given valid instance broken here; undefined where it has no such place, or where the result would not break the keyword. */
  invalidate(instance: Json): Arbitrary<Json> | undefined
}

interface Place {
  steps: string[]
  schema: Schema
  clause: string | undefined
  /** Demands that the place exists: to be merged with the root. */
  demand(): Schema
  grow(inner: Schema): Schema
}

interface Cut {
  steps: string[]
  keyword: string
  what: string
  grade: Grade
  clause: string | undefined
  /** Replacement, or undefined for removal. */
  values(): Arbitrary<Json | undefined>
  /** The alternative of the root, with the place demanded. */
  base(): Schema
}

const clauseOf = (node: Node | undefined, inherited: string | undefined): string | undefined => schemaOf(node)['x-clause'] ?? inherited

const child = (place: Place, step: string, node: Node | undefined, around: (inner: Schema) => Schema): Place => {
  const schema = flatten(node)
  const grow = (inner: Schema) => place.grow(around(inner))
  return { steps: [...place.steps, step], schema, clause: clauseOf(schema, place.clause), demand: () => grow(schema), grow }
}

const MAP_KEY = 'assay'

const childrenOf = (place: Place): Place[] => {
  const { schema } = place
  const member = (name: string, node: Node | undefined) =>
    child(place, name, node, (inner) => ({ required: [name], properties: { [name]: inner } }))
  const members = Object.entries(schema.properties ?? {})
    .filter(([, node]) => schemaOf(node)['x-generate'] !== false && node !== false)
    .map(([name, node]) => member(name, node))
  const isMap = typeof schema.additionalProperties === 'object' && Object.keys(schema.additionalProperties).length > 0
  if (isMap) members.push(member(MAP_KEY, schema.additionalProperties))
  const items =
    typeof schema.items === 'object' && (schema.prefixItems ?? []).length === 0
      ? [child(place, '0', schema.items, (inner) => ({ minItems: 1, items: inner }))]
      : []
  return [...members, ...items]
}

const requiredOf = (place: Place): Pick<Cut, 'steps' | 'keyword' | 'what' | 'grade' | 'clause' | 'values'>[] =>
  (place.schema.required ?? [])
    .filter((name) => schemaOf(place.schema.properties?.[name])['x-generate'] !== false)
    .map((name) => ({
      steps: [...place.steps, name],
      keyword: 'required',
      what: 'left out',
      grade: 'refusable',
      clause: schemaOf(place.schema.properties?.[name])['x-clause-required'] ?? clauseOf(place.schema.properties?.[name], place.clause),
      values: () => fc.constant(undefined),
    }))

const cutsAt = (root: Schema, place: Place): Cut[] => {
  const base = () => flatten(both(root, place.demand()))
  const own = breaksOf(place.schema, place.steps.length === 0).map((found) => ({
    ...found,
    steps: place.steps,
    clause: (found.keyword === 'enum' ? place.schema['x-clause-enum'] : undefined) ?? place.clause,
  }))
  const open = place.schema.additionalProperties === false ? [unknownMember(place)] : []
  return [
    ...[...own, ...requiredOf(place), ...open].map((cut) => ({ ...cut, base })),
    ...childrenOf(place).flatMap((below) => cutsAt(root, below)),
  ]
}

const unknownMember = (place: Place) => ({
  steps: [...place.steps, 'assay-unknown'],
  keyword: 'additionalProperties',
  what: 'an unknown member',
  grade: 'coercible' as const,
  clause: place.clause,
  values: () => fc.constant<Json>('assay'),
})

const SAME: Record<string, string[]> = { enum: ['enum', 'const'] }

const blames = (error: ErrorObject, steps: string[], keyword: string): boolean => {
  if (!(SAME[keyword] ?? [keyword]).includes(error.keyword)) return false
  const params = error.params as { missingProperty?: string; additionalProperty?: string }
  const named = keyword === 'required' ? params.missingProperty : keyword === 'additionalProperties' ? params.additionalProperty : undefined
  if (named === undefined) return error.instancePath === pointerOf(steps)
  return named === steps.at(-1) && error.instancePath === pointerOf(steps.slice(0, -1))
}

const invalidCaseOf = (root: Node, cut: Cut): InvalidCase => {
  const { steps, keyword, what, grade, clause } = cut
  const pointer = pointerOf(steps)
  const isInvalid = (instance: Json): boolean => errorsOf(root, instance).some((error) => blames(error, steps, keyword))
  const judged = (source: Arbitrary<Json>, attempts?: number) => bounded(source, isInvalid, `${pointer || 'the root'} ${keyword}`, attempts)
  return {
    pointer,
    keyword,
    what,
    grade,
    clause,
    instances() {
      const healthy = bounded(validInstances(cut.base()), (instance) => isValid(root, instance), `a valid instance with ${pointer}`)
      return judged(fc.tuple(healthy, cut.values()).map(([instance, value]) => withValue(instance, steps, value)))
    },
    invalidate(instance) {
      const parent = steps.length === 0 ? instance : at(instance, steps.slice(0, -1))
      if (steps.length > 0 && !isObject(parent) && !Array.isArray(parent)) return undefined
      const broken = judged(
        cut.values().map((value) => withValue(instance, steps, value)),
        50,
      )
      return isPossible(broken) ? broken : undefined
    },
  }
}

const isPossible = (arbitrary: Arbitrary<Json>): boolean => {
  try {
    fc.sample(arbitrary, { numRuns: 1, seed: 1 })
    return true
  } catch (error) {
    if (error instanceof Unsatisfiable || (error instanceof Error && error.message.startsWith('nothing is valid'))) return false
    throw error
  }
}

const cutsOf = (root: Schema): Cut[] => {
  const found = new Map<string, Cut>()
  for (const alternative of [flatten(root), ...alternativesOf(flatten(root))]) {
    const start: Place = { steps: [], schema: alternative, clause: alternative['x-clause'], demand: () => ({}), grow: (inner) => inner }
    for (const cut of cutsAt(alternative, start)) {
      const key = `${pointerOf(cut.steps)} ${cut.keyword} ${cut.grade}`
      if (!found.has(key)) found.set(key, cut)
    }
  }
  return [...found.values()]
}

const placesOf = new WeakMap<object, InvalidCase[]>()

/**
 * Every (place, keyword) of a schema at which an instance may be broken, once per grade, in the order of the schema; cheap, and with some that no
 * instance can show.
 *
 * @param schema dereferenced, non-recursive JSON Schema 2020-12; the branches of a root `anyOf`, `oneOf` or `if` are walked one by one.
 */
export const places = (schema: object): InvalidCase[] => {
  const root = plain(schema) as Schema
  const listed = placesOf.get(root) ?? cutsOf(root).map((cut) => invalidCaseOf(root, cut))
  placesOf.set(root, listed)
  return listed
}

const known = new WeakMap<object, InvalidCase[]>()

/** The deterministic lane: the {@link places} of a schema for which broken instances exist. */
export const invalidCases = (schema: object): InvalidCase[] => {
  const cached = known.get(schema)
  if (cached !== undefined) return cached
  const all = places(schema).filter((one) => isPossible(one.instances()))
  known.set(schema, all)
  return all
}

/** The random lane: invalid instances of a schema, each broken at one of its {@link invalidCases}. Undefined where everything is valid. */
export const invalidInstances = (schema: object): Arbitrary<Json> | undefined => {
  const all = invalidCases(schema)
  return all.length === 0 ? undefined : fc.oneof(...all.map((one) => one.instances()))
}
