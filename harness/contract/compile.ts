/** Validators of JSON Schema 2020-12, one per schema. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Schema } from './contract.ts'
import { formatValidators } from './format-validators.ts'

const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, formats: formatValidators })
const compiled = new WeakMap<Schema, ValidateFunction>()

/** The validator of a schema node; the same one for the same node. */
const validatorOf = (schema: Schema): ValidateFunction => {
  const known = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, known)
  return known
}

/** Every error of a value under a schema, or none. */
export const errorsOf = (schema: Schema, value: unknown): ErrorObject[] => {
  const validate = validatorOf(schema)
  if (validate(value)) return []
  const errors = validate.errors ?? []
  // The errors hold the value, which may be large, and a validator would hold them until it is used again.
  validate.errors = null
  return errors
}

/** Whether a value is valid under a schema. */
export const isValid = (schema: Schema, value: unknown): boolean => errorsOf(schema, value).length === 0

/** Errors as one line. @param subject what the value is called in it. */
export const errorsText = (errors: ErrorObject[], subject: string): string => ajv.errorsText(errors, { dataVar: subject })
