/** Validators of JSON Schema 2020-12, one per schema. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Schema } from './contract.ts'
import { formatValidators } from './format-validators.ts'

export const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, formats: formatValidators })
const compiled = new WeakMap<Schema, ValidateFunction>()

/** The validator of a schema node; the same one for the same node. */
export const validatorOf = (schema: Schema): ValidateFunction => {
  const known = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, known)
  return known
}
