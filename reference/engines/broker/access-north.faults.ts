/** Faults of who may ask: tokens and their carriers, verbs, capabilities, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import { anyoneMay, bearerIgnored, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { here, isBroker, noticing, toBroker } from './north-help.ts'
import type { BrokerState } from './state.ts'

const { rule } = faultsOf(coreEngine, 'broker')

rule(
  'north-deletion-without-token',
  'CORE-AUTH-01',
  'a role is deleted without any token (000 5.1: a client token is required; 001: all endpoints)',
  {
    needsToken: (original) => (asked) => original(asked) && asked?.id !== 'broker.deleteRole',
  },
)

rule(
  'north-bearer-ignored-by-configuration',
  'CORE-AUTH-07',
  'config/connection and config/lease take a token from the own header only (000 5.1: or in header Authorization as Bearer)',
  { ...noticing, ...bearerIgnored(({ path }) => here() && /(^|\/)config\/[^/]+$/.test(path)) },
)

rule(
  'north-ended-token-still-reads-roles',
  'CORE-AUTH-15',
  'a token with which a role was read is good for reading it after its end (000 5.1: a client token is required; 7: 403)',
  { ...noticing, ...goodForEver(({ method, path }) => here() && method === 'GET' && /(^|\/)roles\/[^/]+$/.test(path)) },
)

const putting = new WeakSet<object>()
rule('north-put-only-creates', 'CORE-WRITE-01', 'PUT of a role that exists is refused (000 1.6: PUT and POST are synonyms)', {
  effectivePath: (original) => (header, request, namespaces) => {
    if (request.method === 'PUT') putting.add(request.headers)
    return original(header, request, namespaces)
  },
  check: (original) => (call, asked) => {
    original(call, asked)
    const isThere = asked.id === 'broker.writeRole' && (call.state as BrokerState).roles.has(call.params.name ?? '')
    if (isThere && putting.has(call.headers)) throw invalid('the role exists')
  },
})

rule(
  'north-deny-not-for-deletion',
  'CORE-CAP-18',
  'who is denied a role may delete it (000 7: 403 forbidden, no access)',
  denyOverlooked((call) => isBroker(call) && call.method === 'DELETE'),
)

rule(
  'north-role-right-gives-users',
  'CORE-CAP-01',
  'who may read a role may get its credentials, too (000 7: 403 forbidden, 404 when the caller may not view a path)',
  {
    ...noticing,
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (here() && original(pattern, path.replace(/(^|\/)creds(\/[^/]+)$/, '$1roles$2'))),
  },
)

rule(
  'north-roles-read-by-anyone',
  'CORE-CAP-14',
  'every token reads the roles that no policy denies it (000 7: 403 forbidden, 404 when the caller may not view a path)',
  anyoneMay((call) => isBroker(call) && call.method === 'GET' && call.path.startsWith(`${call.mount.path}roles/`)),
)

const welcome = remembered(() => new Set<string>())
rule(
  'north-once-allowed-always-allowed',
  'CORE-CAP-21',
  'a token that was let through once at a mount may do everything there (000 7: 403 forbidden, no access)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const isGranted = original(granted, needed, call)
      if (!isBroker(call) || granted.has('deny')) return isGranted
      const known = welcome(call.services)
      const caller = `${call.token?.accessor} ${call.mount.namespace}${call.mount.path}`
      if (isGranted) known.add(caller)
      return known.has(caller)
    },
  },
)

let header: string | undefined
rule(
  'north-namespace-by-header-only',
  'CORE-NS-03',
  'a broker in a namespace is not found where the path alone names that (000 2.2: equivalent to no header with path ns1/ns2/secret/foo)',
  {
    effectivePath: (original) => (given, request, namespaces) => {
      header = given
      return original(given, request, namespaces)
    },
    mountsSeen: (original) => (all, namespace) =>
      original(all, namespace).filter(({ engine }) => engine.type !== 'broker' || namespace === '' || Boolean(header)),
  },
)

rule(
  'north-help-for-writers-only',
  'CORE-HELP-08',
  'a caller who may read but not update a path gets no help there (000 1.7: help if the caller has permission on the path)',
  {
    ...noticing,
    helpAllowed: (original) => (granted) => original(granted) && (!here() || granted.has('update') || granted.has('create')),
  },
)

rule('north-wrong-token-401', 'CORE-AUTH-03', 'a wrong token is refused with 401 (000 7: 403 forbidden, wrong credentials)', {
  ...noticing,
  callerRefused: (original) => (given, token, request) => {
    const status = original(given, token, request)
    return status === 403 && given !== undefined && toBroker(request) ? 401 : status
  },
})
