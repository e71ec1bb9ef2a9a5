/** Values that break one keyword of a schema node, graded by whether a server may reasonably coerce them. */
import fc, { type Arbitrary } from 'fast-check'
import type { Json } from '../../base/json.ts'
import { otherTypes, type Schema, typesOf } from './schema.ts'
import { anyJson, validInstances } from './valid.ts'

/** `refusable`: no server can make sense of it, so it must be refused. `coercible`: accepting it is as good as refusing it. */
export type Grade = 'refusable' | 'coercible'

/** One way to break a node: the keyword it breaks and the values that do. */
export interface Break {
  keyword: string
  what: string
  grade: Grade
  /** Made on demand: listing the places of a schema stays cheap. */
  values(): Arbitrary<Json>
}

const SCALARS = ['string', 'integer', 'number', 'boolean', 'null']
const OUTSIDE = 'assay-not-in-the-set'

const object = fc.constantFrom<Json>({ assay: { nested: true } }, { assay: 'object' }, { a: 1, b: [true] })
const nestedArray = fc.constantFrom<Json>([['nested'], ['array']], [[1], [2]], [{ assay: 'item' }])
const plainValues: Record<string, Arbitrary<Json>> = {
  string: fc.constantFrom<Json>('assay', '12', 'true'),
  integer: fc.integer({ min: 2, max: 99 }),
  number: fc.constantFrom<Json>(1.5, 0.25),
  boolean: fc.boolean(),
  null: fc.constant<Json>(null),
  array: fc.constantFrom<Json>(['assay'], [1], []),
  object,
}

const isScalar = (types: string[] | undefined): boolean => types?.every((type) => SCALARS.includes(type)) ?? false

const wrongTypes = (schema: Schema, isRoot: boolean): Break[] => {
  const own = typesOf(schema)
  const others = otherTypes(schema)
  if (own === undefined || others.length === 0) return []
  const words = own.join(' or ')
  // A text that holds JSON may as well be given as the JSON value.
  const scalar = isScalar(own) && schema.format !== 'json-text'
  const must = (type: string) => (isRoot ? type !== 'null' : scalar && type === 'object')
  const refused = others.filter(must)
  const open = others.filter((type) => !must(type))
  const of = (types: string[]) => fc.oneof(...types.map((type) => plainValues[type]!))
  const nested = scalar && !isRoot ? [nestedArray] : []
  return [
    ...(refused.length > 0
      ? [
          {
            keyword: 'type',
            what: `${[...refused, ...(nested.length > 0 ? ['nested array'] : [])].join(' or ')} for ${words}`,
            grade: 'refusable' as const,
            values: () => fc.oneof(of(refused), ...nested),
          },
        ]
      : []),
    ...(open.length > 0
      ? [{ keyword: 'type', what: `${open.join(', ')} for ${words}`, grade: 'coercible' as const, values: () => of(open) }]
      : []),
  ]
}

const outsideSet = (schema: Schema): Break[] => {
  const set = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (set === undefined) return []
  const types = typesOf({ enum: set }) ?? []
  const values = [
    ...(types.includes('string') ? [fc.constantFrom<Json>(OUTSIDE, 'assay no such value')] : []),
    ...(types.includes('integer') || types.includes('number') ? [fc.constantFrom<Json>(1_234_567, 7_654_321)] : []),
  ]
  if (values.length === 0) return []
  return [{ keyword: 'enum', what: 'a value outside the set', grade: 'refusable', values: () => fc.oneof(...values) }]
}

type Limit = [keyword: string, values: () => Arbitrary<Json>]

const bounds = (schema: Schema): Limit[] => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const near = fc.integer({ min: 1, max: 1_000 })
  const found: Limit[] = []
  if (minimum !== undefined) found.push(['minimum', () => near.map((by) => minimum - by)])
  if (maximum !== undefined) found.push(['maximum', () => near.map((by) => maximum + by)])
  if (exclusiveMinimum !== undefined) found.push(['exclusiveMinimum', () => fc.nat(100).map((by) => exclusiveMinimum - by)])
  if (exclusiveMaximum !== undefined) found.push(['exclusiveMaximum', () => fc.nat(100).map((by) => exclusiveMaximum + by)])
  if (multipleOf !== undefined) found.push(['multipleOf', () => fc.integer({ min: 1, max: 1_000 })])
  return found
}

const texts = (schema: Schema): Limit[] => {
  const { minLength, maxLength, pattern, format, 'x-format': ownFormat } = schema
  const unlike = (name: string) => () => fc.oneof(fc.constantFrom(`not a ${name}!`, '=?', '/', '{'), fc.string())
  const found: Limit[] = []
  if (minLength !== undefined && minLength > 0) found.push(['minLength', () => fc.string({ maxLength: minLength - 1 })])
  if (maxLength !== undefined)
    found.push(['maxLength', () => fc.string({ minLength: maxLength + 1, maxLength: maxLength + 9, size: 'max' })])
  if (ownFormat !== undefined) found.push(['pattern', unlike(ownFormat)])
  else if (pattern !== undefined) found.push(['pattern', () => fc.oneof(fc.string(), fc.constantFrom('', ' ', '!', 'Ä\n'))])
  if (format !== undefined) found.push(['format', unlike(format)])
  return found
}

const containers = (schema: Schema): Limit[] => {
  const { minItems, maxItems, uniqueItems, minProperties, maxProperties } = schema
  const found: Limit[] = []
  const item = () => (schema.items === undefined || typeof schema.items === 'boolean' ? anyJson : validInstances(schema.items))
  if (minItems !== undefined && minItems > 0) found.push(['minItems', () => fc.array(item(), { maxLength: minItems - 1 })])
  if (maxItems !== undefined)
    found.push(['maxItems', () => fc.array(item(), { minLength: maxItems + 1, maxLength: maxItems + 2, size: 'max' })])
  if (uniqueItems) found.push(['uniqueItems', () => item().map((one) => [one, one])])
  if (schema.contains !== undefined) found.push(['contains', () => fc.constant([])])
  if (minProperties !== undefined && minProperties > 0) found.push(['minProperties', () => fc.constant({})])
  if (maxProperties !== undefined)
    found.push([
      'maxProperties',
      () => fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.nat(), { minKeys: maxProperties + 1, maxKeys: maxProperties + 2 }),
    ])
  return found
}

const combined = (schema: Schema): Break[] => {
  const found: Break[] = []
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const types = schema[keyword]?.map((branch) => (typeof branch === 'boolean' ? undefined : (typesOf(branch) ?? schema.type)))
    if (types === undefined) continue
    const scalar = types.every((own) => isScalar(typeof own === 'string' ? [own] : own))
    if (scalar)
      found.push({ keyword, what: 'object or nested array for scalar', grade: 'refusable', values: () => fc.oneof(object, nestedArray) })
    found.push({
      keyword,
      what: 'a value under no branch',
      grade: 'coercible',
      values: () => fc.oneof(...Object.values(plainValues), anyJson),
    })
  }
  if (schema.not !== undefined && typeof schema.not === 'object' && Object.keys(schema.not).length > 0) {
    const ruledOut = schema.not
    found.push({
      keyword: 'not',
      what: 'a value that is ruled out',
      grade: 'coercible',
      values: () => fc.oneof(validInstances(ruledOut), anyJson),
    })
  }
  return found
}

/** Every way to break the node itself, not its members. */
export const breaksOf = (schema: Schema, isRoot: boolean): Break[] => [
  ...wrongTypes(schema, isRoot),
  ...outsideSet(schema),
  ...[...bounds(schema), ...texts(schema), ...containers(schema)].map(
    ([keyword, values]): Break => ({ keyword, what: `outside ${keyword}`, grade: 'coercible', values }),
  ),
  ...combined(schema),
]
