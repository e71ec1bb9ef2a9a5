/** Faults of the database engine that show at a neighbour: another role, connection, mount or namespace. */
import { coreEngine } from '../../core/core-engine.ts'
import type { LeaseRequest } from '../../core/leases.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { afterwards, byRules, withLease } from './anew-help.ts'
import { databaseEngine } from './engine.ts'
import { staticRoleOf } from './later-help.ts'
import type { DatabaseState, UserValues } from './state.ts'
import { nameOf } from './wrappers.ts'

const { rule, route } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')

route(
  'later-connection-delete-by-prefix',
  ['CORE-NAME-01'],
  'deleting a connection removes all whose names begin with its name (001 4.1: DELETE /database/config/:name)',
  'database.deleteConnection',
  afterwards(async (call) => {
    for (const [name, connection] of [...call.state.connections]) {
      if (!name.startsWith(nameOf(call))) continue
      call.state.connections.delete(name)
      await connection.link.close()
    }
  }),
)

const latestLease = remembered(() => new Map<string, LeaseRequest>())
route(
  'later-revocation-hits-latest',
  ['DATABASE-CREDS-07'],
  'the end of an older lease drops the user that the role issued last, its own stays (001 1: "created on demand with leases")',
  'database.readCreds',
  withLease((request, call) => {
    const known = latestLease(call.state)
    known.set(nameOf(call), request)
    return { ...request, revoke: () => (known.get(nameOf(call)) ?? request).revoke() }
  }),
)

rule(
  'later-static-user-once-per-mount',
  ['DATABASE-STATIC-24'],
  'a user name of a static role in one database cannot be used in another (001 4.1: "1-to-1 map of a role to a database user")',
  {
    userAvailable: () => (state, _dbName, username) => ![...state.staticRoles.values()].some((role) => role.username === username),
  },
)

core.rule(
  'later-mounts-share-connections',
  ['DATABASE-CONN-05'],
  'a second database mount shows and changes the connections of the first (000 intro: "Engines can be mounted at any path")',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const earlier = others.find((mount) => mount.engine.type === 'database' && mount.namespace === place.namespace)
      if (engine.type !== 'database' || earlier === undefined) return state
      return { ...(state as DatabaseState), connections: (earlier.state as DatabaseState).connections }
    },
  },
)

core.rule(
  'later-namespaces-share-mount-path',
  ['DATABASE-APART-01'],
  'database mounts at the same path of two namespaces have the same content (000 2.2: the effective path begins with the namespace)',
  {
    stateOf: (original) => (engine, others, place) => {
      const namesake = others.find(({ engine: other, path }) => other.type === 'database' && path === place.path)
      return engine.type === 'database' && namesake ? namesake.state : original(engine, others, place)
    },
  },
)

rule(
  'later-role-list-with-static-roles',
  ['DATABASE-APART-01'],
  'the list of dynamic roles holds the names of static roles, too (001 4.1: LIST /database/roles and LIST /database/static-roles)',
  { roleNames: (original) => (state) => [...new Set([...original(state), ...state.staticRoles.keys()])] },
)

route(
  'later-one-timer-per-connection',
  ['DATABASE-ROTATE-01'],
  'once a second static role of a connection is written, the first keeps its password for ever (001 4.1: "rotated automatically")',
  'database.writeStaticRole',
  afterwards((call) => {
    const written = staticRoleOf(call)
    for (const other of call.state.staticRoles.values()) if (other !== written && other.dbName === written?.dbName) other.cancel()
  }),
)

route(
  'later-rotation-touches-siblings',
  ['DATABASE-APART-01'],
  'rotating a static role by hand sets time and ttl of the others on its connection, too (001 2.1: `last_service_rotation`, `ttl`)',
  'database.rotateRole',
  afterwards((call) => {
    const rotated = staticRoleOf(call)
    if (rotated === undefined) return
    for (const other of call.state.staticRoles.values()) if (other.dbName === rotated.dbName) other.rotatedAt = rotated.rotatedAt
  }),
)

route(
  'later-allowed-by-any-connection',
  ['DATABASE-ALLOWED-04'],
  'a role issues credentials when any connection of the mount allows it, its own or not (001 4.1: `allowed_roles` "[] (no roles)")',
  'database.readCreds',
  byRules((call) => ({
    roleAllowed: (_allowed, role) =>
      [...call.state.connections.values()].some(({ allowedRoles }) => call.rules.roleAllowed(allowedRoles, role)),
  })),
)

const latestUser = remembered(() => new Map<string, string>())
route(
  'later-rollback-hits-former-user',
  ['DATABASE-STMT-10'],
  'the rollback of a failed create removes the user that the role issued before (001 4.1: "run to roll back a failed create")',
  'database.readCreds',
  byRules((call) => {
    const known = latestUser(call.state)
    const former = known.get(nameOf(call))
    return {
      rollback: (role, standard) =>
        call.rules.rollback(role, standard).map((text) => (former ? text.replaceAll(/\{\{\s*(user)?name\s*\}\}/g, former) : text)),
      shownCredential(user: UserValues) {
        known.set(nameOf(call), user.username)
        return call.rules.shownCredential(user)
      },
    }
  }),
)
