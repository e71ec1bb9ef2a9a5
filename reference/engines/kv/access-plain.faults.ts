/** Faults of who may ask: tokens and their carriers, capabilities, verbs, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isKv1, isKv2, isKvRequest, locating, locatingKv, notedOf, noting } from './plain-help.ts'

const core = faultsOf(coreEngine, 'kv')

core.rule(
  'plain-ended-token-reads-on',
  'CORE-AUTH-15',
  'a token that was revoked or has expired still reads what it has asked for before (000 7: 403 wrong credentials; 5.1)',
  noting({
    callerRefused: (original) => {
      const asked = new Set<string>()
      return (given, token, request) => {
        const what = `${given} ${notedOf(request)?.namespaceHeader ?? ''} ${request.path}`
        const isRead = isKvRequest(request) && request.method === 'GET' && given !== undefined
        if (isRead && token) asked.add(what)
        return isRead && asked.has(what) ? undefined : original(given, token, request)
      }
    },
  }),
)

core.rule(
  'plain-put-is-update',
  'CORE-WRITE-01',
  'PUT needs `update` even for a new object, POST needs `create` (000 1.6: PUT and POST are synonyms)',
  noting({
    capabilityGranted: (original) => (granted, needed, call) => {
      const isPut = call !== undefined && (isKv1(call) || isKv2(call)) && notedOf(call)?.method === 'PUT'
      return original(granted, isPut && needed === 'create' ? 'update' : needed, call)
    },
  }),
)

core.rule(
  'plain-denied-may-list',
  'CORE-CAP-17',
  'a policy that denies a directory does not keep from listing it (000 7: 403 no access, or 404)',
  denyOverlooked((call) => call?.method === 'LIST' && (isKv1(call) || isKv2(call))),
)

core.rule(
  'plain-bearer-not-for-writes',
  'CORE-AUTH-07',
  'a bearer token is not accepted for writes and deletions (000 5.1, 2.1: `Authorization: Bearer <token>` is an alternative carrier)',
  noting(bearerIgnored((request) => isKvRequest(request) && ['POST', 'PUT', 'DELETE'].includes(request.method))),
)

core.rule('plain-list-without-token', 'CORE-AUTH-01', 'v1: listings need no token (000 1.3, 5.1: a client token is required; 5.3)', {
  needsToken: (original) => (route) => route?.id !== 'kv1.list' && original(route),
})

core.rule(
  'plain-help-for-anyone',
  'CORE-HELP-05',
  'help is given to callers without any permission on the path (000 1.7: if the caller has permission on the path)',
  noting({ helpAllowed: (original) => (granted) => locatingKv() || original(granted) }),
)

core.rule(
  'plain-grants-in-any-case',
  'CORE-CAP-01',
  'a grant on `App` opens the object `app` too (000 7: 403 no access, or 404)',
  noting({
    patternMatches: (original) => (pattern, path) =>
      locatingKv() ? original(pattern.toLowerCase(), path.toLowerCase()) : original(pattern, path),
  }),
)

core.rule(
  'plain-destroy-by-grant-on-data',
  'CORE-CAP-04',
  'v2: who may update an object under `data/` may destroy its versions without a grant on `destroy/` (000 7: 403 no access; 1.8)',
  noting({
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (locating()?.engine === 'kv2' && original(pattern, path.replace('/destroy/', '/data/'))),
  }),
)

const opened = remembered(() => new Map<string, number>())

core.rule(
  'plain-read-opens-path-for-all',
  'CORE-CAP-05',
  'for some seconds after a permitted read the object is shown to callers who may not read it (000 7: 403 no access, or 404)',
  {
    check: (original) => (call, route) => {
      original(call, route)
      if (route.id === 'kv1.read' || route.id === 'kv2.read') opened(call.services).set(call.mount.namespace + call.path, call.now())
    },
    capabilityGranted: (original) => (granted, needed, call) => {
      if (original(granted, needed, call)) return true
      if (needed !== 'read' || !(isKv1(call) || isKv2(call)) || !call) return false
      return call.now() - (opened(call.services).get(call.mount.namespace + call.path) ?? 0) < 5
    },
  },
)
