/** Words that the faults of the conventions of all requests share: what was sent, what a request is about, and changes of answers. */
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { CoreRules, RequestFacts, RouteFacts } from '../../core/rules.ts'
import { isEngineRoute, isProvisioning, withBody } from '../../mutations/request-kinds.ts'

export type AnyCall = Parameters<CoreRules['finish']>[0]

const requests = new WeakMap<object, RequestFacts>()

/** Notes each request, so that later rules know the verb and the path that were sent. */
export const noting = {
  effectivePath:
    (original: CoreRules['effectivePath']): CoreRules['effectivePath'] =>
    (header, facts, namespaces) => {
      requests.set(facts.headers, facts)
      return original(header, facts, namespaces)
    },
}

/** The verb that a request was sent with, where `noting` is on. */
export const verbOf = (call: AnyCall): string => requests.get(call.headers)?.method ?? call.method

/** A request of an engine, not of what sets it up. */
export const isOrdinary = (call: AnyCall, route: RouteFacts): boolean => isEngineRoute(route) && !/^(sys|auth)\//.test(call.path)

/** The namespace and the path of an object. */
export const placeOf = (call: AnyCall): string => `${call.mount.namespace}${call.path}`

export const asksList = (request: RequestFacts): boolean =>
  (request.method === 'LIST' || request.query.get('list') === 'true') && !isProvisioning(request)

/** Another last word on answers of engines. */
export const answering = (
  where: (call: AnyCall, reply: Reply) => boolean,
  change: (reply: Reply, call: AnyCall) => Reply,
): { finish: (original: CoreRules['finish']) => CoreRules['finish'] } => ({
  finish: (original) => (call, route, reply) => {
    const given = original(call, route, reply)
    return isOrdinary(call, route) && where(call, given) ? change(given, call) : given
  },
})

/** Another envelope of answers of engines: of those with `lease_id`. */
export const enveloped = (where: (call: AnyCall, body: JsonObject) => boolean, change: (body: JsonObject, call: AnyCall) => JsonObject) =>
  answering(
    (call, { body }) => typeof body === 'object' && body !== null && 'lease_id' in body && where(call, body as JsonObject),
    (reply, call) => withBody(reply, (body) => change(body, call)),
  )

/** Other keys of listings. */
export const listed = (change: (keys: Json[], call: AnyCall) => Json, where: (call: AnyCall) => boolean = () => true) =>
  enveloped(
    (call) => call.method === 'LIST' && where(call),
    (body, call) => {
      const data = body.data as JsonObject
      return { ...body, data: { ...data, keys: Array.isArray(data.keys) ? change(data.keys, call) : (data.keys ?? null) } }
    },
  )

/** Another answer to refused requests, those that set up things aside. */
export const refusing = (
  where: (status: number, request: RequestFacts) => boolean,
  change: (reply: Reply, request: RequestFacts) => Reply,
): { failure: (original: CoreRules['failure']) => CoreRules['failure'] } => ({
  failure: (original) => (status, body, request) => {
    const given = original(status, body, request)
    return !isProvisioning(request) && where(status, request) ? change(given, request) : given
  },
})

/** Whether the object that a write names is there; undefined where an engine does not tell at once. */
export const isThere = (call: AnyCall, route: RouteFacts): boolean | undefined => {
  const { exists } = route as RouteFacts & { exists?: (call: AnyCall) => boolean | Promise<boolean> }
  const there = exists?.(call)
  return typeof there === 'boolean' ? there : undefined
}

/** Another body than the one that was sent; the text is what is stored verbatim. */
export const bodyText = (
  where: (request: RequestFacts) => boolean,
  change: (text: string) => string,
): { parseBody: (original: CoreRules['parseBody']) => CoreRules['parseBody'] } => ({
  parseBody: (original) => (bytes, request) =>
    isProvisioning(request) || bytes.length === 0 || bytes.length > 1_000_000 || !where(request)
      ? original(bytes, request)
      : original(new TextEncoder().encode(change(new TextDecoder().decode(bytes))), request),
})
