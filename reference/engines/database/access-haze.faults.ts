/** Faults of the database engine: who asks, and how. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { remembered } from '../../mutations/remembering.ts'
import { databaseEngine } from './engine.ts'
import { databaseOf, isAt, located, nameOf, sentVerbs, withRules } from './haze-help.ts'

const { route } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')

core.rule(
  'haze-static-exists-as-role',
  'DATABASE-CAP-03',
  'creating a static role with the name of a dynamic one counts as an update (001 4.1: C/U of static-roles/:name)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const isTaken = databaseOf(call)?.roles.has(call?.params.name ?? '') === true
      return original(granted, needed === 'create' && isTaken && isAt(call, 'static-roles') ? 'update' : needed, call)
    },
  },
)

const puts = sentVerbs()
core.rule(
  'haze-put-creates',
  'CORE-CAP-07',
  'a PUT to an existing connection needs `create` (000 1: PUT and POST are synonyms; 001 4.1: C/U)',
  {
    ...puts.noting,
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'update' && isAt(call, 'config') && puts.verbOf(call) === 'PUT' ? 'create' : needed, call),
  },
)

core.rule(
  'haze-get-list-is-read',
  'CORE-CAP-11',
  'a listing by GET with `list=true` needs `read`, so that `list` is not enough (000 1: either the verb LIST or GET with `list=true`)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'list' && databaseOf(call) && call?.query.get('list') === 'true' ? 'read' : needed, call),
  },
)

const bearers = requestsTo('database')
core.rule(
  'haze-bearer-reads-only',
  'CORE-AUTH-07',
  'writes and deletions take no token from `Authorization` (000 5: or in `Authorization`)',
  {
    ...bearers.locating,
    ...bearerIgnored(({ method }) => bearers.here() && method !== 'GET' && method !== 'LIST'),
  },
)

const ended = requestsTo('database')
core.rule(
  'haze-static-creds-for-ended-token',
  'CORE-AUTH-15',
  'a token that has ended still reads static credentials where it was used for them (000 5: a token is required; 7: 403 wrong credentials)',
  { ...ended.locating, ...goodForEver(({ path }) => ended.here() && path.includes('/static-creds/')) },
)

core.rule(
  'haze-rotate-role-by-read',
  'CORE-CAP-04',
  'who may only read at rotate-role may rotate (000 7: 403 no access; 001 4.1: rotate-role is a POST that changes the password)',
  countsAs('read', (call) => isAt(call, 'rotate-role'), 'update'),
)

const creators = remembered(() => new Map<string, string>())
core.rule(
  'haze-creator-may-update',
  'CORE-CAP-07',
  'who created a role with `create` may update it without `update` (001 4.1: C/U of roles/:name)',
  {
    finish:
      (original) =>
      (call, { id }, reply) => {
        const state = databaseOf(call)
        const name = call.params.name ?? ''
        if (state && id === 'database.writeRole' && !creators(state).has(name)) creators(state).set(name, call.token?.id ?? '')
        if (state && id === 'database.deleteRole') creators(state).delete(name)
        return original(call, { id, method: call.method }, reply)
      },
    capabilityGranted: (original) => (granted, needed, call) => {
      const state = databaseOf(call)
      const isCreator = state && isAt(call, 'roles') && creators(state).get(call?.params.name ?? '') === call?.token?.id
      return original(granted, needed, call) || (needed === 'update' && isCreator === true && original(granted, 'create', call))
    },
  },
)

core.rule(
  'haze-namespace-falls-back',
  'CORE-NS-07',
  'a namespace without a database mount is served by that of the root (000 2.2: the effective path is the namespace followed by the path)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const above = all.filter((mount) => mount.namespace === '' && mount.engine.type === 'database')
      return [...own, ...above.filter(({ path }) => !own.some((mount) => mount.path === path))]
    },
  },
)

const helped = located()
core.rule('haze-help-without-token', 'CORE-AUTH-15', 'help is given without a token (000 1: if the caller has permission on the path)', {
  ...helped.locating,
  needsToken: (original) => (operation) => {
    const request = helped.place()?.request
    return (request?.method !== 'GET' || request.query.get('help') !== '1') && original(operation)
  },
})

const permitted = remembered(() => new Set<string>())
route(
  'haze-once-allowed',
  'DATABASE-ALLOWED-04',
  'a role that was used while it was allowed is allowed after its removal from `allowed_roles` (001 4.1: `allowed_roles`; create or update)',
  'database.readCreds',
  (original) => (call) =>
    original(
      withRules(call, {
        roleAllowed: (allowed, role) => {
          const key = `${call.state.roles.get(nameOf(call))?.dbName}/${role}`
          if (call.rules.roleAllowed(allowed, role)) permitted(call.state).add(key)
          return permitted(call.state).has(key)
        },
      }),
    ),
)

const PATHS = /^(config|reset|rotate-root|roles|creds|static-roles|static-creds|rotate-role)(\/|$)/
const mounts = located()
core.rule(
  'haze-policy-of-other-mount',
  'CORE-CAP-17',
  'a policy for one database mount opens the same paths of all others (000 7: 403 no access; 001 introduction: mounts stand at paths of their own)',
  {
    ...mounts.locating,
    patternMatches: (original) => (pattern, path) => {
      if (original(pattern, path)) return true
      const mount = mounts.place()?.mount
      const below = pattern.slice(pattern.indexOf('/') + 1)
      return mount !== undefined && PATHS.test(below) && original(mount + below, path)
    },
  },
)
