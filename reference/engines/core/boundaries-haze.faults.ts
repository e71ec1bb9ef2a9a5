/** Faults of the core conventions: nothing, one, many, the last, the limit. */
import { secret } from '../../core/envelope.ts'
import type { JsonObject } from '../../core/json.ts'
import { isEngineRoute, isProvisioning, withBody } from '../../mutations/request-kinds.ts'
import { isEngineCall, isEngineListing, isListedByGet, listBy, mapArrays, rule, storedKeys, withData, withKeys } from './haze-help.ts'

const blankToken = new WeakSet<object>()

rule(
  'haze-one-operation-404',
  'CORE-STATUS-08',
  'a path with a single operation answers other methods with 404 (000, 7: 405 for an unsupported method)',
  {
    wrongMethodStatus: (original) => (method, routes) => (routes.length === 1 ? 404 : original(method, routes)),
  },
)

rule('haze-limit-30', 'CORE-LIMIT-01', 'bodies above 30 MiB are refused (000, 8: the maximum request size is 32 MB)', {
  requestTooLarge: (original) => (bytes) => bytes > 30 * 1024 * 1024 || original(bytes),
})

rule('haze-single-key-as-text', 'CORE-LIST-03', 'a listing of one name has it as text in data.keys (000, 4.1: an array of strings)', {
  finish: (original) => (call, route, reply) => {
    const given = original(call, route, reply)
    return isEngineListing(route) ? withKeys(given, (keys) => (keys.length === 1 ? (keys[0] ?? '') : keys)) : given
  },
})

rule(
  'haze-one-namespace-in-path',
  'CORE-NS-03',
  'of several namespaces in a path without header only the first counts (000, 2.2: no header with path <ns1>/<ns2>/secret/foo is equivalent)',
  {
    namespaceOf: (original) => (path, namespaces, header) => {
      if (header || isProvisioning({ path })) return original(path, namespaces, header)
      return original(
        path,
        namespaces.filter((namespace) => namespace.split('/').length <= 2),
        header,
      )
    },
  },
)

rule(
  'haze-help-names-itself-absolutely',
  'CORE-HELP-03',
  'help gives the path that was asked for in full, only those below relative to it (000, 1.7: its paths are relative to the queried path)',
  { helpPath: (original) => (relative, queried) => (relative === '/' ? `/${queried}` : original(relative, queried)) },
)

rule(
  'haze-help-of-leaf',
  'CORE-HELP-02',
  'help on a path with nothing below leaves openapi out (000, 1.7: an object with help and openapi)',
  {
    helpBody: (original) => (help, openapi) => {
      const body = original(help, openapi)
      return Object.keys(openapi.paths as JsonObject).length > 1 ? body : { help: body.help ?? help }
    },
  },
)

rule(
  'haze-first-key-is-update',
  ['CORE-CAP-08', 'CORE-CAP-19'],
  'the first key of an empty mount counts as there already, so that writing it needs update (000, 1.6: create and update are told apart by existence)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const isFirst = needed === 'create' && isEngineCall(call) && storedKeys(call)?.length === 0
      return original(granted, isFirst ? 'update' : needed, call)
    },
  },
)

rule(
  'haze-empty-listing-by-get',
  'CORE-LIST-04',
  'an empty listing by GET with list=true answers 200 with no keys (000, 1.5: an empty listing returns 404)',
  {
    check: (original) => (call, route) => {
      original(call, route)
      if (!isEngineListing(route) || !isListedByGet(call)) return
      listBy(call, (names, more, give) => (names.length === 0 ? secret({ keys: [], ...more }) : give(names, more)))
    },
  },
)

rule('haze-blank-token', 'CORE-AUTH-01', 'a token header that is sent empty lets the caller pass (000, 5.1: a client token is required)', {
  tokenOf: (original) => (request, spelling) => {
    const token = original(request, spelling)
    if (token === undefined && request.headers[spelling.headers.token] === '') blankToken.add(request.headers)
    return token
  },
  callerRefused: (original) => (given, token, request) =>
    blankToken.has(request.headers) && !isProvisioning(request) ? undefined : original(given, token, request),
})

rule(
  'haze-listing-with-duration',
  'CORE-ENV-11',
  'a listing shows the default lease time of its mount (000, 2.3: lease_duration is 0 when no lease)',
  {
    finish: (original) => (call, route, reply) => {
      const given = original(call, route, reply)
      if (!isEngineListing(route)) return given
      return withBody(given, (body) => ('lease_duration' in body ? { ...body, lease_duration: call.mount.defaultLeaseTtl } : body))
    },
  },
)

rule(
  'haze-empty-lists-null',
  'PKI-DOMAINS-01',
  'empty lists in what a read shows become null (000, 4.1: the JSON object is stored; 2.5 and 2.7: lists are lists)',
  {
    finish: (original) => (call, route, reply) => {
      const given = original(call, route, reply)
      if (route.method !== 'GET' || !isEngineRoute(route)) return given
      return withData(given, (data) => mapArrays(data, (items) => (items.length === 0 ? null : items)))
    },
  },
)
