import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isValid } from './judge.ts'
import { validInstances } from './valid.ts'

const schemas: Record<string, object | boolean> = {
  anything: true,
  'type list': { type: ['string', 'integer'], 'x-format': 'go-duration', pattern: '^[0-9]+[smh]?([0-9]+[sm])?$', minimum: 0 },
  'closed object': {
    type: 'object',
    required: ['a'],
    properties: {
      a: { type: 'integer', minimum: 3, maximum: 5 },
      b: { enum: ['x', 'y'] },
      c: { type: 'string', minLength: 2, maxLength: 4 },
    },
    additionalProperties: false,
  },
  map: { type: 'object', additionalProperties: { type: 'string', format: 'cidr' }, minProperties: 1, maxProperties: 2 },
  'pattern map': { type: 'object', patternProperties: { '^x-[a-z]{1,4}$': { type: 'integer' } }, additionalProperties: false },
  tuple: {
    type: 'array',
    prefixItems: [{ const: 1 }, { type: 'string', format: 'uuid' }],
    items: { type: 'boolean' },
    minItems: 2,
    maxItems: 4,
  },
  unique: { type: 'array', items: { enum: [1, 2, 3] }, uniqueItems: true, minItems: 2 },
  contains: { type: 'array', contains: { const: 'x' }, minItems: 1 },
  'all of': {
    allOf: [
      { type: 'object', properties: { a: { minimum: 2 } } },
      { properties: { a: { type: 'integer', maximum: 9 } }, required: ['a'] },
    ],
  },
  'any of required': {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  'one of': {
    oneOf: [
      { type: 'integer', multipleOf: 3 },
      { type: 'integer', multipleOf: 5 },
    ],
  },
  not: { type: 'string', not: { pattern: '^a' } },
  condition: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { enum: ['a', 'b'] }, ip: { type: 'string', format: 'ip' } },
    if: { properties: { kind: { const: 'a' } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword's name in JSON Schema
    then: { required: ['ip'] },
    else: { not: { required: ['ip'] } },
  },
  numbers: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
  pattern: { type: 'string', pattern: '^[A-Z]{2}-\\d+$', maxLength: 8 },
  dependent: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } }, dependentRequired: { a: ['b'] } },
  hinted: { type: 'string', 'x-faker': 'internet.username', maxLength: 12 },
  ...Object.fromEntries(
    ['cidr-list', 'pem', 'base64', 'ip', 'json-text', 'comma-list', 'date-time', 'uri', 'hostname', 'ssh-public-key', 'serial', 'ipv6'].map(
      (format) => [`format ${format}`, { type: 'string', format }],
    ),
  ),
}

describe('valid instances', () => {
  it.each(Object.entries(schemas))('%s: 300 of 300 are valid', (_, schema) => {
    const values = fc.sample(validInstances(schema), { numRuns: 300, seed: 7 })
    expect(values.filter((value) => !isValid(schema as never, value))).toEqual([])
  })

  it('shrinks to instances that are valid too', () => {
    const schema = schemas['closed object'] as object
    const found = fc.check(
      fc.property(validInstances(schema), (value) => {
        expect(isValid(schema, value)).toBe(true)
        return !JSON.stringify(value).includes('"b"')
      }),
      { seed: 3 },
    )
    expect(found.counterexample?.[0]).toMatchObject({ a: 3, b: 'x' })
  })

  it('mixes in examples', () => {
    const values = fc.sample(validInstances({ type: 'string', examples: ['postgres://example'] }), { numRuns: 60, seed: 1 })
    expect(values).toContain('postgres://example')
  })

  it('says when nothing is valid', () => {
    expect(() => validInstances({ type: 'string', enum: [] })).toThrow('nothing is valid')
    expect(() => fc.sample(validInstances({ type: 'string', not: { type: 'string' } }), 1)).toThrow('no value in')
  })
})
