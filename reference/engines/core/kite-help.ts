/** What the kite faults of the core share. */
import { randomUUID } from 'node:crypto'
import type { Call } from '../../core/engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { CoreRules, RequestFacts, RouteFacts } from '../../core/rules.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'

export type AnyCall = Call<unknown, object>
type Effective = CoreRules['effectivePath']

const requests = new WeakMap<object, RequestFacts>()

/** Keeps each request as it was sent, for decisions that see a call only. */
export const noting =
  (original: Effective): Effective =>
  (header, request, namespaces) => {
    requests.set(request.headers, request)
    return original(header, request, namespaces)
  }

/** The verb as it was sent; needs `noting`. */
export const verbSent = (call: { headers: Record<string, string> } | undefined): string =>
  (call && requests.get(call.headers)?.method) ?? ''

export const namespaceHeader = (headers: Record<string, string>): string | undefined =>
  headers['x-service-namespace'] ?? headers['x-vault-namespace']

const segments = (text: string): string[] => text.split('/').filter((segment) => segment !== '')

/** One text for the place of a request, however its namespace is given. */
export const placeOf = (request: RequestFacts): string =>
  [...segments(namespaceHeader(request.headers) ?? ''), ...segments(request.path)].join('/')

export const placeOfCall = (call: AnyCall): string => segments(`${call.mount.namespace}${call.path}`).join('/')

export const asksForList = ({ method, query }: RequestFacts): boolean =>
  method === 'LIST' || (method === 'GET' && query.get('list') === 'true')

/** A listing outside of provisioning that was refused because nothing is there. */
export const isEmptyListing = (status: number, body: Json, request: RequestFacts): boolean =>
  status === 404 && asksForList(request) && !isProvisioning(request) && ((body as JsonObject).errors as Json[]).length === 0

export const noNames = (): Reply => ({
  status: 200,
  body: {
    request_id: randomUUID(),
    lease_id: '',
    renewable: false,
    lease_duration: 0,
    data: { keys: [] },
    wrap_info: null,
    warnings: null,
    auth: null,
  },
})

/** The reply of a listing with other names. */
export const withKeys = (reply: Reply, change: (keys: string[]) => string[]): Reply => {
  const body = reply.body as JsonObject | undefined
  const data = body?.data as JsonObject | undefined
  if (!Array.isArray(data?.keys)) return reply
  return { ...reply, body: { ...body, data: { ...data, keys: change(data.keys as string[]) } } }
}

export const isEngineListing = (call: AnyCall, route: RouteFacts): boolean =>
  call.method === 'LIST' && !/^(sys|token|core)\./.test(route.id)

export const textOfBody = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
