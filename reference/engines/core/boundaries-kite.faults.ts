/** Faults of the conventions at the edges: nothing, one, many, the limit. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { RouteFacts } from '../../core/rules.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { isEmptyListing, isEngineListing, namespaceHeader, noNames, textOfBody, withKeys } from './kite-help.ts'

const { rule } = faultsOf(coreEngine, 'core')

rule(
  'kite-put-megabyte',
  'CORE-LIMIT-01',
  'a body sent with PUT may have 1 MB only (000, 8: maximum request size 32 MB; 1.6: PUT and POST are synonyms)',
  {
    parseBody: (original) => (bytes, request) => {
      if (request.method === 'PUT' && bytes.length > 1024 * 1024) throw new ApiError(413, 'request body too large')
      return original(bytes, request)
    },
  },
)

rule(
  'kite-empty-in-namespace',
  'CORE-LIST-04',
  'an empty listing in a namespace named by the header answers 200 without names (000, 1.5: an empty listing returns 404)',
  {
    failure: (original) => (status, body, request) =>
      isEmptyListing(status, body, request) && namespaceHeader(request.headers) ? noNames() : original(status, body, request),
  },
)

rule(
  'kite-period-delete',
  'CORE-PERIOD-01',
  'a path parameter that ends in a period is let through in DELETE (000, 2.1: a path parameter must not end in a period; otherwise the response is 404)',
  {
    pathParameterAllowed: () => () => true,
    check: (original) => (call, route) => {
      original(call, route)
      const { path } = route as RouteFacts & { path: string }
      const ends = Object.entries(call.params).some(([name, value]) => path.includes(`:${name}`) && value.endsWith('.'))
      if (ends && call.method !== 'DELETE') throw new ApiError(404, 'unsupported path: a path parameter must not end in a period')
    },
  },
)

const insteadOfInvalid = (
  bytes: Uint8Array,
  taken: (value: Json) => JsonObject | undefined,
): { text: string; body: JsonObject } | undefined => {
  try {
    const value = JSON.parse(textOfBody(bytes)) as Json
    const body = taken(value)
    return body && { text: JSON.stringify(body), body }
  } catch {
    return undefined
  }
}

rule(
  'kite-array-of-one',
  'CORE-BODY-05',
  'a body that is an array of one object passes for that object (000, 4.1: JSON object body; 7: 400 invalid data)',
  {
    parseBody: (original) => (bytes, request) => {
      const single = isProvisioning(request)
        ? undefined
        : insteadOfInvalid(bytes, (value) => {
            const [first] = Array.isArray(value) && value.length === 1 ? value : []
            return first !== null && typeof first === 'object' && !Array.isArray(first) ? first : undefined
          })
      return single ?? original(bytes, request)
    },
  },
)

rule(
  'kite-long-names',
  'CORE-LIST-01',
  'names of more than 64 characters are cut to 64 in a listing (000, 1.5: returns the keys at the path)',
  {
    finish: (original) => (call, route, reply) => {
      const given = original(call, route, reply)
      return isEngineListing(call, route) ? withKeys(given, (keys) => keys.map((key) => [...key].slice(0, 64).join(''))) : given
    },
  },
)
