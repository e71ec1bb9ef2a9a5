/** Faults of who may ask: tokens and their carriers, capabilities, verbs, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { anyoneMay, bearerIgnored, countsAs, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { isOurs, namesRoleset } from './east-help.ts'

const core = faultsOf(coreEngine, 'cloudc')

/** A fault has its own, for each notes what its own server has located. */
const ours = () => requestsTo('cloudc')

core.rule(
  'east-deny-only-for-writes',
  'CORE-CAP-01',
  'deny does not hold for GET, which gives secrets here (000 5.1, 7: 403 no access)',
  denyOverlooked((call) => isOurs(call) && call?.method === 'GET'),
)

core.rule(
  'east-rotation-for-anyone',
  'CORE-CAP-14',
  'whoever has a token may rotate a key, whatever its policies say (000 5, 7: 403 no access)',
  anyoneMay((call) => isOurs(call) && /\/rotate-key$/.test(call?.path ?? '')),
)

const prefixes = ours()

core.rule(
  'east-policy-covers-longer-names',
  'CORE-CAP-01',
  'what is granted on a roleset is granted on all whose names go on from its name (000 7: 403 no access)',
  {
    ...prefixes.locating,
    patternMatches: (original) => (pattern, path) => original(pattern, path) || (prefixes.here() && path.startsWith(pattern)),
  },
)

const cases = ours()

core.rule(
  'east-policy-covers-any-case',
  'CORE-CAP-01',
  'what is granted on a roleset is granted on one whose name differs by case (000 7: 403 no access)',
  {
    ...cases.locating,
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (cases.here() && original(pattern.toLowerCase(), path.toLowerCase())),
  },
)

const carriers = ours()

core.rule('east-bearer-for-reads-only', 'CORE-AUTH-07', 'a bearer is not taken for POST and PUT (000 2.1, 5.1: Authorization, Bearer)', {
  ...carriers.locating,
  ...bearerIgnored(({ method }) => carriers.here() && /^(POST|PUT)$/.test(method)),
})

const listings = ours()

core.rule('east-verb-list-without-token', 'CORE-AUTH-01', 'the verb LIST asks for no token (000 5.1: a client token is required)', {
  ...listings.locating,
  callerRefused: (original) => (given, token, request) =>
    given === undefined && request.method === 'LIST' && listings.here() ? undefined : original(given, token, request),
})

const unknowns = ours()

core.rule(
  'east-any-text-rotates',
  'CORE-AUTH-03',
  'a rotation looks for a token in the request, but not whether there is such a token (000 5.1, 7: 403 wrong credentials)',
  {
    ...unknowns.locating,
    callerRefused: (original) => (given, token, request) =>
      given !== undefined && unknowns.here() && /\/rotate$/.test(request.path) ? undefined : original(given, token, request),
  },
)

const helps = ours()

core.rule(
  'east-help-for-all',
  'CORE-HELP-05',
  'help is given to callers without permission on the path (000 1.7: if the caller has permission on the path)',
  {
    ...helps.locating,
    helpAllowed: (original) => (granted) => helps.here() || original(granted),
  },
)

/** Methods as they were sent, by the headers that came with them. */
const methods = new WeakMap<object, string>()

core.rule('east-put-for-no-key', 'CORE-WRITE-01', 'a key can be had with POST, but not with PUT (000 1.6: PUT and POST are synonyms)', {
  effectivePath: (original) => (header, request, namespaces) => {
    methods.set(request.headers, request.method)
    return original(header, request, namespaces)
  },
  check: (original) => (call, route) => {
    if (route.id === 'cloudc.createKey' && methods.get(call.headers) === 'PUT') throw new ApiError(405, 'unsupported operation')
    original(call, route)
  },
})

core.rule(
  'east-get-rotate-unknown',
  'CORE-STATUS-08',
  'GET on a rotation is answered as an unknown path (000 7: 405 unsupported method for the path)',
  {
    wrongMethodStatus: (original) => (method, routes) =>
      method === 'GET' && routes.some(({ id }) => id.startsWith('cloudc.rotate')) ? 404 : original(method, routes),
  },
)

core.rule(
  'east-sudo-is-enough',
  'CORE-CAP-04',
  'sudo on a roleset alone allows to write it (000 1.6, 5.4: create and update are capabilities beside sudo)',
  countsAs('sudo', (call) => isOurs(call) && call?.method === 'POST'),
)

core.rule(
  'east-namespace-in-header-only',
  'CORE-NS-02',
  'beside the header, a namespace at the beginning of the path is not found (000 2.2: header and path joined)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) => {
      const named = `${(header ?? '').replace(/^\/+|\/+$/g, '')}/`
      return namesRoleset(effectivePath) && namespaces.includes(named) ? named : original(effectivePath, namespaces, header)
    },
  },
)
