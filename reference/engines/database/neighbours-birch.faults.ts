/** Faults that show at a neighbour: another role, connection, mount or lease than the one that was asked for. */
import { secret } from '../../core/envelope.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { nameOf } from './birch-help.ts'
import { databaseEngine } from './engine.ts'
import type { DatabaseState } from './state.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')

route(
  'birch-role-delete-takes-static-namesake',
  'DATABASE-APART-01',
  'deleting a dynamic role takes the static role of the same name along (001 4.1: DELETE roles/:name deletes the role)',
  'database.deleteRole',
  (original) => async (call) => {
    const reply = await original(call)
    call.state.staticRoles.get(nameOf(call))?.cancel()
    call.state.staticRoles.delete(nameOf(call))
    return reply
  },
)

route(
  'birch-connection-delete-by-prefix',
  'CORE-NAME-01',
  'deleting a connection deletes all connections whose names begin like its own (001 4.1: DELETE config/:name deletes that connection)',
  'database.deleteConnection',
  (original) => async (call) => {
    const reply = await original(call)
    for (const [name, connection] of [...call.state.connections]) {
      if (!name.startsWith(nameOf(call))) continue
      call.state.connections.delete(name)
      await connection.link.close()
    }
    return reply
  },
)

rule(
  'birch-allowed-roles-by-prefix',
  'DATABASE-ALLOWED-04',
  'a role is allowed where a listed name is the beginning of its own (001 4.1: allowed_roles, only * allows any role)',
  { roleAllowed: (original) => (allowed, role) => original(allowed, role) || allowed.some((listed) => role.startsWith(listed)) },
)

rule(
  'birch-allowed-by-any-connection',
  'DATABASE-ALLOWED-08',
  'a role that any connection of the mount allows is allowed at all of them (001 4.1: allowed_roles of the connection)',
  {
    connectionOf: (original) => (state, dbName) => {
      const found = original(state, dbName)
      return found && { ...found, allowedRoles: [...state.connections.values()].flatMap(({ allowedRoles }) => allowedRoles) }
    },
  },
)

const statesOf = remembered(() => new Set<DatabaseState>())
change(
  'birch-role-delete-in-all-mounts',
  'DATABASE-APART-01',
  'deleting a role deletes roles of that name in other mounts of the engine (001 head: mounts; 4.1: DELETE roles/:name)',
  {
    routes: {
      'database.writeRole': (original) => (call) => {
        statesOf(call.services).add(call.state)
        return original(call)
      },
      'database.deleteRole': (original) => async (call) => {
        const reply = await original(call)
        for (const state of statesOf(call.services)) state.roles.delete(nameOf(call))
        return reply
      },
    },
  },
)

rule(
  'birch-user-once-over-all-connections',
  'DATABASE-STATIC-24',
  'a static role is refused where a role of another connection has a user of that name (001 4.1: static roles map to a database user)',
  {
    userAvailable: () => (state, _dbName, username) => ![...state.staticRoles.values()].some((role) => role.username === username),
  },
)

route(
  'birch-rotation-dates-siblings',
  'DATABASE-APART-01',
  'a rotation by hand resets the TTL of all static roles of that connection (001 4.1: rotate-role resets its TTL; 2.1 last rotation)',
  'database.rotateRole',
  (original) => async (call) => {
    const reply = await original(call)
    const role = call.state.staticRoles.get(nameOf(call))
    for (const other of call.state.staticRoles.values()) {
      if (role !== undefined && other.dbName === role.dbName) other.rotatedAt = role.rotatedAt
    }
    return reply
  },
)

route(
  'birch-static-delete-stops-siblings',
  'DATABASE-ROTATE-01',
  'after a static role is deleted the others of its connection are not rotated any more (001 4.1: rotated automatically after the period)',
  'database.deleteStaticRole',
  (original) => async (call) => {
    const removed = call.state.staticRoles.get(nameOf(call))
    const reply = await original(call)
    for (const other of call.state.staticRoles.values()) if (other.dbName === removed?.dbName) other.cancel()
    return reply
  },
)

rule(
  'birch-role-list-holds-static-roles',
  'DATABASE-APART-01',
  'the listing of roles names the static roles, too (001 4.1: LIST roles, LIST static-roles)',
  { roleNames: (original) => (state) => [...new Set([...original(state), ...state.staticRoles.keys()])] },
)

route(
  'birch-creds-of-static-role',
  'DATABASE-CREDS-04',
  'creds of a name that only a static role has gives away its fixed user (001 4.1: creds are of dynamic roles, static-creds of static ones)',
  'database.readCreds',
  (original) => (call) => {
    const role = call.state.staticRoles.get(nameOf(call))
    if (role === undefined || call.state.roles.has(nameOf(call))) return original(call)
    return secret({ username: role.username, password: role.password })
  },
)
