/** Strings for a schema node: by format, pattern, hint, or plain. */
import { createRequire } from 'node:module'
import type { Faker } from '@faker-js/faker'
import fc, { type Arbitrary } from 'fast-check'
import { formatArbitraries } from './format-arbitraries.ts'
import type { Schema } from './schema.ts'

let loadedFaker: Faker | undefined
// Loaded on first use: most schemas have no hint.
const faker = (): Faker => {
  loadedFaker ??= (createRequire(import.meta.url)('@faker-js/faker/locale/en') as { faker: Faker }).faker
  return loadedFaker
}

/** A realistic value by a faker path such as `internet.username`; the same drawn number gives the same value. */
const hinted = (path: string): Arbitrary<string> =>
  fc.integer({ min: 0, max: 2 ** 31 - 1 }).map((seed) => {
    const source = faker()
    source.seed(seed)
    const [module = '', method = ''] = path.split('.')
    const family = (source as unknown as Record<string, Record<string, (() => unknown) | undefined> | undefined>)[module]
    const make = family?.[method]
    if (family === undefined || make === undefined) throw new Error(`faker has no ${path}`)
    return String(make.call(family))
  })

const WORDS = fc.stringMatching(/^[a-z][a-z0-9_-]{0,14}$/)

const plainText = (minLength: number, maxLength: number): Arbitrary<string> => {
  const usual = { minLength, maxLength: Math.min(maxLength, minLength + 24) }
  const free = [
    { arbitrary: fc.string({ ...usual, unit: 'grapheme-ascii' }), weight: 2 },
    { arbitrary: fc.string({ ...usual, unit: 'grapheme' }), weight: 1 },
  ]
  return minLength <= 1 && maxLength >= 15 ? fc.oneof({ arbitrary: WORDS, weight: 5 }, ...free) : fc.oneof(...free)
}

/** Length in code points, as JSON Schema counts. */
const lengthOf = (text: string): number => [...text].length

/** Strings under the node's string keywords; the caller's filter has the last word. */
export const stringsOf = (schema: Schema): Arbitrary<string> => {
  const minLength = schema.minLength ?? 0
  const maxLength = schema.maxLength ?? 4096
  const fits = (text: string) => lengthOf(text) >= minLength && lengthOf(text) <= maxLength
  const format = formatArbitraries[schema['x-format'] ?? schema.format ?? '']
  // A format of the contract's own comes with the pattern that says the same to everybody else.
  if (schema.pattern !== undefined && schema['x-format'] === undefined) {
    return fc.stringMatching(new RegExp(schema.pattern, 'u')).filter(fits)
  }
  if (format !== undefined) return format.filter(fits)
  if (schema['x-faker'] !== undefined) return hinted(schema['x-faker']).filter(fits)
  return plainText(minLength, maxLength).filter(fits)
}
