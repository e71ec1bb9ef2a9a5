/** JSON texts of objects that a client may store, without long whole numbers, which have a clause of their own, and without what the contract leaves open (see the clauses on values at the edge). */
import { arbitraries, fc, nastyTexts } from '../../../harness/checks/index.ts'

const words = fc.oneof(
  { arbitrary: fc.constantFrom(...nastyTexts), weight: 2 },
  { arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0')), weight: 2 },
  { arbitrary: arbitraries.format('pem'), weight: 1 },
)

const strings = words.map((text) => JSON.stringify(text))

const numbers = fc.oneof(
  fc.maxSafeInteger().map(String),
  fc.integer().map(String),
  fc
    .tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.integer({ min: 1, max: 999_999 }))
    .map(([whole, fraction]) => `${whole}.${fraction}`),
  fc.tuple(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: -20, max: 20 })).map(([digits, power]) => `${digits}e${power}`),
)

const scalars = fc.oneof({ arbitrary: strings, weight: 3 }, { arbitrary: numbers, weight: 2 }, fc.constantFrom('true', 'false', 'null'))

const membersOf = (values: typeof scalars) =>
  fc
    .uniqueArray(fc.tuple(words, values), { selector: ([name]) => name, minLength: 1, maxLength: 4 })
    .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`)

const below = fc.oneof(
  { arbitrary: scalars, weight: 3 },
  fc.array(scalars, { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
  membersOf(scalars),
)

/** Objects two levels deep, as text with numbers as they are written. */
export const objectTexts = membersOf(
  fc.oneof(
    { arbitrary: below, weight: 3 },
    fc.array(below, { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
  ),
)

/** Whole numbers of 64 bits, most of which a double cannot hold, as text. */
export const wholeTexts = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }).map(String)
