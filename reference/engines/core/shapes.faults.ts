/** Faults of what answers and listings hold at their edges. */

import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isEngineRoute, withBody } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine)

const withData = (body: JsonObject, change: (data: JsonObject) => JsonObject): JsonObject => {
  const { data } = body
  return data !== null && typeof data === 'object' && !Array.isArray(data) ? { ...body, data: change(data) } : body
}

const isPlainNull = (member: Json): boolean => member === null

rule('boundary-thirty-megabytes', 'CORE-LIMIT-01', 'requests above 30 MiB are refused', {
  requestTooLarge: () => (bytes) => bytes > 30 * 1024 * 1024,
})
rule('boundary-errors-null', 'CORE-ERROR-01', 'an error without messages has null for errors', {
  errorBody: (original) => (messages) => (messages.length === 0 ? { errors: null } : original(messages)),
})
rule('boundary-list-case-variants', ['KV-LIST-01', 'KV-LIST-09'], 'a listing shows names that differ in case once', {
  finish: (original) => (call, route, reply) =>
    route.method !== 'LIST' || !isEngineRoute(route)
      ? original(call, route, reply)
      : withBody(original(call, route, reply), (body) =>
          withData(body, (data) => {
            const names = Array.isArray(data.keys) ? data.keys.map(String) : []
            const lower = names.map((name) => name.toLowerCase())
            return { ...data, keys: names.filter((name, index) => lower.indexOf(name.toLowerCase()) === index) }
          }),
        ),
})
rule('shape-null-absent', 'KV-V1-06', 'members of data that are null are left out', {
  finish: (original) => (call, route, reply) =>
    isEngineRoute(route) && route.method === 'GET'
      ? withBody(original(call, route, reply), (body) =>
          withData(body, (data) => Object.fromEntries(Object.entries(data).filter(([, member]) => !isPlainNull(member)))),
        )
      : original(call, route, reply),
})
rule('shape-list-lease-null', 'CORE-ENV-03', 'the lease of a listing is null', {
  finish: (original) => (call, route, reply) => {
    const finished = original(call, route, reply)
    return isEngineRoute(route) && route.method === 'LIST' ? withBody(finished, (body) => ({ ...body, lease_id: null })) : finished
  },
})
rule('shape-wrong-method-text', 'CORE-MEDIA-01', 'the refusal of a method is sent as text', {
  failure: (original) => (status, body, request) =>
    status === 405
      ? { status, raw: { contentType: 'text/plain', bytes: Buffer.from(JSON.stringify(body)) } }
      : original(status, body, request),
})
rule('shape-plus-is-blank', ['KV-LIST-01', 'KV-LIST-09', 'KV-V1-01'], 'a plus in a path is taken for a blank', {
  pathBelow: (original) => (mount, path, type) => original(mount, path, type).replaceAll('+', ' '),
})
