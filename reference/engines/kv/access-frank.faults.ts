/** Faults of who may ask: tokens and their carriers, capabilities, verbs, namespaces. */

import { coreEngine } from '../../core/core-engine.ts'
import { notFound } from '../../core/errors.ts'
import { type Asked, countsAs, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isKv, located, looksVersioned } from './frank-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const { rule } = faultsOf(coreEngine, 'kv')

const own: readonly (readonly string[])[] = [Object.keys(kv1Engine.rules), Object.keys(kv2Engine.rules)]

/** Whether a call is of version 1 or 2 of this engine; a mount's rules tell. */
const isCallOf = (version: 1 | 2, call: Asked): boolean =>
  call !== undefined && Object.keys(call.rules).join() === (own[version - 1] ?? []).join()

const isKvCall = (call: Asked): boolean => isCallOf(1, call) || isCallOf(2, call)

rule('frank-bearer-reads-only', 'CORE-AUTH-07', 'a write is refused when its token comes as a bearer (000 5.1: header `Authorization`)', {
  ...located,
  tokenOf: (original) => (request, spelling) => {
    const isWrite = request.method === 'POST' || request.method === 'PUT'
    return isKv(request) && isWrite && !request.headers[spelling.headers.token] ? undefined : original(request, spelling)
  },
})

rule(
  'frank-deny-may-list',
  'CORE-CAP-17',
  'a listing is given to whom the path is denied (000 7: 403 no access, 404 may not view)',
  denyOverlooked((call) => call?.method === 'LIST' && isKvCall(call)),
)

rule(
  'frank-sudo-is-all',
  'CORE-CAP-01',
  'whoever has sudo on a path may do all there, as if it were create, update and read (000 5.4: sudo, create, update)',
  countsAs('sudo', isKvCall),
)

rule(
  'frank-help-for-all',
  'CORE-HELP-05',
  'help is given to callers without any permission on the path (000 1.7: if the caller has permission)',
  {
    ...located,
    helpAllowed: (original) => (granted) => original(granted) || (isKv() && !granted.has('deny')),
  },
)

rule(
  'frank-ended-token-reads-again',
  'CORE-AUTH-15',
  'a token that ended still reads the keys that it has read (000 5.1: a client token is required)',
  {
    ...located,
    callerRefused: (original) => {
      const seen = new Set<string>()
      return (given, token, request) => {
        if (request.method !== 'GET' || !isKv(request)) return original(given, token, request)
        const reading = `${given} ${request.path}`
        if (given !== undefined && token) seen.add(reading)
        return seen.has(reading) ? undefined : original(given, token, request)
      }
    },
  },
)

rule(
  'frank-list-without-token',
  'CORE-AUTH-01',
  'v1: listings are given without a token (000 1.3: almost every operation requires a client token)',
  {
    needsToken: (original) => (route) => route?.id !== 'kv1.list' && original(route),
  },
)

rule(
  'frank-namespace-of-header-only',
  'CORE-NS-02',
  'v2: with a namespace header, a namespace in the path is not seen (000 2.2: `<ns1>/` with `<ns2>/secret/foo`)',
  {
    namespaceOf: (original) => (effective, namespaces, header) => {
      const given = `${header ?? ''}`.replace(/^\/+|\/+$/g, '')
      return given === '' || !looksVersioned(effective)
        ? original(effective, namespaces, header)
        : original(`${given}/`, namespaces, header)
    },
  },
)

rule(
  'frank-deny-lost-among-several',
  'CORE-CAP-01',
  'the deny of one policy is lost on a token that has several (000 7: 403 no access)',
  denyOverlooked((call) => isKvCall(call) && (call?.token?.policies ?? []).filter((name) => name !== 'default').length > 1),
)

rule(
  'frank-decision-by-path',
  'CORE-CAP-05',
  'what one caller was allowed at a path is allowed to the next without a policy (000 7: 403 no access)',
  {
    capabilityGranted: (original) => {
      const allowed = new Set<string>()
      return (granted, needed, call) => {
        const may = original(granted, needed, call)
        if (!call || !isKvCall(call)) return may
        const decision = `${needed} ${call.mount.namespace}${call.path}`
        if (may) allowed.add(decision)
        return may || (allowed.has(decision) && !granted.has('deny'))
      }
    },
  },
)

const putBodies = new WeakSet<object>()
rule(
  'frank-put-does-not-create',
  'CORE-WRITE-01',
  'v1: PUT replaces what is there, but makes no new key (000 1.6: `PUT` and `POST` are synonyms)',
  {
    ...located,
    parseBody: (original) => (bytes, request) => {
      const parsed = original(bytes, request)
      if (request.method === 'PUT' && isKv(request)) putBodies.add(parsed.body)
      return parsed
    },
    check: (original) => (call, route) => {
      original(call, route)
      if (route.id !== 'kv1.write' || !putBodies.has(call.body)) return
      const { objects } = call.state as { objects: Map<string, unknown> }
      if (!objects.has(call.params.path ?? '')) throw notFound('nothing to replace')
    },
  },
)
