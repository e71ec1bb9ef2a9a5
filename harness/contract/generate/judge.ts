/** Ajv as the judge of generated instances. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Json } from '../../base/json.ts'
import { formatValidators } from '../format-validators.ts'
import type { Node } from './schema.ts'

const ajv = new Ajv2020({
  allErrors: true,
  strict: false,
  validateSchema: false,
  addUsedSchema: false,
  logger: false,
  formats: formatValidators,
})

const compiled = new WeakMap<object, ValidateFunction>()
const always = ajv.compile(true)
const never = ajv.compile(false)

const validatorOf = (node: Node): ValidateFunction => {
  if (typeof node === 'boolean') return node ? always : never
  const known = compiled.get(node)
  if (known !== undefined) return known
  const validate = ajv.compile(node)
  compiled.set(node, validate)
  return validate
}

/** Whether `value` is valid under a dereferenced schema without `$id`. */
export const isValid = (node: Node, value: Json): boolean => validatorOf(node)(value)

/** Every error of `value`, or none. */
export const errorsOf = (node: Node, value: Json): ErrorObject[] => {
  const validate = validatorOf(node)
  return validate(value) ? [] : [...(validate.errors ?? [])]
}

/** Names of formats that the judge knows. */
export const knowsFormat = (name: string): boolean => name in formatValidators
