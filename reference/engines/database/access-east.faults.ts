/** Faults of who may ask: tokens and their carriers, capabilities, policies, namespaces, verbs. */
import { coreEngine } from '../../core/core-engine.ts'
import { anyoneMay, bearerIgnored, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { isAt, isDatabase, isOwnPath } from './east-help.ts'
import type { DatabaseState } from './state.ts'

const core = faultsOf(coreEngine, 'database')

core.rule(
  'east-anyone-resets',
  'CORE-CAP-14',
  'any token that is not denied may reset a connection (000 5.4, 7: 403)',
  anyoneMay((call) => isAt(call, 'reset')),
)

core.rule(
  'east-static-role-opens-creds',
  'CORE-CAP-01',
  'what is granted on a static role is granted on its credentials (000 5.4, 7: 403)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (/\/static-creds\//.test(path) && original(pattern, path.replace('/static-creds/', '/static-roles/'))),
  },
)

core.rule(
  'east-rotation-of-longer-names',
  'CORE-CAP-04',
  'who may rotate one static role may rotate those whose names begin with it (000 5.4, 7: 403)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (/\/rotate-role\/[^*+]+$/.test(pattern) && path.startsWith(pattern)),
  },
)

core.rule(
  'east-sudo-is-everything',
  'CORE-CAP-01',
  'who has sudo on a path needs no other capability there (000 5.4: sudo besides create and update)',
  countsAs('sudo', isDatabase),
)

core.rule('east-denied-delete-deletes', 'CORE-CAP-14', 'a deletion of a role is carried out before it is denied (000 7: 403 forbidden)', {
  capabilityGranted: (original) => (granted, needed, call) => {
    const isGranted = original(granted, needed, call)
    if (!isGranted && call?.method === 'DELETE' && isAt(call, 'roles')) (call.state as DatabaseState).roles.delete(call.params.name ?? '')
    return isGranted
  },
})

core.rule(
  'east-ended-token-reads',
  'CORE-AUTH-15',
  'a token that has read static credentials reads them after its end (000 5.1, 7: 403)',
  goodForEver(({ path }) => /\/static-creds\//.test(path)),
)

const withBearer = requestsTo('database')

core.rule('east-no-bearer-for-lists', 'CORE-AUTH-07', 'listings take no bearer token (000 5.1: Authorization Bearer)', {
  ...withBearer.locating,
  ...bearerIgnored(({ method, query }) => (method === 'LIST' || query.get('list') === 'true') && withBearer.here()),
})

const listed = requestsTo('database')

core.rule(
  'east-any-token-lists',
  'CORE-AUTH-03',
  'a listing looks only whether there is a token, not whether it is one (000 5.1, 7: 403)',
  {
    ...listed.locating,
    callerRefused: (original) => (given, token, request) => {
      const isListing = request.method === 'LIST' || request.query.get('list') === 'true'
      return given !== undefined && isListing && listed.here() ? undefined : original(given, token, request)
    },
  },
)

core.rule(
  'east-connection-read-by-all',
  'CORE-AUTH-01',
  'a connection is read without a token (001: all endpoints require a client token)',
  {
    needsToken: (original) => (route) => route?.id !== 'database.readConnection' && original(route),
  },
)

const asked = requestsTo('database')

core.rule(
  'east-help-for-denied',
  'CORE-HELP-05',
  'help is given to callers without permission on the path (000 1.7: if the caller has permission)',
  {
    ...asked.locating,
    helpAllowed: (original) => (granted) => asked.here() || original(granted),
  },
)

core.rule('east-header-ends-namespace', 'CORE-NS-02', 'beside a namespace header no namespace in the path is seen (000 2.2: equivalent)', {
  namespaceOf: (original) => (effectivePath, namespaces, header) => {
    const own = `${(header ?? '').split('/').filter(Boolean).join('/')}/`
    return isOwnPath(effectivePath) && namespaces.includes(own) ? own : original(effectivePath, namespaces, header)
  },
})

core.rule('east-wrong-verb-not-found', 'CORE-STATUS-08', 'a verb that a path does not know gets 404 (000 7: 405 unsupported method)', {
  wrongMethodStatus: (original) => (method, routes) =>
    routes.some(({ id }) => id.startsWith('database.')) ? 404 : original(method, routes),
})
