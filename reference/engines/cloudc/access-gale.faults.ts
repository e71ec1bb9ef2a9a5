/** Faults of the conventions that show in the cloud-C engine: who asks, and how. */
import { coreEngine } from '../../core/core-engine.ts'
import { anyoneMay, bearerIgnored, countsAs } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { isKeyPath, isOurs } from './gale-help.ts'

const core = faultsOf(coreEngine, 'cloudc')
const { here, locating } = requestsTo('cloudc')

core.rule(
  'gale-create-updates',
  'CORE-CAP-07',
  'who may only create rolesets may also change one that exists (000, 1.6 and 4.3: create and update are distinguished)',
  countsAs('create', (call) => isOurs(call) && /(^|\/)roleset\/[^/]+$/.test(call.path), 'update'),
)

core.rule(
  'gale-roleset-policy-covers-rotation',
  'CORE-CAP-04',
  'a policy for `roleset/x` holds for `roleset/x/rotate` and `rotate-key`, too (000, 7: 403, no access)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      (/(^|\/)roleset\/[^/*+]+$/.test(pattern) && (path === `${pattern}/rotate` || path === `${pattern}/rotate-key`)),
  },
)

core.rule(
  'gale-help-for-anyone',
  'CORE-HELP-05',
  'help is given without permission on the path (000, 1.7: if the caller has permission on the path)',
  {
    ...locating,
    helpAllowed: (original) => (granted) => original(granted) || (here() && !granted.has('deny')),
  },
)

core.rule(
  'gale-bearer-not-for-list',
  'CLOUDC-SET-14',
  'with the verb LIST a bearer is not taken (000, 5.1: or in header `Authorization`)',
  {
    ...locating,
    ...bearerIgnored(({ method }) => here() && method === 'LIST'),
  },
)

const puts = new WeakSet<object>()
core.rule('gale-put-needs-update', 'CORE-CAP-19', 'creating with PUT needs `update` as well (000, 1.6: PUT and POST are synonyms)', {
  parseBody: (original) => (bytes, request) => {
    const parsed = original(bytes, request)
    if (request.method === 'PUT') puts.add(parsed.body)
    return parsed
  },
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed, call) && !(isOurs(call) && needed === 'create' && puts.has(call.body) && !granted.has('update')),
})

core.rule('gale-any-capability-for-keys', 'CORE-CAP-05', 'any capability on `key/:roleset` gives keys (000, 7: 403, no access)', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed, call) || (isOurs(call) && isKeyPath(call.path) && granted.size > 0 && !granted.has('deny')),
})

core.rule(
  'gale-get-listing-for-anyone',
  'CORE-CAP-14',
  'GET with `list=true` lists rolesets for whoever has a token (000, 1.5: one operation with LIST; 7: 403, no access)',
  anyoneMay((call) => isOurs(call) && call.method === 'LIST' && call.query.get('list') === 'true'),
)

core.rule('gale-wrong-bearer-401', 'CORE-AUTH-03', 'a wrong token in `Authorization` is answered 401 (000, 7: 403, wrong credentials)', {
  ...locating,
  callerRefused: (original) => (given, token, request) => {
    const refused = original(given, token, request)
    return refused !== undefined && given !== undefined && here() && request.headers.authorization !== undefined ? 401 : refused
  },
})

core.rule(
  'gale-rotate-key-without-token',
  'CORE-AUTH-01',
  'rotate-key asks for no token (000, 5.3: the unauthenticated endpoints are others)',
  {
    needsToken: (original) => (route) => original(route) && route?.id !== 'cloudc.rotateKey',
  },
)

core.rule(
  'gale-namespace-in-path-dropped',
  'CORE-NS-02',
  'beside a namespace in the header one in the path of a roleset is dropped (000, 2.2: header and path are joined)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const effective = original(header, request, namespaces)
      const parent = `${(header ?? '').split('/').filter(Boolean).join('/')}/`
      if (parent === '/' || !/(^|\/)rolesets?(\/|$)/.test(request.path)) return effective
      const inner = namespaces.filter((path) => path !== parent && path.startsWith(parent) && effective.startsWith(path))
      const longest = inner.sort((a, b) => b.length - a.length)[0]
      return longest === undefined ? effective : parent + effective.slice(longest.length)
    },
  },
)

core.rule(
  'gale-delete-of-secret-404',
  'CORE-STATUS-08',
  'DELETE of `token/:roleset` or `key/:roleset` is answered 404 (000, 7: 405, unsupported method)',
  {
    wrongMethodStatus: (original) => (method, routes) =>
      method === 'DELETE' && routes.some(({ id }) => id === 'cloudc.readToken' || id === 'cloudc.readKey') ? 404 : original(method, routes),
  },
)
