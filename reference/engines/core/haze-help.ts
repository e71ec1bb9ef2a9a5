/** What the faults of the label haze share. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { CoreRules, RouteFacts } from '../../core/rules.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isEngineRoute, withBody } from '../../mutations/request-kinds.ts'

export const { rule } = faultsOf(coreEngine, 'core')

export type AnyCall = Parameters<CoreRules['check']>[0]

/** A call of an engine, not of the service's own paths. */
export const isEngineCall = (call: AnyCall | undefined): call is AnyCall => call !== undefined && !/^(sys|auth)(\/|$)/.test(call.path)

export const isEngineListing = (route: RouteFacts): boolean => route.method === 'LIST' && isEngineRoute(route)

/** A listing that came as GET with `list=true`. */
export const isListedByGet = (call: AnyCall): boolean => call.method === 'LIST' && call.query.get('list') === 'true'

/** Where a call goes, over all namespaces. */
export const placeOf = (call: AnyCall): string => `${call.mount.namespace}${call.path}`

/** The keys of a key-value mount; undefined for calls of other engines. */
export const storedKeys = ({ state, params }: AnyCall): string[] | undefined => {
  const { objects, keys } = state as { objects?: unknown; keys?: unknown }
  const found = objects ?? keys
  return params.path !== undefined && found instanceof Map ? [...(found.keys() as Iterable<string>)] : undefined
}

/** Makes the handler of this call answer its listing in another way. */
export const listBy = (
  call: AnyCall,
  answer: (names: string[], more: JsonObject | undefined, give: AnyCall['services']['listing']) => Reply,
): void => {
  const give = call.services.listing
  call.services = { ...call.services, listing: (names, more) => answer([...names], more, give) }
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** The reply with another `data`, where it has one. */
export const withData = (reply: Reply, change: (data: JsonObject) => Json): Reply =>
  withBody(reply, (body) => (isObject(body.data) ? { ...body, data: change(body.data) } : body))

/** The reply with other `data.keys`, where it has them. */
export const withKeys = (reply: Reply, change: (keys: string[]) => Json): Reply =>
  withData(reply, (data) => (Array.isArray(data.keys) ? { ...data, keys: change(data.keys as string[]) } : data))

/** A value with every array in it changed. */
export const mapArrays = (value: Json, change: (items: Json[]) => Json): Json => {
  if (Array.isArray(value)) return change(value.map((item) => mapArrays(item, change)))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapArrays(member, change)]))
}

/** What a request sends to say who asks. */
export const credentialsOf = (headers: Record<string, string>): string | undefined =>
  headers['x-service-token'] || headers['x-vault-token'] || headers.authorization
