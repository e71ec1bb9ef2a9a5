/** What the faults of this label share: where a request went and by which verb, and walks over stored values. */
import type { Json, JsonObject } from '../../core/json.ts'
import type { Mutation } from '../../core/mutation.ts'
import type { CoreRules } from '../../core/rules.ts'

interface Located {
  type: string | undefined
  verb: string
}

const known = new WeakMap<object, Located>()
let latest: Located | undefined

/** Overrides of core rules without which nothing is known of a request. */
export const locating = {
  effectivePath: (original) => (header, request, namespaces) => {
    latest = { type: undefined, verb: request.method }
    // A call carries the same object of headers as the request, so both find the entry.
    known.set(request.headers, latest)
    return original(header, request, namespaces)
  },
  pathBelow: (original) => (mount, path, at) => {
    if (latest) latest.type = at
    return original(mount, path, at)
  },
} satisfies Mutation<CoreRules, unknown>['rules']

interface WithHeaders {
  headers: Record<string, string>
}

/** The type of the mount that a request goes to; empty where it goes to none. */
export const typeOf = (asked: WithHeaders | undefined): string => (asked && known.get(asked.headers)?.type) ?? ''

export const isKv = (asked: WithHeaders | undefined): boolean => typeOf(asked).startsWith('kv')

/** The verb as it was sent. */
export const verbOf = (asked: WithHeaders): string => known.get(asked.headers)?.verb ?? ''

/** The type of the mount of the request that was located last: only good until a request waits. */
export const latestType = (): string => latest?.type ?? ''

/** Exact numbers are objects of a class of their own, and no containers. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && Object.getPrototypeOf(value) === Object.prototype

/** The value with every text, number, flag and null in it changed. */
export const mapLeaves = (value: Json, change: (leaf: Json) => Json): Json => {
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, change))
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapLeaves(member, change)]))
  return change(value)
}

/** The value with every list in it changed, inner ones first. */
export const mapLists = (value: Json, change: (items: Json[]) => Json): Json => {
  if (Array.isArray(value)) return change(value.map((item) => mapLists(item, change)))
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapLists(member, change)]))
  return value
}

/** The directory that a key is in; empty for the root. */
export const parentOf = (key: string): string => key.slice(0, Math.max(0, key.lastIndexOf('/')))
