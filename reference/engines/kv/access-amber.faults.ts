/** Faults of who may ask: tokens and their carriers, capabilities, verbs, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { parseExact } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isKv, watching } from './amber-help.ts'
import type { Kv1State } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const two = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

/** The namespace of a request has to be known before its mount is: paths that only version 2 has. */
const VERSIONED_PATH = /^[^/]+\/(data|metadata|delete|undelete|destroy)(\/|$)/

const bearer = watching()
core.rule(
  'amber-bearer-not-for-put',
  'KV-V2-01',
  'a PUT knows the token of its own header only (000 5.1: or in `Authorization` as `Bearer <token>`)',
  {
    ...bearer.watch,
    tokenOf: (original) => (request, spelling) => {
      const isPut = request.method === 'PUT' && isKv(bearer.typeOf(request))
      return isPut && !request.headers[spelling.headers.token] ? undefined : original(request, spelling)
    },
  },
)

const listed = watching()
core.rule(
  'amber-wrong-token-lists-by-get',
  'CORE-AUTH-03',
  'GET with list=true takes any token that is not known (000 7: 403 wrong credentials)',
  {
    ...listed.watch,
    callerRefused: (original) => (given, token, request) => {
      const listsByGet = request.method === 'GET' && request.query.get('list') === 'true' && isKv(listed.typeOf(request))
      return listsByGet && given !== undefined ? undefined : original(given, token, request)
    },
  },
)

const helped = watching()
core.rule(
  'amber-help-for-denied',
  'CORE-HELP-05',
  'help is given on paths that are denied (000 1.7: if the caller has permission on the path)',
  {
    ...helped.watch,
    helpAllowed: (original) => (granted) => (isKv(helped.typeHere()) && granted.has('deny')) || original(granted),
  },
)

const putting = watching()
core.rule(
  'amber-put-is-update',
  'CORE-WRITE-01',
  'a PUT asks for `update` even where it creates (000 1.6: PUT and POST are synonyms; create and update)',
  {
    ...putting.watch,
    capabilityGranted: (original) => (granted, needed, call) => {
      const request = call && putting.requestOf(call)
      const isPut = request?.method === 'PUT' && isKv(putting.typeOf(request))
      return original(granted, isPut && needed === 'create' ? 'update' : needed, call)
    },
  },
)

two.rule(
  'amber-one-version-does-not-exist',
  'CORE-CAP-07',
  'the second write of a key still asks for `create` (000 1.6: existence check, create or update)',
  {
    exists: (original) => (record) => original(record) && (record?.current ?? 0) !== 1,
  },
)

const destroying = watching()
core.rule('amber-deny-not-for-destroy', 'CORE-CAP-04', 'destroy/ is open to those who are denied there (000 5.4, 7: 403 forbidden)', {
  ...destroying.watch,
  capabilityGranted: (original) => (granted, needed, call) => {
    const isDestroy =
      call !== undefined &&
      destroying.typeOf(destroying.requestOf(call)) === 'kv2' &&
      call.path.slice(call.mount.path.length).startsWith('destroy/')
    return (isDestroy && granted.has('deny')) || original(granted, needed, call)
  },
})

const matched = watching()
core.rule(
  'amber-exact-policy-as-prefix',
  'CORE-CAP-01',
  'a policy on one key opens the keys whose names begin with it (000 7: 403 no access; 404 may not view)',
  {
    ...matched.watch,
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (matched.typeHere() === 'kv2' && !/[*+]|\/$/.test(pattern) && path.startsWith(pattern)),
  },
)

const revoked = watching()
core.rule(
  'amber-revoked-token-reads-again',
  'CORE-AUTH-15',
  'a revoked token still reads the keys that it has read (000 5.1: a client token is required)',
  {
    ...revoked.watch,
    callerRefused: (original) => {
      const known = new Set<string>()
      return (given, token, request) => {
        if (request.method !== 'GET' || !isKv(revoked.typeOf(request))) return original(given, token, request)
        const use = `${given} ${request.headers['x-service-namespace'] ?? ''} ${request.path}`
        if (token) known.add(use)
        return known.has(use) ? undefined : original(given, token, request)
      }
    },
  },
)

const early = watching()
core.rule(
  'amber-stored-before-refused',
  'CORE-CAP-04',
  'a write that a reader is refused is stored all the same (000 7: 403 forbidden; 1.6: update)',
  {
    ...early.watch,
    capabilityGranted: (original) => (granted, needed, call) => {
      const isGranted = original(granted, needed, call)
      if (isGranted || needed !== 'update' || !call || early.typeOf(early.requestOf(call)) !== 'kv1') return isGranted
      if (granted.has('read')) (call.state as Kv1State).objects.set(call.params.path ?? '', parseExact(call.text))
      return false
    },
  },
)

const seen = watching()
core.rule(
  'amber-once-allowed-always',
  'CORE-CAP-21',
  'a token that was let in at a key may do anything there (000 1.6: capabilities create and update)',
  {
    ...seen.watch,
    capabilityGranted: (original) => {
      const byToken = remembered(() => new Set<string>())
      return (granted, needed, call) => {
        const isGranted = original(granted, needed, call)
        if (!call?.token || !isKv(seen.typeOf(seen.requestOf(call)))) return isGranted
        const known = byToken(call.token)
        const path = call.mount.namespace + call.path
        if (isGranted) known.add(path)
        return isGranted || (!granted.has('deny') && known.has(path))
      }
    },
  },
)

core.rule(
  'amber-last-namespace-only',
  'CORE-NS-01',
  'of a header that names two namespaces only the last counts (000 2.2: <ns1>/<ns2>/ with secret/foo)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const last = header?.split('/').findLast((segment) => segment !== '')
      return original(VERSIONED_PATH.test(request.path) ? last : header, request, namespaces)
    },
  },
)

core.rule(
  'amber-list-without-namespace',
  'CORE-NS-07',
  'the verb LIST overlooks the namespace header (000 2.2: header followed by the request path)',
  {
    effectivePath: (original) => (header, request, namespaces) =>
      original(request.method === 'LIST' && VERSIONED_PATH.test(request.path) ? undefined : header, request, namespaces),
  },
)
