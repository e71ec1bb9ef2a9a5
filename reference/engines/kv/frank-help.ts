/** What several faults of this engine share. */

import type { Json, JsonObject } from '../../core/json.ts'
import type { CoreRules } from '../../core/rules.ts'

type Located = { [Name in 'effectivePath' | 'pathBelow']: (original: CoreRules[Name]) => CoreRules[Name] }

let routed: object | undefined
const types = new WeakMap<object, string>()

/** To be spread into rules of the core that have to know whether a request is this engine's: a request is located without a pause. */
export const located: Located = {
  effectivePath: (original) => (header, request, namespaces) => {
    routed = request
    return original(header, request, namespaces)
  },
  pathBelow: (original) => (mount, path, type) => {
    if (routed) types.set(routed, type)
    return original(mount, path, type)
  },
}

/** Whether a request is this engine's; without one, the request that was located last. */
export const isKv = (request: object | undefined = routed): boolean => /^kv[12]$/.test((request && types.get(request)) ?? '')

/** Whether a path has the form of version 2, for decisions that come before the mount is known. */
export const looksVersioned = (path: string): boolean =>
  !/(^|\/)(sys|auth)\//.test(path) && /\/(data|metadata|delete|undelete|destroy)\//.test(path)

/** Whether a stored value is an object; exact numbers are none. */
export const hasMembers = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** A stored value with every value in it changed, the inner ones first; the outermost has depth 0. */
export const deeply = (value: Json, change: (value: Json, depth: number) => Json, depth = 0): Json => {
  const inner = Array.isArray(value)
    ? value.map((item) => deeply(item, change, depth + 1))
    : hasMembers(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, deeply(member, change, depth + 1)]))
      : value
  return change(inner, depth)
}

/** The numbers that a request names under `versions`. */
export const namedVersions = ({ versions }: JsonObject): number[] => {
  const items = typeof versions === 'string' ? versions.split(',') : Array.isArray(versions) ? versions : []
  return items.map(Number)
}
