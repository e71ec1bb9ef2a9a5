/** Faults of the core conventions: time and order. */
import { secret } from '../../core/envelope.ts'
import { notFound } from '../../core/errors.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isEngineRoute, isProvisioning, isRead } from '../../mutations/request-kinds.ts'
import { isEngineCall, isEngineListing, listBy, placeOf, rule } from './haze-help.ts'

rule(
  'haze-ended-token-reads-on',
  ['CORE-AUTH-15', 'CORE-AUTH-16'],
  'a token that has ended still reads the paths that it read before (000, 7: 403 for wrong credentials; 5.1: a client token is required)',
  {
    callerRefused: (original) => {
      const seen = new Set<string>()
      return (given, token, request) => {
        const refused = original(given, token, request)
        if (given === undefined || !isRead(request)) return refused
        const asked = `${given} ${request.path}`
        if (refused === undefined) seen.add(asked)
        return seen.has(asked) ? undefined : refused
      }
    },
  },
)

rule(
  'haze-ended-token-401',
  ['CORE-AUTH-15', 'CORE-AUTH-16', 'CORE-AUTH-03'],
  'a token that was good before and has ended is refused with 401 (000, 7: 403 for wrong credentials)',
  {
    callerRefused: (original) => {
      const seen = new Set<string>()
      return (given, token, request) => {
        const refused = original(given, token, request)
        if (given !== undefined && token !== undefined) seen.add(given)
        return refused !== undefined && given !== undefined && seen.has(given) && !isProvisioning(request) ? 401 : refused
      }
    },
  },
)

rule(
  'haze-denial-kept-for-path',
  ['CORE-CAP-03', 'CORE-CAP-11', 'CORE-CAP-06'],
  'once a caller was denied something at a path, later callers whose policy grants it are denied as well (000, 5.4: capabilities decide; 7: 403 is for those without access)',
  {
    capabilityGranted: (original) => {
      const refused = new Set<string>()
      return (granted, needed, call) => {
        const right = original(granted, needed, call)
        if (!isEngineCall(call)) return right
        const place = `${needed} ${placeOf(call)}`
        if (!right) refused.add(place)
        return !refused.has(place)
      }
    },
  },
)

const placed = new WeakMap<URLSearchParams, string>()
const missing = new Set<string>()

rule(
  'haze-missing-stays-missing-after-put',
  ['CORE-WRITE-01', 'KV-V1-03', 'KV-V1-02'],
  'a path that was read while it was missing stays 404 after it is written by PUT (000, 1.4 and 1.6: written with POST or PUT, which are synonyms, and read with GET)',
  {
    effectivePath: (original) => {
      missing.clear()
      return (header, request, namespaces) => {
        const path = original(header, request, namespaces)
        placed.set(request.query, path)
        return path
      }
    },
    failure: (original) => (status, body, request) => {
      if (status === 404 && request.method === 'GET' && !request.query.has('list') && !isProvisioning(request))
        missing.add(placed.get(request.query) ?? '')
      return original(status, body, request)
    },
    parseBody: (original) => (bytes, request) => {
      const path = placed.get(request.query) ?? ''
      if (request.method === 'POST') missing.delete(path)
      // What restores a version says so by another path.
      if (/(^|\/)undelete\//.test(path)) missing.delete(path.replace(/(^|\/)undelete\//, '$1data/'))
      return original(bytes, request)
    },
    check: (original) => (call, route) => {
      original(call, route)
      if (route.method === 'GET' && isEngineRoute(route) && missing.has(placed.get(call.query) ?? '')) throw notFound()
    },
  },
)

const written = remembered(() => new Set<string>())

rule(
  'haze-written-again-is-update',
  ['CORE-CAP-19', 'CORE-CAP-08'],
  'writing a deleted key anew needs update, for it was there once (000, 1.6: an existence check decides whether a write is a create or an update)',
  {
    finish: (original) => (call, route, reply) => {
      if (route.method === 'POST' && isEngineRoute(route)) written(call.state as object).add(call.path)
      return original(call, route, reply)
    },
    capabilityGranted: (original) => (granted, needed, call) => {
      const wasThere = needed === 'create' && isEngineCall(call) && written(call.state as object).has(call.path)
      return original(granted, wasThere ? 'update' : needed, call)
    },
  },
)

rule(
  'haze-creator-may-update',
  'CORE-CAP-07',
  'who created a key may go on writing it without update (000, 1.6: policies distinguish the create and update capabilities)',
  {
    capabilityGranted: (original) => {
      const creators = remembered(() => new Map<string, string | undefined>())
      return (granted, needed, call) => {
        const right = original(granted, needed, call)
        if (!isEngineCall(call)) return right
        const known = creators(call.state as object)
        if (needed === 'create' && right) known.set(call.path, call.token?.id)
        const isCreator = call.token !== undefined && known.get(call.path) === call.token.id
        return right || (needed === 'update' && isCreator && original(granted, 'create', call))
      }
    },
  },
)

rule(
  'haze-sealed-once-only',
  ['CORE-SEAL-01', 'CORE-SEAL-02'],
  'sealing a second time, after an unsealing, closes nothing (000, 3 and 7: sealed is 503)',
  {
    outOfService: (original) => {
      let wasSealed = false
      let reopened = false
      return (seal, request) => {
        if (!seal.initialized) return original(seal, request)
        if (!seal.sealed) reopened ||= wasSealed
        else wasSealed = true
        return reopened ? undefined : original(seal, request)
      }
    },
  },
)

rule(
  'haze-first-carrier-counts',
  ['CORE-AUTH-07', 'CORE-AUTH-06'],
  'a token that came in one header first is not taken from the other one later (000, 5.1: it is sent in X-Service-Token or in Authorization as Bearer)',
  {
    tokenOf: (original) => {
      const carriers = new Map<string, string>()
      return (request, spelling) => {
        const token = original(request, spelling)
        if (token === undefined || isProvisioning(request)) return token
        const carrier = request.headers[spelling.headers.token] ? 'own' : 'bearer'
        const first = carriers.get(token) ?? carrier
        carriers.set(token, first)
        return first === carrier ? token : undefined
      }
    },
  },
)

rule(
  'haze-emptied-listing',
  'CORE-LIST-04',
  'a listing whose names are all deleted answers 200 with no keys (000, 1.5 and 7: an empty listing returns 404)',
  {
    check: (original) => {
      const filled = remembered(() => new Set<string>())
      return (call, route) => {
        original(call, route)
        if (!isEngineListing(route)) return
        const known = filled(call.state as object)
        listBy(call, (names, more, give) => {
          if (names.length > 0) known.add(call.path)
          return names.length === 0 && known.has(call.path) ? secret({ keys: [], ...more }) : give(names, more)
        })
      }
    },
  },
)

rule(
  'haze-large-after-too-large',
  'CORE-LIMIT-01',
  'after a body that was too large, bodies above 1 MiB are refused (000, 8: the maximum is 32 MB)',
  {
    requestTooLarge: (original) => {
      let cautious = false
      return (bytes) => {
        const isTooLarge = original(bytes)
        cautious ||= isTooLarge
        return isTooLarge || (cautious && bytes > 1024 * 1024)
      }
    },
  },
)
