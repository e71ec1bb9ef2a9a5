/** Faults of the core conventions: who asks, and how. */
import { bearerIgnored, countsAs } from '../../mutations/callers.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isEngineRoute, isWrite } from '../../mutations/request-kinds.ts'
import { isEngineCall, isListedByGet, rule } from './haze-help.ts'

const sentByPut = new WeakSet<object>()

rule(
  'haze-put-is-update',
  'CORE-CAP-19',
  'PUT always needs update, also where it creates (000, 1.6: PUT and POST are synonyms; whether the object exists decides between create and update)',
  {
    parseBody: (original) => (bytes, request) => {
      const parsed = original(bytes, request)
      if (request.method === 'PUT') sentByPut.add(parsed.body)
      return parsed
    },
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'create' && isEngineCall(call) && sentByPut.has(call.body) ? 'update' : needed, call),
  },
)

rule(
  'haze-listing-by-get-needs-read',
  'KV-LIST-09',
  'a listing by GET with list=true needs read, so that list alone does not do (000, 1.5: listing is either the verb LIST or GET with list=true)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'list' && isEngineCall(call) && isListedByGet(call) ? 'read' : needed, call),
  },
)

rule(
  'haze-help-for-any-token',
  'CORE-HELP-05',
  'help is given to every token that is not denied, also without any capability on the path (000, 1.7: if the caller has permission on the path)',
  { helpAllowed: () => (granted) => !granted.has('deny') },
)

rule(
  'haze-help-needs-read',
  'CORE-HELP-08',
  'help needs the capability read, others on the path do not do (000, 1.7: any URL, if the caller has permission on the path)',
  { helpAllowed: (original) => (granted) => original(granted) && granted.has('read') },
)

rule(
  'haze-denied-may-list',
  'CORE-CAP-17',
  'a caller who is denied a path may list it (000, 7: 403 for no access, 404 for who may not view a path)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed, call) || (needed === 'list' && isEngineCall(call) && granted.has('deny')),
  },
)

rule(
  'haze-bearer-does-not-write',
  'CORE-AUTH-07',
  'a bearer token is overlooked on writes (000, 2.1 and 5.1: the token is sent in X-Service-Token or in Authorization as Bearer)',
  bearerIgnored(isWrite),
)

rule(
  'haze-reader-deletes',
  'CORE-CAP-21',
  'who may read a path may delete there, too (000, 7: 403 for no access; 5.4: capabilities decide)',
  countsAs('read', isEngineCall, 'delete'),
)

const writers = remembered(() => new Map<string, string | undefined>())

rule(
  'haze-writer-reads-own',
  'CORE-CAP-05',
  'who wrote an object last may read it without the capability (000, 7: 403 for no access, 404 for who may not view a path)',
  {
    finish: (original) => (call, route, reply) => {
      if (route.method === 'POST' && isEngineRoute(route)) writers(call.state as object).set(call.path, call.token?.id)
      return original(call, route, reply)
    },
    capabilityGranted: (original) => (granted, needed, call) => {
      if (original(granted, needed, call)) return true
      if (needed !== 'read' || !isEngineCall(call) || call.token === undefined || granted.has('deny')) return false
      return writers(call.state as object).get(call.path) === call.token.id
    },
  },
)

let listedByGet = false

rule(
  'haze-listing-by-get-without-token',
  'CORE-CAP-14',
  'a listing by GET with list=true is answered without a token (000, 5.1: a client token is required on almost every operation)',
  {
    isListing: (original) => (method, query) => {
      const isListing = original(method, query)
      listedByGet = isListing && method === 'GET'
      return isListing
    },
    needsToken: (original) => (route) =>
      original(route) && !(listedByGet && route !== undefined && isEngineRoute(route) && route.method === 'LIST'),
  },
)
