/** Faults in who may ask for managed keys: with which token, carrier, verb, capability and path of a policy, from which namespace. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { type Asked, anyoneMay, bearerIgnored, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'

const { rule } = faultsOf(coreEngine, 'managed-keys')

const PLACE = /(^|\/)sys\/managed-keys\//
const ONE_KEY = /(^|\/)sys\/managed-keys\/[^/*+]+\/[^/*+]+$/

const concerns = (wanted: string) => {
  return ({ method, path }: RequestFacts): boolean => PLACE.test(path) && method === wanted
}

const asked = (method: string, path: RegExp = PLACE) => {
  return (call: Asked): boolean => call !== undefined && call.method === method && path.test(call.path)
}

const isListing = ({ method, query, path }: RequestFacts): boolean =>
  PLACE.test(path) && (method === 'LIST' || (method === 'GET' && query.get('list') === 'true'))

rule(
  'keen-list-without-token',
  ['CORE-AUTH-01'],
  'managed keys are listed for a caller without a token (000 5, 1 and 3: the unauthenticated endpoints)',
  {
    callerRefused: (original) => (given, token, request) =>
      isListing(request) && given === undefined ? undefined : original(given, token, request),
  },
)

rule(
  'keen-put-without-token',
  ['CORE-AUTH-01', 'CORE-AUTH-04'],
  'a token is asked for with POST, not with PUT, on managed keys (000 1, 6: PUT and POST are synonyms; 5, 1)',
  {
    callerRefused: (original) => (given, token, request) =>
      concerns('PUT')(request) && given === undefined ? undefined : original(given, token, request),
  },
)

rule(
  'keen-ended-token-reads',
  ['CORE-AUTH-15'],
  'a token that has read a managed key goes on reading after it was revoked or expired (000 5, 1; 7, 403: wrong credentials)',
  goodForEver(concerns('GET')),
)

rule(
  'keen-bearer-cannot-delete',
  ['CORE-AUTH-07'],
  'a token in the header Authorization is overlooked when a managed key is deleted (000 2.1 and 5, 1: Bearer)',
  bearerIgnored(concerns('DELETE')),
)

rule(
  'keen-anyone-tests',
  ['CORE-CAP-04'],
  'every token may have a key tested, whatever its policies (000 7, 403: no access)',
  anyoneMay(asked('POST', /\/test\/sign$/)),
)

rule(
  'keen-reader-deletes',
  ['CORE-CAP-21'],
  'who may read a managed key may delete it (000 7, 403: no access)',
  countsAs('read', asked('DELETE'), 'delete'),
)

rule(
  'keen-reader-writes',
  ['CORE-CAP-04'],
  'who may read a managed key may write it (000 1, 6: create and update are capabilities of their own; 7, 403)',
  countsAs('read', asked('POST', ONE_KEY), 'update'),
)

rule(
  'keen-writes-from-any-namespace',
  ['MANAGED-KEYS-NS-02'],
  'only reads and lists are restricted to the root and the administrative namespace (000 4.2; 5, 5)',
  {
    servesSystemPath: () => () => true,
    check: (original) => (call, route) => {
      const { namespace } = call.mount
      const isServed = namespace === '' || namespace === call.services.operator.administrativeNamespace
      if (route.id.startsWith('managedKeys.') && !isServed && call.method !== 'POST') throw new ApiError(404, 'unsupported path')
      original(call, route)
    },
  },
)

rule(
  'keen-administrative-cannot-delete',
  ['MANAGED-KEYS-NS-01'],
  'managed keys of the administrative namespace cannot be deleted (000 4.2 and 5, 5)',
  {
    check: (original) => (call, route) => {
      const isAdministrative = call.mount.namespace === call.services.operator.administrativeNamespace
      if (route.id === 'managedKeys.delete' && isAdministrative) throw new ApiError(403, 'permission denied')
      original(call, route)
    },
  },
)

rule(
  'keen-policy-path-is-prefix',
  ['CORE-CAP-18'],
  'a policy for one managed key holds for every key whose name begins with its name (000 7, 403)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (ONE_KEY.test(pattern) && path.startsWith(pattern) && !path.slice(pattern.length).includes('/')),
  },
)

rule(
  'keen-policy-kind-overlooked',
  ['CORE-CAP-04'],
  'a policy for the pkcs11 keys holds for the keys of the other kinds (000 4.2, :type; 7, 403)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      (pattern.includes('managed-keys/pkcs11') && original(pattern, path.replace(/(sys\/managed-keys\/)[^/]+/, '$1pkcs11'))),
  },
)
