/** Dialects: how the contract's names are spelled on the wire. Pure data and a pure codec; free-form user data passes untouched. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { parse } from 'yaml'
import type { Json } from '../base/json.ts'
import { nearest, UsageError } from '../base/usage.ts'
import { problemsOf } from '../contract/own-documents.ts'
import { packageRoot } from '../contract/package-root.ts'

/** Renames of one operation: JSON pointer in the contract's spelling -> the last member's name on the wire. */
interface OperationSpelling {
  request?: Record<string, string>
  response?: Record<string, string>
}

export interface Dialect {
  dialect: string
  title?: string
  headers?: Record<string, string>
  paths?: Record<string, string>
  methods?: Record<string, string>
  operations?: Record<string, OperationSpelling>
  values?: Record<string, Record<string, Record<string, Json>>>
  mountTypes?: Record<string, { type: string; options?: Record<string, string>; ready?: string }>
}

type Container = Record<string, Json>

const isContainer = (value: Json | undefined): value is Container | Json[] => typeof value === 'object' && value !== null

const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~')
const split = (pointer: string): string[] => pointer.split('/').slice(1).map(unescapeToken)

/** Copies `value` with `change` applied at every place that `tokens` matches (`*`: any member or item); untouched parts are shared. */
const at = (value: Json, tokens: string[], change: (parent: Container, name: string) => void): Json => {
  if (!isContainer(value)) return value
  const [token, ...rest] = tokens as [string, ...string[]]
  if (rest.length === 0) {
    if (Array.isArray(value)) return value
    const copy = { ...value }
    for (const name of token === '*' ? Object.keys(copy) : [token]) if (Object.hasOwn(copy, name)) change(copy, name)
    return copy
  }
  if (Array.isArray(value)) return token === '*' ? value.map((item) => at(item, rest, change)) : value
  const names = token === '*' ? Object.keys(value) : Object.hasOwn(value, token) ? [token] : []
  if (names.length === 0) return value
  const copy: Container = { ...value }
  for (const name of names) copy[name] = at(copy[name]!, rest, change)
  return copy
}

const rename = (to: string) => (parent: Container, name: string) => {
  const moved = parent[name]!
  delete parent[name]
  parent[to] = moved
}

const depth = (pointer: string): number => split(pointer).length
const byDepth = (renames: Record<string, string>): [string, string][] =>
  Object.entries(renames).sort(([left], [right]) => depth(left) - depth(right))

const translate = (body: Json, table: Record<string, Record<string, Json>> | undefined, direction: 'encode' | 'decode'): Json => {
  let result = body
  for (const [pointer, values] of Object.entries(table ?? {}).filter(([name]) => name.startsWith('/'))) {
    result = at(result, split(pointer), (parent, name) => {
      const value = parent[name]!
      if (direction === 'encode') {
        if (typeof value === 'string' && Object.hasOwn(values, value)) parent[name] = values[value]!
        return
      }
      const known = Object.entries(values).find(([, wire]) => wire === value)
      if (known !== undefined) parent[name] = known[0]
    })
  }
  return result
}

/** Spells a request body for the wire. */
export const encodeBody = (dialect: Dialect, operation: string, body: Json): Json => {
  let result = translate(body, dialect.values?.[operation], 'encode')
  for (const [pointer, to] of byDepth(dialect.operations?.[operation]?.request ?? {}).reverse()) {
    result = at(result, split(pointer), rename(to))
  }
  return result
}

const decode = (body: Json, renames: Record<string, string>): Json => {
  let result = body
  for (const [pointer, wire] of byDepth(renames)) {
    const tokens = split(pointer)
    const name = tokens.at(-1)!
    result = at(result, [...tokens.slice(0, -1), wire], rename(name))
  }
  return result
}

/** Reads an answer's body in the contract's spelling. */
export const decodeBody = (dialect: Dialect, operation: string, body: Json): Json =>
  translate(decode(body, dialect.operations?.[operation]?.response ?? {}), dialect.values?.[operation], 'decode')

/** The contract's spelling of a request body that was encoded: the inverse of `encodeBody`. */
export const decodeRequest = (dialect: Dialect, operation: string, body: Json): Json =>
  translate(decode(body, dialect.operations?.[operation]?.request ?? {}), dialect.values?.[operation], 'decode')

/** Spells the path parameters of a call for the wire: those whose values the dialect names under `{parameter}`. */
export const encodePath = (dialect: Dialect, operation: string, path: Record<string, string>): Record<string, string> => {
  const tables = dialect.values?.[operation] ?? {}
  return Object.fromEntries(
    Object.entries(path).map(([name, value]) => {
      const known = tables[`{${name}}`]
      const wire = known !== undefined && Object.hasOwn(known, value) ? known[value] : value
      return [name, typeof wire === 'string' ? wire : value]
    }),
  )
}

/** Spells header names for the wire; unknown ones pass. */
export const encodeHeaders = (dialect: Dialect, headers: Record<string, string>): Record<string, string> => {
  const table = new Map(Object.entries(dialect.headers ?? {}).map(([from, to]) => [from.toLowerCase(), to]))
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [table.get(name.toLowerCase()) ?? name, value]))
}

const folder = join(packageRoot, 'dialects')

/** Names of the dialects that ship with the package. */
export const knownDialects = (): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => basename(name, '.yaml'))

/**
 * Loads a dialect by name, or from a file when the name looks like a path.
 *
 * @throws UsageError for an unknown name, an unreadable file or one that breaks `specs/meta/dialect.schema.json`.
 */
export const loadDialect = (name: string, from: string = process.cwd()): Dialect => {
  const isPath = /[/\\]|\.ya?ml$|\.json$/.test(name)
  const file = isPath ? (isAbsolute(name) ? name : resolve(from, name)) : join(folder, `${name}.yaml`)
  if (!existsSync(file)) {
    if (isPath) throw new UsageError(`dialect file ${name} does not exist`)
    throw new UsageError(`unknown dialect ${name}: known are ${knownDialects().join(', ')}${nearest(name, knownDialects())}`)
  }
  let document: unknown
  try {
    document = parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`dialect ${name} is not readable YAML: ${(error as Error).message.split('\n')[0]}`)
  }
  const problems = problemsOf('dialect', document)
  if (problems.length > 0) throw new UsageError(`dialect ${name}: ${problems.join('; ')}`)
  return document as Dialect
}
