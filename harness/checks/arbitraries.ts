/** The generators that suites may use. */
import fc, { type Arbitrary } from 'fast-check'
import type { Json } from '../base/json.ts'
import { formatArbitraries } from '../contract/generate/format-arbitraries.ts'
import { anyJson, validInstances } from '../contract/generate/valid.ts'

export interface Arbitraries {
  fc: typeof fc
  /** Any JSON value, shallow; numbers within double precision, no minus zero. */
  json: Arbitrary<Json>
  /** Valid instances of a JSON Schema, e.g. `OperationFacts.requestSchema`. */
  instances(schema: object): Arbitrary<Json>
  /** Texts over an alphabet, their lengths counted in code points; shrinks to shorter ones and to the first characters. */
  texts(letters: string, lengths: { minimum: number; maximum: number }): Arbitrary<string>
  /** A valid text of one of the contract's formats: `duration`, `cidr`, `pem`, `ip`, `base64`, ... */
  format(name: string): Arbitrary<string>
}

export const arbitraries: Arbitraries = {
  fc,
  json: anyJson,
  instances: validInstances,
  texts: (letters, { minimum, maximum }) =>
    fc.string({ unit: fc.constantFrom(...letters), minLength: minimum, maxLength: maximum, size: 'max' }),
  format(name) {
    const found = formatArbitraries[name]
    if (found === undefined) throw new Error(`no generator for the format ${name}; known: ${Object.keys(formatArbitraries).join(', ')}`)
    return found
  },
}

export { fc }
