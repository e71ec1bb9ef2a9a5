/** Judges our own files (configuration, dialects, deviations, ...) by the schemas in `specs/meta`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { nearest } from '../base/usage.ts'
import { packageRoot } from './package-root.ts'

const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, validateFormats: false })
const validators = new Map<string, ValidateFunction>()

const validatorOf = (name: string): ValidateFunction => {
  const known =
    validators.get(name) ??
    ajv.compile(JSON.parse(readFileSync(join(packageRoot, 'specs', 'meta', `${name}.schema.json`), 'utf8')) as object)
  validators.set(name, known)
  return known
}

const describe = (error: ErrorObject): string => {
  const place = error.instancePath.slice(1).replaceAll('/', '.')
  const at = place === '' ? '' : `${place}: `
  if (error.keyword === 'additionalProperties') {
    const extra = (error.params as { additionalProperty: string }).additionalProperty
    const known = Object.keys((error.parentSchema as { properties?: object }).properties ?? {})
    return `${place === '' ? '' : `${place}.`}${extra}: unknown key${nearest(extra, known) || (known.length > 0 ? ` (known: ${known.join(', ')})` : '')}`
  }
  if (error.keyword === 'enum') {
    const known = (error.schema as unknown[]).map(String)
    return `${at}must be one of ${known.join(', ')}${typeof error.data === 'string' ? nearest(error.data, known) : ''}`
  }
  return `${at}${error.message}`
}

/** Problems of a document, each naming the key and what was expected; empty when it is valid. */
export const problemsOf = (schema: string, document: unknown): string[] => {
  const validate = validatorOf(schema)
  if (validate(document)) return []
  const errors = (validate.errors ?? []).filter(
    (error) => !['if', 'anyOf', 'oneOf'].includes(error.keyword) || validate.errors?.length === 1,
  )
  return [...new Set(errors.map(describe))]
}
