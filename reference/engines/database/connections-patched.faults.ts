/** Connections: which one is meant, what a former one leaves, what a reset starts from. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { databaseEngine } from './engine.ts'
import type { Connection, DatabaseState } from './state.ts'
import { fill } from './statements.ts'
import { type Handle, nameOf } from './wrappers.ts'

const { rule, change } = faultsOf(databaseEngine)

const statesOf = remembered(() => new Set<DatabaseState>())

/** A connection that a mount lacks is looked for in the mounts that have some. */
const withForeignConnections =
  (original: Handle): Handle =>
  (call) => {
    const { connectionOf } = call.rules
    const foreign = (dbName: string): Connection | undefined =>
      [...statesOf(call.services)].map((state) => state.connections.get(dbName)).find((found) => found !== undefined)
    return original({
      ...call,
      rules: { ...call.rules, connectionOf: (state, dbName) => connectionOf(state, dbName) ?? foreign(dbName) },
    })
  }

change('patched-foreign-connection', [], 'roles use the connection of that name of another mount where their own has none', {
  routes: {
    'database.writeConnection': (original) => (call) => {
      statesOf(call.services).add(call.state)
      return original(call)
    },
    'database.writeStaticRole': withForeignConnections,
    'database.rotateRole': withForeignConnections,
    'database.deleteStaticRole': withForeignConnections,
    'database.readCreds': withForeignConnections,
  },
})

const formerRoles = remembered(() => new Map<string, string[]>())

change(
  'patched-former-allowed-roles',
  [],
  'a connection made again under its name keeps allowed_roles of the deleted one where none are given',
  {
    routes: {
      'database.deleteConnection': (original) => (call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection) formerRoles(call.state).set(nameOf(call), connection.allowedRoles)
        return original(call)
      },
      'database.writeConnection': (original) => (call) => {
        const former = call.state.connections.has(nameOf(call)) ? undefined : formerRoles(call.state).get(nameOf(call))
        return original(former ? { ...call, body: { allowed_roles: former, ...call.body } } : call)
      },
    },
  },
)

const written = new WeakMap<Connection, string>()

change('patched-reset-as-written', [], 'a reset restarts with the password as it was written, before the root user was rotated', {
  routes: {
    'database.writeConnection': (original) => async (call) => {
      const given = await original(call)
      const connection = call.state.connections.get(nameOf(call))
      if (connection) written.set(connection, connection.password)
      return given
    },
    'database.resetConnection': (original) => (call) => {
      const connection = call.state.connections.get(nameOf(call))
      if (connection) connection.password = written.get(connection) ?? connection.password
      return original(call)
    },
  },
})
rule('patched-url-escaping', [], 'delimiters of a URL in a user name or password are filled into the URL as they are', {
  filledUrl: (original) => (connection, encoded) =>
    encoded
      ? fill(connection.url, { username: encodeURI(connection.username), password: encodeURI(connection.password) })
      : original(connection, encoded),
})
