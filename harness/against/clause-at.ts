/** What the contract says of a place in an answer: which clause speaks of it, and who chooses what stands there. */
import { isObject } from '../base/json.ts'
import type { Operation } from '../contract/contract.ts'
import { schemasAt } from '../contract/sensitive.ts'
import { responseSpecOf } from '../contract/validate.ts'

const BRANCHES = ['allOf', 'anyOf', 'oneOf'] as const

/** The schema of a member, in whichever branch it stands. */
const memberOf = (schema: unknown, name: string): unknown => {
  if (!isObject(schema)) return undefined
  const { properties, items, additionalProperties } = schema
  if (isObject(properties) && isObject(properties[name])) return properties[name]
  if (/^\d+$/.test(name) && isObject(items)) return items
  for (const branch of BRANCHES) {
    for (const one of Array.isArray(schema[branch]) ? schema[branch] : []) {
      const found = memberOf(one, name)
      if (found !== undefined) return found
    }
  }
  return isObject(additionalProperties) ? additionalProperties : undefined
}

/**
 * The clause named nearest to a place of an answer, from the place outwards.
 *
 * @returns undefined where the contract names none there.
 */
export const clauseAt = (operation: Operation, status: number, pointer: readonly string[]): string | undefined => {
  let schema: unknown = responseSpecOf(operation, status)?.schema ?? undefined
  let clause: string | undefined
  for (const name of pointer) {
    schema = memberOf(schema, name)
    const named = isObject(schema) ? schema['x-clause'] : undefined
    if (typeof named === 'string') clause = named
  }
  return clause
}

/** Whether the server chooses what stands at a place of an answer: what is secret, if nobody sent it, and what is marked so. */
export const isChosenAt = (operation: Operation, status: number, pointer: readonly string[]): boolean =>
  schemasAt(responseSpecOf(operation, status)?.schema ?? undefined, pointer).some(
    (schema) => schema['x-chosen'] === true || schema['x-sensitive'] === true,
  )
