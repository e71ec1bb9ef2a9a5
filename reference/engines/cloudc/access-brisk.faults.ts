/** Faults in which the wrong caller may, or the right one may not: by carrier, verb, capability or what was asked before. */
import { coreEngine } from '../../core/core-engine.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { type Asked, anyoneMay, bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import type { CloudcState } from './state.ts'

const { rule } = faultsOf(coreEngine, 'cloudc')

const isOurs = (call: Asked): boolean =>
  call !== undefined && typeof call.state === 'object' && call.state !== null && 'rolesets' in call.state

const asks = (call: Asked, method: string, path: RegExp): boolean =>
  call !== undefined && isOurs(call) && call.method === method && path.test(call.path)

const isTokenRequest = (request: RequestFacts): boolean => !isProvisioning(request) && /\/token\/[^/]+$/.test(request.path)

rule(
  'creator-updates-rolesets',
  ['CORE-CAP-07'],
  'the create capability is enough to update a roleset (000 1: an existence check distinguishes create and update)',
  countsAs('create', (call) => asks(call, 'POST', /\/roleset\/[^/]+$/), 'update'),
)

rule(
  'denied-gets-keys',
  ['CORE-CAP-01'],
  'a caller whose policy denies a key path gets keys by GET (000 7: 403 forbidden, no access)',
  denyOverlooked((call) => asks(call, 'GET', /\/key\/[^/]+$/)),
)

rule(
  'anyone-rotates',
  ['CORE-CAP-04'],
  'a caller with a token but without any capability on the path rotates a roleset (000 7: 403 forbidden)',
  anyoneMay((call) => asks(call, 'POST', /\/roleset\/[^/]+\/rotate$/)),
)

rule(
  'bearer-unknown-at-tokens',
  ['CORE-AUTH-07'],
  'token/:roleset takes the token from its own header only (000 2.1, 5: Authorization is an alternative carrier)',
  bearerIgnored(isTokenRequest),
)

rule(
  'ended-token-gets-tokens',
  ['CORE-AUTH-15'],
  'a client token with which an access token was asked for goes on working there after its end (000 5: a client token is required)',
  goodForEver(isTokenRequest),
)

rule(
  'listing-without-token',
  ['CORE-AUTH-01', 'CORE-AUTH-03'],
  'rolesets are listed for whoever asks (000 5: a client token is required; the unauthenticated endpoints are two others)',
  { needsToken: (original) => (route) => route?.id !== 'cloudc.listRolesets' && original(route) },
)

rule(
  'any-text-rotates-keys',
  ['CORE-AUTH-03'],
  'rotate-key works with a client token that was never issued (000 7: 403 wrong credentials)',
  {
    callerRefused: (original) => (given, token, request) =>
      given !== undefined && /\/roleset\/[^/]+\/rotate-key$/.test(request.path) ? undefined : original(given, token, request),
  },
)

rule(
  'put-without-token',
  ['CORE-AUTH-01', 'CORE-AUTH-04'],
  'PUT on a roleset works without a client token (000 1: PUT and POST are synonyms; 5: a client token is required)',
  {
    callerRefused: (original) => (given, token, request) => {
      const isOpen = given === undefined && request.method === 'PUT' && /\/roleset\/[^/]+$/.test(request.path)
      return isOpen ? undefined : original(given, token, request)
    },
  },
)

rule(
  'get-listing-needs-read',
  ['CORE-CAP-11'],
  'listing by GET with list=true asks for read where the verb LIST asks for list (000 1: either the verb LIST, or GET with list=true)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const isGet = asks(call, 'LIST', /\/rolesets$/) && call?.query.get('list') === 'true'
      return original(granted, isGet ? 'read' : needed, call)
    },
  },
)

rule(
  'reader-deletes-rolesets',
  ['CORE-CAP-21'],
  'a caller who may only read a roleset deletes it (000 7: 403 forbidden)',
  countsAs('read', (call) => asks(call, 'DELETE', /\/roleset\/[^/]+$/), 'delete'),
)

const grantedPaths = remembered(() => new Set<string>())

rule(
  'grant-kept-by-path',
  ['CORE-CAP-04'],
  'whoever was allowed one verb on a path is allowed all others from then on (000 7: 403; 1: policies distinguish capabilities)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const isAllowed = original(granted, needed, call)
      if (call === undefined || !isOurs(call)) return isAllowed
      const known = grantedPaths(call.services)
      const place = `${call.token?.id} ${call.mount.namespace}${call.path}`
      if (isAllowed) known.add(place)
      return known.has(place)
    },
  },
)

const deletedNames = remembered(() => new Set<string>())

rule(
  'deleted-counts-as-there',
  ['CORE-CAP-19'],
  'making a roleset anew after its deletion asks for update, not for create (000 1: the existence check decides)',
  {
    finish: (original) => (call, route, reply) => {
      if (route.id === 'cloudc.deleteRoleset') deletedNames(call.state as CloudcState).add(call.params.name ?? '')
      return original(call, route, reply)
    },
    capabilityGranted: (original) => (granted, needed, call) => {
      const isAgain = needed === 'create' && call && isOurs(call) && deletedNames(call.state as CloudcState).has(call.params.name ?? '')
      return original(granted, isAgain ? 'update' : needed, call)
    },
  },
)
