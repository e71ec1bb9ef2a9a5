/** What the faults of this label share: a look at JSON values, at named versions, and at the request behind a core decision. */
import type { Json, JsonObject } from '../../core/json.ts'
import type { Mutation } from '../../core/mutation.ts'
import type { CoreRules, RequestFacts } from '../../core/rules.ts'
import type { KeyRecord, Kv2State } from './records.ts'

/** False for exact numbers, which are objects only inside. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype

/** The value with every text in it changed. */
export const mapTexts = (value: Json, change: (text: string) => Json): Json => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change)]))
}

/** The value with every array in it changed, the inner ones first. */
export const mapArrays = (value: Json, change: (items: Json[]) => Json): Json => {
  if (Array.isArray(value)) return change(value.map((item) => mapArrays(item, change)))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapArrays(member, change)]))
}

interface OnKey {
  params: Record<string, string>
  state: Kv2State
}

export const pathOf = (call: Pick<OnKey, 'params'>): string => call.params.path ?? ''

export const recordAt = (call: OnKey): KeyRecord | undefined => call.state.keys.get(pathOf(call))

/** The numbers of versions that a body names. */
export const namedIn = (body: JsonObject): number[] => {
  const { versions } = body
  const items = typeof versions === 'string' ? versions.split(',') : Array.isArray(versions) ? versions : []
  return items.map(Number)
}

/**
 * Tells core decisions which engine a request goes to, and handlers' calls which request they come from.
 * `watch` has the overrides that this needs.
 */
export const watching = () => {
  let current: RequestFacts | undefined
  const types = new WeakMap<RequestFacts, string>()
  const byQuery = new WeakMap<URLSearchParams, RequestFacts>()
  const typeOf = (request: RequestFacts | undefined): string => (request && types.get(request)) ?? ''
  return {
    typeOf,
    /** For decisions that see neither request nor call; good until the request waits for the first time. */
    typeHere: (): string => typeOf(current),
    requestOf: (call: { query: URLSearchParams }): RequestFacts | undefined => byQuery.get(call.query),
    watch: {
      effectivePath: (original) => (header, request, namespaces) => {
        current = request
        byQuery.set(request.query, request)
        return original(header, request, namespaces)
      },
      pathBelow: (original) => (mount, path, type) => {
        if (current) types.set(current, type)
        return original(mount, path, type)
      },
    } satisfies Mutation<CoreRules, unknown>['rules'],
  }
}

/** Whether a type is one of this engine's. */
export const isKv = (type: string): boolean => /^kv[12]$/.test(type)
