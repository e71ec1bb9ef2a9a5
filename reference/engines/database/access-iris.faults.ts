/** Faults of who may ask the database engine for what: carriers, capabilities, ends of tokens, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, countsAs, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { asks } from './iris-help.ts'
import type { DatabaseState } from './state.ts'

const core = faultsOf(coreEngine, 'database')
const to = requestsTo('database')

core.rule(
  'iris-create-updates-static',
  'CORE-CAP-07',
  'the capability create is enough to update a static role (document 001, 4.1: static-roles/:name distinguishes create and update)',
  countsAs('create', asks(/^static-roles\//), 'update'),
)

const forRole = asks(/^roles\//)

core.rule(
  'iris-static-role-counts-as-existing',
  'DATABASE-CAP-02',
  'creating a role needs update where a static role has its name (document 001, 4.1: roles/:name distinguishes create and update)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const isTaken = call !== undefined && forRole(call) && (call.state as DatabaseState).staticRoles.has(call.params.name ?? '')
      return original(granted, needed === 'create' && isTaken ? 'update' : needed, call)
    },
  },
)

core.rule(
  'iris-deny-lists',
  'CORE-CAP-17',
  'whoever is denied a path may list it (document 000, section 7: 403 or 404 where the caller may not view a path)',
  denyOverlooked((call) => asks(/./)(call) && call?.method === 'LIST'),
)

core.rule(
  'iris-bearer-reads-only',
  'CORE-AUTH-07',
  'a token in the header Authorization is good for reads only (document 000, section 5: X-Service-Token or Authorization)',
  {
    ...to.locating,
    ...bearerIgnored((request) => to.here() && /^(POST|PUT|DELETE)$/.test(request.method)),
  },
)

core.rule(
  'iris-exact-path-as-prefix',
  'CORE-CAP-01',
  'a policy for one path covers all paths that begin with it (document 000, section 7: 403 or 404 where the caller may not view a path)',
  {
    ...to.locating,
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (to.here() && !/[*+]/.test(pattern) && path.startsWith(pattern)),
  },
)

core.rule(
  'iris-wrong-token-401',
  'CORE-AUTH-03',
  'a wrong token is answered with 401 (document 000, section 7: 403 for wrong credentials)',
  {
    ...to.locating,
    callerRefused: (original) => (given, token, request) => {
      const refused = original(given, token, request)
      return refused !== undefined && given !== undefined && to.here() ? 401 : refused
    },
  },
)

core.rule(
  'iris-root-mounts-everywhere',
  'CORE-NS-07',
  'a database mount of the root is reached from every namespace (document 000, 2.2: the namespace is the beginning of the path)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const ofRoot = original(all, '').filter(({ path, engine }) => engine.type === 'database' && !own.some((mount) => mount.path === path))
      return namespace === '' ? own : [...own, ...ofRoot]
    },
  },
)

const depth = (path: string): number => path.split('/').filter((segment) => segment !== '').length
let isSplit = false

core.rule(
  'iris-namespace-split',
  'CORE-NS-02',
  'a namespace of which the header holds a part and the path the rest is not found (document 000, 2.2: header ns1/ with path ns2/... is the same)',
  {
    namespaceOf: (original) => (path, namespaces, header) => {
      const found = original(path, namespaces, header)
      isSplit = depth(header ?? '') > 0 && depth(found) > depth(header ?? '')
      return found
    },
    mountsSeen: (original) => (all, namespace) => original(all, namespace).filter(({ engine }) => !isSplit || engine.type !== 'database'),
  },
)

core.rule(
  'iris-help-for-anyone',
  'CORE-HELP-05',
  'help is given to callers without any permission on the path (document 000, section 1: if the caller has permission on the path)',
  {
    ...to.locating,
    helpAllowed: (original) => (granted) => to.here() || original(granted),
  },
)

let verb = ''

core.rule(
  'iris-put-is-update',
  'CORE-CAP-19',
  'PUT needs the capability update even where it creates (document 000, section 1: PUT and POST are synonyms)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      verb = request.method
      return original(header, request, namespaces)
    },
    isUpdate: (original) => (exists, route) => original(exists, route) || (verb === 'PUT' && route.id.startsWith('database.')),
  },
)
