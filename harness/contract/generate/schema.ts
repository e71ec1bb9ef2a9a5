/** Small tools over dereferenced JSON Schema nodes. */
import { isObject, type Json, type JsonObject } from '../../base/json.ts'

/** A JSON Schema 2020-12 node after dereferencing; every keyword is optional. */
export interface Schema {
  type?: string | string[]
  const?: Json
  enum?: Json[]
  properties?: Record<string, Node>
  required?: string[]
  additionalProperties?: Node
  patternProperties?: Record<string, Node>
  propertyNames?: Node
  dependentRequired?: Record<string, string[]>
  minProperties?: number
  maxProperties?: number
  items?: Node
  prefixItems?: Node[]
  contains?: Node
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  allOf?: Node[]
  anyOf?: Node[]
  oneOf?: Node[]
  not?: Node
  if?: Node
  then?: Node
  else?: Node
  default?: Json
  examples?: Json[]
  'x-clause'?: string
  /** Clause of a request that leaves this member out, where it is not that of a wrong value. */
  'x-clause-required'?: string
  /** Clause of a value outside the set, where it is not that of a wrong type. */
  'x-clause-enum'?: string
  'x-faker'?: string
  /** Name of a generator of strings, where `format` has no standard name for them. */
  'x-format'?: string
  /** Members beside it and the values of theirs with which it means something; elsewhere what becomes of it is open. */
  'x-applies'?: Record<string, Json[]>
  /** False: never generated nor broken. A node: what generated values also meet, where the contract states no limit and a server may have one. */
  'x-generate'?: boolean | Schema
}

/** `true` allows everything, `false` nothing. */
export type Node = Schema | boolean

export const schemaOf = (node: Node | undefined): Schema => (node === undefined || node === true ? {} : node === false ? { not: {} } : node)

const ALL_TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null']

const typeOfValue = (value: Json): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

const hints: [string, (keyof Schema)[]][] = [
  ['object', ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties', 'maxProperties', 'propertyNames']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains']],
  ['string', ['pattern', 'format', 'minLength', 'maxLength']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]

/** The types that a node allows: as stated, else those its constants have, else those its keywords speak of, else undefined (any). */
export const typesOf = (schema: Schema): string[] | undefined => {
  if (schema.type !== undefined) return Array.isArray(schema.type) ? schema.type : [schema.type]
  const constants = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (constants !== undefined) return [...new Set(constants.map(typeOfValue))]
  const hinted = hints.filter(([, keywords]) => keywords.some((keyword) => schema[keyword] !== undefined)).map(([type]) => type)
  return hinted.length > 0 ? hinted : undefined
}

/** Types that a node refuses. */
export const otherTypes = (schema: Schema): string[] => {
  const own = schema.type === undefined ? undefined : typesOf(schema)
  if (own === undefined) return []
  return ALL_TYPES.filter((type) => !own.includes(type) && !(type === 'integer' && own.includes('number')))
}

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')
const escaped = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1')

export const pointerOf = (steps: readonly string[]): string => steps.map((step) => `/${escaped(step)}`).join('')
export const stepsOf = (pointer: string): string[] => pointer.split('/').slice(1).map(unescaped)

/** The value at a JSON pointer, or undefined. */
export const at = (value: Json, steps: readonly string[]): Json | undefined => {
  let here: Json | undefined = value
  for (const step of steps) {
    if (Array.isArray(here)) here = here[Number(step)]
    else if (isObject(here)) here = Object.hasOwn(here, step) ? here[step] : undefined
    else return undefined
  }
  return here
}

/** A copy of `value` with the place at `steps` replaced, or removed where `next` is undefined. */
export const withValue = (value: Json, steps: readonly string[], next: Json | undefined): Json => {
  const [step, ...rest] = steps
  if (step === undefined) return next ?? null
  if (Array.isArray(value)) {
    const copy = [...value]
    const index = Number(step)
    if (rest.length === 0 && next === undefined) copy.splice(index, 1)
    else copy[index] = withValue(copy[index] ?? null, rest, next)
    return copy
  }
  const copy: JsonObject = isObject(value) ? { ...value } : {}
  if (rest.length === 0 && next === undefined) delete copy[step]
  else copy[step] = withValue(copy[step] ?? null, rest, next)
  return copy
}
