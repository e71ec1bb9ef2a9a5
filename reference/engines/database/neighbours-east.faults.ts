/** Faults that reach a neighbour: another role, connection, mount or namespace than the one that is meant. */
import { coreEngine } from '../../core/core-engine.ts'
import { secret } from '../../core/envelope.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { nameOf } from './east-help.ts'
import { databaseEngine } from './engine.ts'
import type { DatabaseState } from './state.ts'

const { rule, route } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')

rule(
  'east-allowed-any-case',
  'DATABASE-ALLOWED-04',
  'a role is allowed when the list has its name in another case (001 4.1: allowed_roles)',
  {
    roleAllowed: (original) => (allowed, role) =>
      original(
        allowed.map((name) => name.toLowerCase()),
        role.toLowerCase(),
      ),
  },
)

rule(
  'east-allowed-part-of-name',
  'DATABASE-ALLOWED-04',
  'a role is allowed when its name is part of an allowed name (001 4.1: allowed_roles)',
  {
    roleAllowed: (original) => (allowed, role) => original(allowed, role) || allowed.join(',').includes(role),
    staticRoleAllowed: (original) => (allowed, role) => original(allowed, role) || allowed.join(',').includes(role),
  },
)

rule(
  'east-allowed-by-any-connection',
  'DATABASE-ALLOWED-08',
  'what another connection allows counts for this one too (001 4.1: allowed_roles)',
  {
    connectionOf: (original) => (state, dbName) => {
      const connection = original(state, dbName)
      return connection && { ...connection, allowedRoles: [...state.connections.values()].flatMap(({ allowedRoles }) => allowedRoles) }
    },
  },
)

rule(
  'east-connection-by-prefix',
  'DATABASE-CONN-07',
  'a db_name without connection finds the first that begins with it (001 4.1: db_name)',
  {
    connectionOf: (original) => (state, dbName) =>
      original(state, dbName) ?? [...state.connections.values()].find(({ name }) => dbName !== '' && name.startsWith(dbName)),
  },
)

rule('east-roles-list-has-static', 'DATABASE-APART-01', 'the listing of roles names the static roles too (001 4.1: LIST roles)', {
  roleNames: (original) => (state) => [...new Set([...original(state), ...state.staticRoles.keys()])],
})

rule(
  'east-user-prefix-taken',
  'DATABASE-STATIC-01',
  'a user is refused when another static user has the beginning of its name (001 4.1: 1-to-1)',
  {
    userAvailable: (original) => (state, dbName, username) =>
      original(state, dbName, username) &&
      ![...state.staticRoles.values()].some((role) => role.dbName === dbName && username.startsWith(role.username)),
  },
)

route(
  'east-role-delete-revokes-longer-names',
  'DATABASE-APART-01',
  'deleting a role ends the credentials of roles whose names begin with its name (001 1: credentials with leases)',
  'database.deleteRole',
  (original) => async (call) => {
    const reply = await original(call)
    const prefix = `${call.mount.namespace}${call.mount.path}creds/${nameOf(call)}`
    await call.services.leases.revokePrefix(prefix).catch(() => undefined)
    return reply
  },
)

route(
  'east-connection-delete-takes-longer',
  'DATABASE-CONN-07',
  'deleting a connection deletes the roles of connections whose names begin with its name (001 4.1: DELETE config/:name)',
  'database.deleteConnection',
  (original) => (call) => {
    for (const [name, { dbName }] of call.state.roles) if (dbName.startsWith(nameOf(call))) call.state.roles.delete(name)
    return original(call)
  },
)

route(
  'east-rotation-resets-siblings',
  'DATABASE-APART-01',
  'rotating a static role by hand resets the TTL of the others of its connection (001 4.1: rotate-role, its TTL)',
  'database.rotateRole',
  (original) => async (call) => {
    const reply = await original(call)
    const rotated = call.state.staticRoles.get(nameOf(call))
    for (const role of call.state.staticRoles.values()) {
      if (rotated && role.dbName === rotated.dbName) role.rotatedAt = rotated.rotatedAt
    }
    return reply
  },
)

route(
  'east-creds-of-static',
  'DATABASE-CREDS-04',
  'creds of a name that only a static role has gives the password of that one (001 4.1: creds/:name, static-creds/:name)',
  'database.readCreds',
  (original) => (call) => {
    const role = call.state.staticRoles.get(nameOf(call))
    if (call.state.roles.has(nameOf(call)) || role === undefined) return original(call)
    return secret(call.rules.shownCredential({ username: role.username, password: role.password, expiresAt: 0 }))
  },
)

core.rule(
  'east-mount-inherits',
  'DATABASE-APART-01',
  'a new mount begins with the connections of the others in its namespace (001 4.1, 000 1.5: empty)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      if (engine.type !== 'database') return state
      for (const other of others.filter((mount) => mount.engine.type === 'database' && mount.namespace === place.namespace)) {
        for (const [name, connection] of (other.state as DatabaseState).connections) {
          ;(state as DatabaseState).connections.set(name, connection)
        }
      }
      return state
    },
  },
)

core.rule(
  'east-parent-mounts-seen',
  'CORE-NS-07',
  'a namespace reaches the database mounts of those above it (000 2.2: the effective path)',
  {
    mountsSeen: (original) => (all, namespace) => [
      ...original(all, namespace),
      ...all.filter((mount) => mount.engine.type === 'database' && mount.namespace !== namespace && namespace.startsWith(mount.namespace)),
    ],
  },
)
