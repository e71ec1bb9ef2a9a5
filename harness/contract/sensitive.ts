/** Where the values of a message stand: at places that a schema marks as secret, at places that it knows, or at none of either. */
import { isObject } from '../base/json.ts'
import { isValid } from './compile.ts'
import type { Operation, Schema } from './contract.ts'

/**
 * `secret`: the value itself; `userinfo`: a URL that may hold a password; `known`: the schema says what stands here, and that it is of this kind;
 * `unknown`: the schema does not know the place, or what stands there is of another kind.
 */
export type PlaceKind = 'secret' | 'userinfo' | 'known' | 'unknown'

/** One text of a message: a string, a number, or the name of a member that no schema knows. */
export interface PlacedText {
  text: string
  kind: PlaceKind
  /** Names and indexes that lead to it. */
  path: readonly string[]
}

const schemasIn = (value: unknown): Schema[] => (Array.isArray(value) ? value : [value]).filter(isObject)

const SAME_INSTANCE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else']

const expandedAlone = new WeakMap<Schema, ReadonlySet<Schema>>()

/** A schema and all that speak of the same value, whichever branch applies: what is secret in one of them is secret. */
const expanded = (roots: readonly Schema[]): ReadonlySet<Schema> => {
  const [only, ...others] = roots
  const known = only !== undefined && others.length === 0 ? expandedAlone.get(only) : undefined
  if (known !== undefined) return known
  const found = new Set<Schema>()
  const add = (schema: Schema): void => {
    if (found.has(schema)) return
    found.add(schema)
    for (const keyword of SAME_INSTANCE) for (const branch of schemasIn(schema[keyword])) add(branch)
    if (isObject(schema.dependentSchemas)) for (const branch of schemasIn(Object.values(schema.dependentSchemas))) add(branch)
  }
  for (const root of roots) add(root)
  if (only !== undefined && others.length === 0) expandedAlone.set(only, found)
  return found
}

const patterns = new Map<string, RegExp>()

const patternOf = (source: string): RegExp => {
  const known = patterns.get(source) ?? new RegExp(source, 'u')
  patterns.set(source, known)
  return known
}

const matching = (members: unknown, name: string): Schema[] =>
  isObject(members)
    ? schemasIn(
        Object.entries(members)
          .filter(([pattern]) => patternOf(pattern).test(name))
          .map(([, schema]) => schema),
      )
    : []

/** Schemas of a member: those that name it or its like, else those of all further members. */
const memberSchemas = (nodes: Iterable<Schema>, name: string): Schema[] =>
  [...nodes].flatMap((node) => {
    const own = isObject(node.properties) && Object.hasOwn(node.properties, name) ? schemasIn(node.properties[name]) : []
    const named = [...own, ...matching(node.patternProperties, name)]
    return named.length > 0 ? named : schemasIn([node.additionalProperties, node.unevaluatedProperties])
  })

const itemSchemas = (nodes: Iterable<Schema>, index: number): Schema[] =>
  [...nodes].flatMap((node) => {
    const own = Array.isArray(node.prefixItems) ? schemasIn(node.prefixItems[index]) : []
    return own.length > 0 ? own : schemasIn([node.items, node.contains, node.unevaluatedItems])
  })

const SCALAR = ['type', 'const', 'enum', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'x-clause', 'description']

/** Whether a schema says of a text what it is, and the text is that. */
const tells = (schema: Schema, value: unknown): boolean => {
  if (!SCALAR.some((keyword) => keyword in schema)) return false
  const { type } = schema
  const types = type === undefined ? [] : [type].flat()
  const actual = typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value
  if (types.length > 0 && !types.includes(actual) && !(actual === 'integer' && types.includes('number'))) return false
  return isValid(schema, value)
}

const kindOf = (nodes: ReadonlySet<Schema>, value: unknown, inherited: PlaceKind | undefined): PlaceKind => {
  if (inherited === 'secret') return 'secret'
  const marks = [...nodes].map((node) => node['x-sensitive'])
  if (marks.includes(true)) return 'secret'
  if (marks.includes('userinfo')) return 'userinfo'
  return [...nodes].some((node) => tells(node, value)) ? 'known' : 'unknown'
}

/** Names that are kept of a way, with the last: a deep place has as many as a message has levels. */
const LONGEST_WAY = 60

const wayTo = (path: readonly string[], name: string): string[] => [...path.slice(0, LONGEST_WAY), name]

/**
 * Every text of a message with the kind of its place.
 *
 * @param schema of the message, with references resolved; undefined where the contract has none.
 * @param instance the message, in the contract's spelling.
 */
export const placedTexts = (schema: unknown, instance: unknown): PlacedText[] => {
  const found: PlacedText[] = []
  const visit = (schemas: readonly Schema[], value: unknown, path: readonly string[], inherited?: PlaceKind): void => {
    const nodes = expanded(schemas)
    if (typeof value === 'string' || typeof value === 'number') {
      found.push({ text: String(value), kind: kindOf(nodes, value, inherited), path })
      return
    }
    const mark = inherited ?? ([...nodes].some((node) => node['x-sensitive'] === true) ? 'secret' : undefined)
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(itemSchemas(nodes, index), item, wayTo(path, String(index)), mark)
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        const below = memberSchemas(nodes, name)
        if (below.length === 0) found.push({ text: name, kind: mark ?? 'unknown', path })
        visit(below, member, wayTo(path, name), mark)
      }
    }
  }
  visit(schemasIn(schema), instance, [])
  return found
}

/**
 * All schemas that speak of a place in a message, whichever branch applies.
 *
 * @param path names and indexes that lead there.
 */
export const schemasAt = (schema: unknown, path: readonly string[]): Schema[] => {
  let nodes = expanded(schemasIn(schema))
  for (const name of path)
    nodes = expanded([...memberSchemas(nodes, name), ...(/^\d+$/.test(name) ? itemSchemas(nodes, Number(name)) : [])])
  return [...nodes]
}

const marked = new WeakMap<Schema, boolean>()

/** Whether a schema marks anything as secret, at any depth. */
const marksSecrets = (schema: Schema, seen = new Set<unknown>()): boolean => {
  if (seen.has(schema)) return false
  seen.add(schema)
  if (schema['x-sensitive'] !== undefined) return true
  return Object.values(schema).some((value) =>
    (Array.isArray(value) ? value : [value]).some((one) => isObject(one) && marksSecrets(one, seen)),
  )
}

/** Whether answers of an operation hand out what is secret. */
export const isCredentialOperation = (operation: Pick<Operation, 'responses'>): boolean =>
  Object.values(operation.responses).some(({ schema }) => {
    if (schema === undefined || schema === null) return false
    const known = marked.get(schema) ?? marksSecrets(schema)
    marked.set(schema, known)
    return known
  })
