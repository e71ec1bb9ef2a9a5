/** Faults of who may ask: tokens and their carriers, verbs, capabilities, policies, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { bearerIgnored, countsAs, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { atKeys } from './dawn-help.ts'
import type { ManagedKeysState } from './state.ts'

const { rule } = faultsOf(coreEngine, 'managed-keys')

const isTest = ({ path }: { path: string }): boolean => atKeys({ path }) && path.endsWith('/test/sign')

rule('dawn-test-without-token', 'CORE-AUTH-01', 'a test is done for callers without a token (000 5.1: a client token is required)', {
  callerRefused: (original) => (given, token, request) =>
    given === undefined && isTest(request) ? undefined : original(given, token, request),
})

rule(
  'dawn-delete-ignores-bearer',
  'CORE-AUTH-07',
  'a deletion takes the token from the service header only (000 5.1: or in header Authorization)',
  bearerIgnored((request) => request.method === 'DELETE' && atKeys(request)),
)

rule(
  'dawn-revoked-still-reads',
  'CORE-AUTH-15',
  'a token that has read a key reads on after its revocation (000 7: 403, wrong credentials; 5.1)',
  {
    callerRefused: (original) => {
      const seen = new Set<string>()
      return (given, token, request) => {
        if (given === undefined || request.method !== 'GET' || !atKeys(request)) return original(given, token, request)
        if (token !== undefined) seen.add(given)
        return seen.has(given) ? undefined : original(given, token, request)
      }
    },
  },
)

rule(
  'dawn-listing-despite-deny',
  'CORE-CAP-17',
  'deny on a type does not keep its keys from being listed (000 7: 403, no access)',
  denyOverlooked((call) => call?.method === 'LIST' && atKeys(call)),
)

rule(
  'dawn-policy-of-a-shorter-name',
  'CORE-CAP-01',
  'a policy for one key holds for keys whose names begin with its name (000 7: 403, no access)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      (/(^|\/)sys\/managed-keys\/[^/*+]+\/[^/*+]+$/.test(pattern) && path.startsWith(pattern) && !path.slice(pattern.length).includes('/')),
  },
)

// Both rules run before a request waits for anything, so that the header is that of the request in hand.
let carried = false
const noteHeader = (header: string | undefined): void => {
  carried = (header ?? '').replaceAll('/', '') !== ''
}

rule(
  'dawn-restricted-by-header-only',
  'MANAGED-KEYS-NS-02',
  'a namespace in the path is not kept from managed keys as one in the header is (000 5.5: root or administrative only; 2.2: equivalent)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      noteHeader(header)
      return original(header, request, namespaces)
    },
    servesSystemPath: (original) => (namespace, administrative) => original(namespace, administrative) || !carried,
  },
)

const putBodies = new WeakSet<JsonObject>()

rule(
  'dawn-put-asks-no-capability',
  'CORE-CAP-04',
  'a PUT asks for no capability but only that nothing is denied (000 1.6: PUT and POST are synonyms)',
  {
    parseBody: (original) => (bytes, request) => {
      const parsed = original(bytes, request)
      if (request.method === 'PUT' && atKeys(request)) putBodies.add(parsed.body)
      return parsed
    },
    capabilityGranted: (original) => (granted, needed, call) =>
      (call !== undefined && putBodies.has(call.body) && !granted.has('deny')) || original(granted, needed, call),
  },
)

let isHere = false

rule(
  'dawn-help-for-everybody',
  'CORE-HELP-05',
  'help is given to tokens without any permission on the path (000 1.7: if the caller has permission)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      isHere = atKeys(request)
      return original(header, request, namespaces)
    },
    helpAllowed: (original) => (granted) => isHere || original(granted),
  },
)

rule('dawn-deleted-before-the-check', 'CORE-CAP-21', 'a deletion that policy refuses has deleted the key (000 7: 403, forbidden)', {
  capabilityGranted: (original) => (granted, needed, call) => {
    const isGranted = original(granted, needed, call)
    if (isGranted || call?.method !== 'DELETE' || !atKeys(call)) return isGranted
    const keys = (call.state as ManagedKeysState).namespaces.get(call.mount.namespace)
    const name = call.params.name ?? ''
    if (keys?.get(name)?.kind === call.params.type) keys?.delete(name)
    return false
  },
})

rule(
  'dawn-readers-write',
  'CORE-CAP-04',
  'whoever may read a key may write it (000 1.6: policies distinguish create and update)',
  countsAs('read', (call) => call?.method === 'POST' && atKeys(call) && !isTest(call)),
)

let prefix = ''

rule(
  'dawn-administrative-by-header-only',
  'MANAGED-KEYS-NS-01',
  'the administrative namespace is known by the header only, not by the path (000 2.2: equivalent to no header; 5.5)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      prefix = header ?? ''
      return original(header, request, namespaces)
    },
    servesSystemPath: (original) => (namespace, administrative) =>
      original(namespace, administrative) && (namespace === '' || prefix !== ''),
  },
)

rule(
  'dawn-help-without-token',
  'CORE-HELP-05',
  'help is given to callers without a token (000 1.7: if the caller has permission on the path)',
  {
    callerRefused: (original) => (given, token, request) =>
      given === undefined && request.query.get('help') === '1' && atKeys(request) ? undefined : original(given, token, request),
  },
)
