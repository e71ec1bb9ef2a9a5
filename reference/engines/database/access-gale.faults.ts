/** Faults about who may do what: capabilities, paths, carriers of tokens, namespaces, allowed roles. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { databaseEngine } from './engine.ts'
import { isAt, listsByQuery } from './gale-help.ts'
import type { DatabaseState } from './state.ts'

const { rule } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')
const { here, locating } = requestsTo('database')

core.rule(
  'gale-static-role-sought-among-roles',
  'CORE-CAP-07',
  'whether the write of a static role is a create or an update is decided by the dynamic roles (001, 4.1: C/U of static-roles; 000, 1.6: existence check)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      if (call?.method !== 'POST' || !isAt(call, 'static-roles')) return original(granted, needed, call)
      const { roles } = call.state as DatabaseState
      return original(granted, roles.has(call.params.name ?? '') ? 'update' : 'create', call)
    },
  },
)

core.rule(
  'gale-creator-updates-connection',
  'CORE-CAP-07',
  'who may only create connections may update them (001, 4.1: config/:name distinguishes create and update)',
  countsAs('create', (call) => call?.method === 'POST' && isAt(call, 'config'), 'update'),
)

const byPut = new WeakSet<object>()

core.rule(
  'gale-put-is-an-update',
  'CORE-CAP-19',
  'PUT of an object that is not there needs the capability update (000, 1.6: PUT and POST are synonyms; a write that makes an object is a create)',
  {
    ...locating,
    parseBody: (original) => (bytes, request) => {
      const parsed = original(bytes, request)
      if (request.method === 'PUT' && here()) byPut.add(parsed.body)
      return parsed
    },
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'create' && call !== undefined && byPut.has(call.body) ? 'update' : needed, call),
  },
)

core.rule(
  'gale-bearer-cannot-delete',
  'CORE-AUTH-07',
  'a bearer token is not found on DELETE (000, 5.1: either header carries the token)',
  {
    ...locating,
    ...bearerIgnored(({ method }) => method === 'DELETE' && here()),
  },
)

core.rule(
  'gale-deny-overlooked-at-root-rotation',
  'CORE-CAP-04',
  'who is denied rotate-root may rotate all the same (000, 7: 404 or 403 where the caller may not)',
  denyOverlooked((call) => isAt(call, 'rotate-root')),
)

core.rule(
  'gale-role-right-opens-credentials',
  'CORE-CAP-01',
  'the right to read a static role allows reading its credentials (000, 7: 403, no access; 001, 4.1: static-creds is a path of its own)',
  {
    ...locating,
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      (here() && path.includes('/static-creds/') && original(pattern, path.replace('/static-creds/', '/static-roles/'))),
  },
)

core.rule(
  'gale-ended-token-gets-credentials',
  'CORE-AUTH-15',
  'a token that asked for credentials while it was good gets more when it is revoked or expired (000, 5.1: a token is required; 7: 403 for wrong credentials)',
  { ...locating, ...goodForEver(({ path }) => here() && path.includes('/creds/')) },
)

core.rule(
  'gale-help-without-permission',
  'CORE-HELP-05',
  'help about the paths of a database mount is given to callers without any right there (000, 1.7: if the caller has permission on the path)',
  { ...locating, helpAllowed: (original) => (granted) => here() || original(granted) },
)

rule(
  'gale-allowed-by-beginning',
  'DATABASE-ALLOWED-04',
  'a role is allowed where its name begins with an allowed one (001, 4.1: allowed_roles names roles, and only `*` allows any)',
  { roleAllowed: (original) => (allowed, role) => original(allowed, role) || allowed.some((name) => role.startsWith(name)) },
)

rule(
  'gale-static-role-allowed-by-any-list',
  'DATABASE-ALLOWED-08',
  'a static role is allowed on every connection that allows some role (001, 4.1: allowed_roles; what is not in the list is not allowed)',
  { staticRoleAllowed: () => (allowed) => allowed.length > 0 },
)

core.rule(
  'gale-list-query-needs-read',
  'CORE-CAP-11',
  'a listing by GET with list=true asks for the capability read instead of list (000, 1.5: it is the same as the verb LIST)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'list' && call !== undefined && isAt(call, '') && listsByQuery(call) ? 'read' : needed, call),
  },
)

core.rule('gale-wrong-bearer-401', 'CORE-AUTH-03', 'a wrong bearer token is refused with 401 (000, 7: 403 for wrong credentials)', {
  ...locating,
  callerRefused: (original) => (given, token, request) => {
    const refused = original(given, token, request)
    const carried = given !== undefined && request.headers.authorization !== undefined
    return refused !== undefined && carried && here() ? 401 : refused
  },
})
