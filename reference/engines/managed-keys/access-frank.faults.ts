/** Faults of who may ask: tokens and their carriers, verbs, capabilities, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { anyoneMay, bearerIgnored, countsAs, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { managedKeysEngine } from './engine.ts'
import { isHere, isTest } from './frank-help.ts'
import { keyOf } from './keys.ts'

const { route } = faultsOf(managedKeysEngine)
const core = faultsOf(coreEngine, 'managed-keys')

core.rule(
  'frank-reader-may-test',
  'CORE-CAP-04',
  'whoever may only read a key may test it, which makes keys (000 1.6: create and update capabilities)',
  countsAs('read', (call) => isTest(call) && call?.method === 'POST', 'update'),
)

core.rule(
  'frank-deny-outvoted',
  'CORE-CAP-01',
  'a deny counts only for callers with a single policy (000 7: 403, forbidden)',
  denyOverlooked((call) => isHere(call) && (call?.token?.policies ?? []).filter((name) => name !== 'default').length > 1),
)

core.rule(
  'frank-help-for-anybody',
  'CORE-AUTH-15',
  'help on managed keys is given without a good token (000 1.7: if the caller has permission)',
  {
    callerRefused: (original) => (given, token, request) =>
      isHere(request) && request.method === 'GET' && request.query.get('help') === '1' ? undefined : original(given, token, request),
  },
)

core.rule(
  'frank-bearer-not-in-namespaces',
  'CORE-AUTH-07',
  'a bearer is not looked at in requests that carry the header of namespaces (000 5.1: or in header Authorization)',
  bearerIgnored((request) => isHere(request) && Object.keys(request.headers).some((name) => /^x-.*-namespace$/.test(name))),
)

core.rule(
  'frank-revoked-token-remembered',
  'CORE-AUTH-15',
  'a token that has used managed keys stays good after its end (000 5.1: a client token)',
  {
    callerRefused: (original) => {
      const good = new Set<string>()
      return (given, token, request) => {
        if (!isHere(request) || given === undefined) return original(given, token, request)
        if (token) good.add(given)
        return good.has(given) ? undefined : original(given, token, request)
      }
    },
  },
)

core.rule('frank-test-without-token', 'CORE-AUTH-01', 'the test of a key needs no token (000 5.3: unauthenticated endpoints)', {
  callerRefused: (original) => (given, token, request) =>
    given === undefined && isTest(request) && request.method === 'POST' ? undefined : original(given, token, request),
})

const puts = new WeakSet<JsonObject>()

core.rule('frank-put-unguarded', 'CORE-CAP-04', 'PUT is open to every caller who is not denied (000 1.6: PUT and POST are synonyms)', {
  parseBody: (original) => (bytes, request) => {
    const parsed = original(bytes, request)
    if (request.method === 'PUT' && isHere(request)) puts.add(parsed.body)
    return parsed
  },
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed, call) || (call !== undefined && isHere(call) && puts.has(call.body) && !granted.has('deny')),
})

core.rule(
  'frank-listing-by-query-unguarded',
  'CORE-CAP-17',
  'GET with list=true lists keys for callers without any capability (000 7: 403, forbidden; 404, may not view a path)',
  anyoneMay((call) => isHere(call) && call?.method === 'LIST' && call.query.get('list') === 'true'),
)

route(
  'frank-pin-shown-in-namespace',
  'MANAGED-KEYS-SECRET-01',
  'the PIN of a key of the administrative namespace is not redacted (000 2.6: pin returns the literal text redacted)',
  'managedKeys.read',
  (original) => async (call) => {
    const reply = await original(call)
    if (call.mount.namespace === '') return reply
    const { pin } = keyOf(call).parameters
    return withBody(reply, (body) => (pin === undefined ? body : { ...body, pin }))
  },
)

core.rule(
  'frank-policies-blind-to-namespace',
  'MANAGED-KEYS-CALLER-02',
  'a policy for managed keys of the root holds in the administrative namespace, too (000 2.2: the effective request path)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (isHere({ path }) && original(pattern, path.replace(/^.*?(?=sys\/managed-keys(\/|$))/, ''))),
  },
)

core.rule(
  'frank-let-in-once',
  'CORE-CAP-21',
  'a caller who was allowed one thing with a key may do all others at that path (000 1.6: policies distinguish capabilities)',
  {
    capabilityGranted: (original) => {
      const allowed = new Set<string>()
      return (granted, needed, call) => {
        const isAllowed = original(granted, needed, call)
        if (!isHere(call) || !call?.token) return isAllowed
        const place = `${call.token.id} ${call.mount.namespace} ${call.path}`
        if (isAllowed) allowed.add(place)
        return allowed.has(place)
      }
    },
  },
)

core.rule(
  'frank-namespace-in-path-is-root',
  'MANAGED-KEYS-NS-02',
  'a namespace that stands in the path leads to the keys of the root (000 2.2: equivalent to the header)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const [, prefix, rest] = /^(.+?\/)(sys\/managed-keys(?:\/.*)?)$/s.exec(request.path) ?? []
      const isNamespace = header === undefined && prefix !== undefined && namespaces.includes(prefix)
      return original(header, isNamespace && rest !== undefined ? { ...request, path: rest } : request, namespaces)
    },
  },
)
