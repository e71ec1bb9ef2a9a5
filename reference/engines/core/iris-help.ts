/** What the faults of this label share. */
import type { Call } from '../../core/engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { RequestFacts } from '../../core/rules.ts'

type AnyCall = Call<unknown, object>

export const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Namespace and path of a call. */
export const placeOf = (call: Pick<AnyCall, 'mount' | 'path'>): string => `${call.mount.namespace}${call.path}`

/** Whether a call goes to an engine, not to what sets the service up. */
export const toEngine = (call: Pick<AnyCall, 'path'> | undefined): call is AnyCall =>
  call !== undefined && !/^(sys|auth)(\/|$)/.test(call.path)

export const ownToken = ({ headers }: RequestFacts): string | undefined =>
  headers['x-service-token'] || headers['x-vault-token'] || undefined

export const namespaceHeader = ({ headers }: RequestFacts): string => headers['x-service-namespace'] ?? headers['x-vault-namespace'] ?? ''

/** Whether a request asks for a listing, in either form. */
export const lists = ({ method, query }: RequestFacts): boolean => method === 'LIST' || (method === 'GET' && query.get('list') === 'true')
