/** The gate: on every request schema of the contract, all valid instances are valid and all invalid ones are invalid. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../base/json.ts'
import { isObject } from '../../base/json.ts'
import { loadContract } from '../load.ts'
import { invalidCases, invalidInstances } from './invalid.ts'
import { errorsOf, isValid } from './judge.ts'
import { plain } from './merge.ts'
import type { Schema } from './schema.ts'
import { unsupportedKeywords } from './unsupported.ts'
import { validInstances } from './valid.ts'

const INSTANCES = 300
const TIMEOUT = 60_000

const { operations } = await loadContract()
const requests = [...operations.values()].flatMap(({ id, request }) => (request === undefined ? [] : [{ id, schema: request.schema }]))

const shownValues = (node: unknown): [Schema, Json][] => {
  if (Array.isArray(node)) return node.flatMap(shownValues)
  if (!isObject(node)) return []
  const { default: usual, examples, ...rest } = node as Schema
  const own = [...(usual === undefined ? [] : [usual]), ...(Array.isArray(examples) ? examples : [])]
  return [...own.map((value): [Schema, Json] => [node as Schema, value]), ...Object.values(rest).flatMap(shownValues)]
}

describe('request schemas of the contract', () => {
  it('are found', () => {
    expect(requests.length).toBeGreaterThan(5)
  })

  it.each(requests)('$id: within the supported subset', ({ schema }) => {
    expect(unsupportedKeywords(schema)).toEqual([])
  })

  it.each(requests)('$id: defaults and examples are valid', ({ schema }) => {
    const refused = shownValues(schema).filter(([node, value]) => !isValid(plain(node), value))
    expect(refused.map(([, value]) => value)).toEqual([])
  })

  it.each(requests)(
    '$id: valid instances are valid',
    ({ schema }) => {
      const judge = plain(schema)
      const values = fc.sample(validInstances(schema), { numRuns: INSTANCES, seed: 11 })
      expect(values.length).toBe(INSTANCES)
      expect(values.filter((value) => !isValid(judge, value))).toEqual([])
    },
    TIMEOUT,
  )

  it.each(requests)(
    '$id: invalid instances are invalid where they were changed',
    ({ schema }) => {
      const judge = plain(schema)
      for (const { instances, pointer, keyword } of invalidCases(schema)) {
        for (const value of fc.sample(instances(), { numRuns: 3, seed: 11 }))
          expect(errorsOf(judge, value), `${pointer} ${keyword}`).not.toEqual([])
      }
      const invalid = invalidInstances(schema)
      if (invalid === undefined) return
      const values = fc.sample(invalid, { numRuns: INSTANCES, seed: 11 })
      expect(values.filter((value) => isValid(judge, value))).toEqual([])
    },
    TIMEOUT,
  )
})
