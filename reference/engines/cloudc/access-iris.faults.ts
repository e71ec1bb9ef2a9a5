/** Faults in who may ask and how: carriers, verbs, capabilities, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { ours, oursAt } from './iris-help.ts'

const { rule } = faultsOf(coreEngine, 'cloudc')
const { here, locating } = requestsTo('cloudc')

const KEY = /\/key\/[^/]+$/
const ROLESET = /\/roleset\/[^/]+$/

rule(
  'iris-read-makes-key-by-post',
  'CORE-CAP-04',
  'whoever may only read gets a key by POST, too (5: update is a capability of its own; 7: 403)',
  countsAs('read', oursAt('POST', KEY), 'update'),
)

rule(
  'iris-create-overwrites',
  'CORE-CAP-07',
  'whoever may create rolesets may change those that exist (1.6, 5: create and update are distinguished)',
  countsAs('create', oursAt('POST', ROLESET), 'update'),
)

rule(
  'iris-deny-of-key-overlooked',
  'CORE-CAP-01',
  'a caller who is denied gets a key by GET (7: 403 for no access)',
  denyOverlooked(oursAt('GET', KEY)),
)

rule(
  'iris-list-ignores-bearer',
  'CORE-AUTH-07',
  'a listing does not take the token from a bearer header (2.1, 5: Authorization carries it, too)',
  {
    ...locating,
    ...bearerIgnored((request) => here() && (request.method === 'LIST' || request.query.get('list') === 'true')),
  },
)

rule(
  'iris-ended-token-reads',
  'CORE-AUTH-15',
  'a token that read a roleset reads it after its end (5: a client token is required; 7: 403)',
  {
    ...locating,
    ...goodForEver((request) => here() && request.method === 'GET' && ROLESET.test(request.path)),
  },
)

rule(
  'iris-listing-get-needs-read',
  'CORE-CAP-11',
  'a listing by GET needs the capability read, not list (1.5: both forms are one listing)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'list' && ours(call) && call.query.get('list') === 'true' ? 'read' : needed, call),
  },
)

rule(
  'iris-denied-write-400',
  'CORE-CAP-14',
  'a write that the caller may not do is refused with 400 (7: 403, or 404 where it may not be seen)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const isGranted = original(granted, needed, call)
      if (!isGranted && ours(call) && call.method === 'POST') throw new ApiError(400, 'permission denied')
      return isGranted
    },
  },
)

rule(
  'iris-delete-unsupported-404',
  'CORE-STATUS-08',
  'DELETE on a path that does not have it is refused with 404 (7: 405 unsupported method for the path)',
  {
    wrongMethodStatus: (original) => (method, routes) =>
      method === 'DELETE' && routes.some(({ id }) => id.startsWith('cloudc.')) ? 404 : original(method, routes),
  },
)
