/** Faults of the database engine: who asks, and how. All change the rules of all requests, for database mounts only. */
import { coreEngine } from '../../core/core-engine.ts'
import { goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { isDatabase, nameOf, stateAt } from './cedar-help.ts'

const { rule } = faultsOf(coreEngine, 'database')

rule(
  'cedar-static-role-exists-as-dynamic',
  'DATABASE-CAP-03',
  'creating a static role needs `update` where a dynamic role has that name (001, 4.1: static-roles/:name distinguishes create and update; 000, 1.6: by whether the object exists)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const known = needed === 'create' && call !== undefined && stateAt(call, 'static-roles')?.roles.has(nameOf(call))
      return original(granted, known ? 'update' : needed, call)
    },
  },
)

const put = new WeakSet<object>()
rule(
  'cedar-put-is-always-update',
  'CORE-CAP-19',
  'creating with PUT needs `update` (000, 1.6: PUT and POST are synonyms; 001, 4.1: C/U endpoints)',
  {
    parseBody: (original) => (bytes, request) => {
      const parsed = original(bytes, request)
      if (request.method === 'PUT') put.add(parsed.body)
      return parsed
    },
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'create' && isDatabase(call) && put.has(call.body) ? 'update' : needed, call),
  },
)

rule(
  'cedar-deny-lost-among-policies',
  'CORE-CAP-01',
  'a denial of static-creds/:name is overlooked for tokens with more than one policy of their own (000, 7: 403, no access)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const policies = call?.token?.policies.filter((name) => name !== 'default') ?? []
      if (granted.has('deny') && policies.length > 1 && stateAt(call, 'static-creds')) return true
      return original(granted, needed, call)
    },
  },
)

const deleting = requestsTo('database')
rule(
  'cedar-bearer-ignored-on-delete',
  'CORE-AUTH-07',
  'DELETE takes the token from the own header only (000, 2.1 and 5.1: or as `Authorization: Bearer`)',
  {
    ...deleting.locating,
    tokenOf: (original) => (request, spelling) =>
      deleting.here() && request.method === 'DELETE' && !request.headers[spelling.headers.token] ? undefined : original(request, spelling),
  },
)

const listing = requestsTo('database')
rule(
  'cedar-revoked-token-still-lists',
  'CORE-AUTH-15',
  'a token with which something was listed still lists after its revocation (000, 5.1: a client token is required; 7: 403 for wrong credentials)',
  {
    ...listing.locating,
    ...goodForEver(({ method, query }) => listing.here() && (method === 'LIST' || (method === 'GET' && query.get('list') === 'true'))),
  },
)

const wrong = requestsTo('database')
rule(
  'cedar-wrong-bearer-401',
  'CORE-AUTH-03',
  'a wrong token in `Authorization` is answered with 401 (000, 7: 403 for wrong credentials)',
  {
    ...wrong.locating,
    callerRefused: (original) => (given, token, request) => {
      const own = request.headers['x-service-token'] ?? request.headers['x-vault-token']
      return wrong.here() && given !== undefined && token === undefined && !own ? 401 : original(given, token, request)
    },
  },
)

/** Paths that no other engine has. */
const OWN_PATHS = /(^|\/)(static-roles|static-creds|rotate-role|rotate-root|reset)(\/|$)/

rule(
  'cedar-header-names-whole-namespace',
  'CORE-NS-02',
  'with a namespace header, namespaces in the path are not seen (000, 2.2: header `<ns1>/` with path `<ns2>/…` is equivalent to header `<ns1>/<ns2>/`)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) => {
      const named = (header ?? '').split('/').filter((segment) => segment !== '')
      const whole = `${named.join('/')}/`
      if (named.length > 0 && namespaces.includes(whole) && OWN_PATHS.test(effectivePath)) return whole
      return original(effectivePath, namespaces, header)
    },
  },
)

rule(
  'cedar-list-by-get-needs-read',
  'CORE-CAP-11',
  'a listing by GET with `list=true` asks for `read` (000, 1.5: it is the same operation as the verb LIST, which `list` permits)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const byGet = needed === 'list' && isDatabase(call) && call.query.get('list') === 'true'
      return original(granted, byGet ? 'read' : needed, call)
    },
  },
)

rule(
  'cedar-denied-deletion-done',
  'CORE-CAP-14',
  'a role is deleted although the caller is refused for want of `delete` (000, 7: 403, no access; 5.1)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const may = original(granted, needed, call)
      if (!may && needed === 'delete' && call) stateAt(call, 'roles')?.roles.delete(nameOf(call))
      return may
    },
  },
)

rule(
  'cedar-delete-of-credentials-404',
  'CORE-STATUS-08',
  'DELETE on the path of credentials, which has no such method, is answered with 404 (000, 7: 405, unsupported method for the path)',
  {
    wrongMethodStatus: (original) => (method, routes) =>
      method === 'DELETE' && routes.some(({ id }) => /^database\.read(Static)?Creds$/.test(id)) ? 404 : original(method, routes),
  },
)

rule(
  'cedar-any-connection-makes-update',
  'DATABASE-CAP-01',
  'creating a connection needs `update` once the mount has any connection (001, 4.1: config/:name distinguishes create and update; 000, 1.6: by whether the object exists)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const some = needed === 'create' && (stateAt(call, 'config')?.connections.size ?? 0) > 0
      return original(granted, some ? 'update' : needed, call)
    },
  },
)
