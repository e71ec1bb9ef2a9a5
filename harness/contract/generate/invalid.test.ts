import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { invalidCases, invalidInstances, places } from './invalid.ts'
import { errorsOf, isValid } from './judge.ts'
import { rawBodies } from './raw.ts'
import type { Schema } from './schema.ts'
import { unsupportedKeywords } from './unsupported.ts'
import { variations } from './vary.ts'

const GO_DURATION = { 'x-format': 'go-duration', pattern: '^([0-9]+[smh]?)*$' }

const role: Schema = {
  type: 'object',
  required: ['kind'],
  additionalProperties: false,
  properties: {
    kind: { enum: ['a', 'b'], 'x-clause': 'KIND-01' },
    ttl: { type: ['string', 'integer'], ...GO_DURATION },
    hosts: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1 },
    settings: { type: 'object', required: ['text'], properties: { text: { type: 'string', format: 'json-text' } } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    internal: { type: 'string', 'x-generate': false },
    debug: { type: 'boolean' },
  },
}

const gradeOf = (pointer: string, keyword: string) =>
  places(role)
    .filter((place) => place.pointer === pointer && place.keyword === keyword)
    .map((place) => place.grade)

describe('places', () => {
  it('are each (pointer, keyword) once per grade', () => {
    const keys = places(role).map(({ pointer, keyword, grade }) => `${pointer} ${keyword} ${grade}`)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).toEqual(
      expect.arrayContaining([
        '/kind enum refusable',
        '/hosts/0 minLength coercible',
        '/labels/assay type refusable',
        '/settings/text required refusable',
      ]),
    )
  })

  it('are graded by whether a server may coerce them', () => {
    expect(gradeOf('/kind', 'required')).toEqual(['refusable'])
    expect(gradeOf('/ttl', 'type')).toEqual(['refusable', 'coercible'])
    expect(gradeOf('/hosts', 'type')).toEqual(['coercible'])
    expect(gradeOf('/settings/text', 'type')).toEqual(['coercible'])
    expect(gradeOf('/assay-unknown', 'additionalProperties')).toEqual(['coercible'])
  })

  it('name the nearest clause and leave out what is not generated', () => {
    expect(places(role).find(({ pointer }) => pointer === '/kind')?.clause).toBe('KIND-01')
    expect(places(role).filter(({ pointer }) => pointer === '/internal')).toEqual([])
  })

  it('name a clause of its own for leaving out and for a value outside the set', () => {
    const clauses = { 'x-clause': 'KIND-01', 'x-clause-required': 'KIND-02', 'x-clause-enum': 'KIND-03' }
    const schema: Schema = { type: 'object', required: ['kind'], properties: { kind: { type: 'string', enum: ['a'], ...clauses } } }
    const of = (keyword: string) => places(schema).find((place) => place.pointer === '/kind' && place.keyword === keyword)?.clause
    expect([of('type'), of('required'), of('enum')]).toEqual(['KIND-01', 'KIND-02', 'KIND-03'])
  })

  it('walk the branches of a condition', () => {
    // biome-ignore lint/suspicious/noThenProperty: the keyword's name in JSON Schema
    const conditional: Schema = { ...role, if: { properties: { kind: { const: 'a' } } }, then: { required: ['ttl'] } }
    expect(invalidCases(conditional).map(({ pointer, keyword }) => `${pointer} ${keyword}`)).toContain('/ttl required')
  })
})

describe('broken instances', () => {
  it('break the keyword at the place, and so do all that they shrink to', () => {
    for (const { instances, pointer, keyword } of invalidCases(role)) {
      const found = fc.check(
        fc.property(instances(), (value) => {
          const errors = errorsOf(role, value)
          expect(errors.length, `${pointer} ${keyword}`).toBeGreaterThan(0)
          return false
        }),
        { numRuns: 1, seed: 5 },
      )
      expect(isValid(role, found.counterexample?.[0] as never)).toBe(false)
    }
  })

  it('are one change away from a given instance', () => {
    const body = { kind: 'a', hosts: ['x'] }
    const place = places(role).find(({ pointer, keyword }) => pointer === '/hosts/0' && keyword === 'type')!
    const [broken] = fc.sample(place.invalidate(body)!, { numRuns: 1, seed: 2 }) as [typeof body]
    expect(broken).toMatchObject({ kind: 'a' })
    expect(broken.hosts).toHaveLength(1)
    expect(typeof broken.hosts[0]).toBe('object')
    expect(place.invalidate({ kind: 'a' })).toBeUndefined()
  })

  it('do not exist where everything is valid', () => {
    expect(invalidInstances({})).toBeUndefined()
  })
})

describe('variations', () => {
  it('keep what names prerequisites and add closed members', () => {
    const schema = {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        other: { type: 'string' },
        flag: { type: 'boolean' },
        ttl: { type: 'string', ...GO_DURATION },
      },
    }
    const bodies = fc.sample(variations(schema, { name: 'n' })!, { numRuns: 40, seed: 1 }) as Record<string, unknown>[]
    expect(bodies.every((body) => body.name === 'n' && !('other' in body) && isValid(schema, body as never))).toBe(true)
    expect(bodies.some((body) => 'flag' in body)).toBe(true)
    expect(bodies.some((body) => 'ttl' in body)).toBe(true)
  })

  it('stay within what is said of generated values, where the contract states no limit', () => {
    const port = { type: 'integer', 'x-generate': { minimum: 1, maximum: 65_535 } }
    const schema = { type: 'object', properties: { port } }
    const bodies = fc.sample(variations(schema, {})!, { numRuns: 40, seed: 1 }) as { port: number }[]
    expect(bodies.every((body) => body.port >= 1 && body.port <= 65_535)).toBe(true)
    expect(isValid(schema, { port: 70_000 })).toBe(true)
    expect(places(schema).map(({ keyword }) => keyword)).not.toContain('maximum')
  })

  it('replace free-form objects, and are none where nothing may vary', () => {
    const free = fc.sample(variations({ type: 'object' }, { value: 1 })!, { numRuns: 10, seed: 1 })
    expect(new Set(free.map((body) => JSON.stringify(body))).size).toBeGreaterThan(3)
    expect(variations({ type: 'object', properties: { name: { type: 'string' } } }, { name: 'n' })).toBeUndefined()
  })
})

describe('raw bodies', () => {
  it('marked as broken are not JSON objects', () => {
    for (const { name, bytes, broken } of rawBodies({ a: 1, b: { c: [] } })) {
      if (!broken) continue
      const parsed = (() => {
        try {
          return JSON.parse(Buffer.from(bytes as string).toString()) as unknown
        } catch {
          return undefined
        }
      })()
      expect(typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed), name).toBe(false)
    }
  })

  it('repeat a member, and grow to a size', () => {
    const bodies = rawBodies({ a: 1 }, { huge: 1_000 })
    expect(bodies.find(({ name }) => name === 'a member twice')?.bytes).toBe('{"a":"assay-first","a":1}')
    expect(bodies.find(({ name }) => name === 'huge')?.bytes.length).toBe(1_000)
  })
})

describe('the linter of schemas', () => {
  it('names what the generator does not know', () => {
    const recursive: Record<string, unknown> = { type: 'object' }
    recursive.properties = { self: recursive }
    expect(unsupportedKeywords({ type: 'object', unevaluatedProperties: false })).toEqual(['#: unevaluatedProperties'])
    expect(unsupportedKeywords({ properties: { a: { format: 'colour' } } })).toEqual(['#/properties/a: format colour'])
    expect(unsupportedKeywords({ 'x-format': 'colour', pattern: '^red$' })).toEqual(['#: x-format colour'])
    // Others read the pattern only.
    expect(unsupportedKeywords({ 'x-format': 'go-duration' })).toEqual(['#: x-format go-duration'])
    expect(unsupportedKeywords(recursive)).toEqual(['#/properties/self: recursion'])
    expect(unsupportedKeywords(role)).toEqual([])
  })
})
