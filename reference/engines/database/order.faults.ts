import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'
import type { Connection, DatabaseState, Role } from './state.ts'
import { type Handle, nameOf } from './wrappers.ts'

const { rule, route, change } = faultsOf(databaseEngine)

const usedRoles = new WeakMap<DatabaseState, Map<string, Role>>()
/** Makes credentials by a role as it was when it was used last, if it was. */
const bySeenRole =
  (choose: (seen: Role | undefined, current: Role | undefined) => Role | undefined) =>
  (original: Handle): Handle =>
  (call) => {
    const seen = usedRoles.get(call.state) ?? new Map<string, Role>()
    usedRoles.set(call.state, seen)
    const current = call.state.roles.get(nameOf(call))
    const role = choose(seen.get(nameOf(call)), current)
    if (current) seen.set(nameOf(call), current)
    return original({
      ...call,
      state: { ...call.state, roles: role ? new Map([...call.state.roles, [nameOf(call), role]]) : call.state.roles },
    })
  }

route(
  'time-deleted-role-serves',
  ['DB-ROLE-06'],
  'a role that gave credentials once gives more after it was deleted (001 4.1, DELETE roles)',
  'database.readCreds',
  bySeenRole((seen, current) => current ?? seen),
)

const usedConnections = new WeakMap<DatabaseState['connections'], Map<string, Connection>>()
rule(
  'time-deleted-connection-serves',
  ['DB-CONN-07'],
  'a connection that was used serves on after it was deleted (001 4.1, DELETE config)',
  {
    connectionOf: (original) => (state, dbName) => {
      const seen = usedConnections.get(state.connections) ?? new Map<string, Connection>()
      usedConnections.set(state.connections, seen)
      const connection = original(state, dbName)
      if (connection) seen.set(dbName, connection)
      return connection ?? seen.get(dbName)
    },
  },
)

const firstPassword = new WeakMap<Connection, string>()
change(
  'time-reset-undoes-rotation',
  ['DB-ROOT-06'],
  'a reset goes back to the password from before the root rotation (001 4.1, reset with the stored configuration)',
  {
    routes: {
      'database.rotateRoot': (original: Handle) => (call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection) firstPassword.set(connection, connection.password)
        return original(call)
      },
      'database.resetConnection': (original: Handle) => (call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection) connection.password = firstPassword.get(connection) ?? connection.password
        return original(call)
      },
    },
  },
)
