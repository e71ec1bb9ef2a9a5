/** Text of bindings: block syntax or JSON, raw or base64. */
import { parse } from '@cdktn/hcl2json'
import { invalid } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Bindings } from './state.ts'

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** One entry or several that name one resource: block syntax gives a list, JSON mostly the object itself. */
const entries = (value: Json | undefined): JsonObject[] => {
  const list = Array.isArray(value) ? value : [value]
  if (!list.every((one) => isObject(one as Json | undefined))) throw invalid('bindings: each entry is an object')
  return list as JsonObject[]
}

const rolesIn = (entry: JsonObject, resource: string): string[] => {
  const { roles } = entry
  if (!Array.isArray(roles) || roles.some((role) => typeof role !== 'string' || role === ''))
    throw invalid(`bindings: roles of ${resource} must be a list of names`)
  return roles as string[]
}

const bindingsIn = (value: Json): Bindings => {
  if (!isObject(value) || value.resource === undefined) throw invalid('bindings name no resource')
  const bindings: Bindings = {}
  for (const group of entries(value.resource))
    for (const [resource, given] of Object.entries(group))
      for (const entry of entries(given)) bindings[resource] = [...new Set([...(bindings[resource] ?? []), ...rolesIn(entry, resource)])]
  if (Object.keys(bindings).length === 0) throw invalid('bindings name no resource')
  return bindings
}

const jsonOf = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/

/** The text itself, where it is base64 of something readable. */
export const decodedText = (text: string): string => (BASE64.test(text) ? Buffer.from(text, 'base64').toString('utf8') : text)

/** Reads raw text. Throws 400 where it is neither block syntax nor JSON, or holds no bindings. */
export const readBindings = async (text: string): Promise<Bindings> => {
  const json = jsonOf(text)
  if (json !== undefined) return bindingsIn(json)
  let parsed: Json
  try {
    parsed = (await parse('bindings.hcl', text)) as Json
  } catch {
    throw invalid('bindings are neither JSON nor in block syntax')
  }
  return bindingsIn(parsed)
}
