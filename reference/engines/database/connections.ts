/** Routes of connections: configuration, reset, root rotation. */
import type { Call, Route } from '../../core/engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { named } from '../../core/named.ts'
import { Link } from './link.ts'
import type { DatabaseRules } from './rules.ts'
import type { Connection, DatabaseState } from './state.ts'

type DatabaseCall = Call<DatabaseState, DatabaseRules>

const connectionNamed = (call: DatabaseCall): Connection => named(call, call.state.connections, 'connection')

const connectionOf = (call: DatabaseCall, previous: Connection | undefined): Connection => {
  const { body, rules } = call
  const pluginName = rules.connectionText(body, 'plugin_name', previous?.pluginName)
  const plugin = rules.pluginOf(pluginName)
  if (plugin === undefined) throw invalid(`unknown plugin ${pluginName}`)
  const connection: Connection = {
    name: call.params.name ?? '',
    pluginName,
    allowedRoles: rules.allowedRolesOf(body, previous?.allowedRoles),
    rootRotationStatements: rules.rootStatementsOf(body, previous?.rootRotationStatements),
    passwordPolicy: rules.connectionText(body, 'password_policy', previous?.passwordPolicy),
    url: rules.connectionText(body, body.connection_url === undefined ? 'url' : 'connection_url', previous?.url),
    username: rules.connectionText(body, 'username', previous?.username),
    password: rules.connectionText(body, 'password', previous?.password),
    link: new Link(plugin, () => rules.filledUrl(connection, plugin.escape)),
  }
  return connection
}

const write = async (call: DatabaseCall): Promise<void> => {
  const { rules, state } = call
  const previous = state.connections.get(call.params.name ?? '')
  rules.connectionComplete(call.body, previous)
  const connection = connectionOf(call, previous)
  if (rules.verifies(call.body)) {
    try {
      await connection.link.run([])
    } catch (error) {
      if (rules.storesUnverified()) state.connections.set(connection.name, connection)
      throw new ApiError(400, `the connection cannot be verified: ${rules.failureText(error, connection)}`)
    }
  }
  state.connections.set(connection.name, connection)
  await previous?.link.close()
}

const rotateRoot = (call: DatabaseCall, connection: Connection): Promise<string> => {
  const { rules } = call
  if (connection.username === '' || connection.password === '') throw invalid('the connection has no user name and password of its own')
  return connection.link.exclusively(async (session) => {
    const password = rules.rootPassword(call.services.random)
    const values = rules.templateValues({ username: connection.username, password, expiresAt: call.now() })
    try {
      await (await session()).run(rules.prepared(rules.rootRotation(connection), values))
    } catch (error) {
      connection.password = rules.unrotatedRoot(connection, password)
      throw error
    }
    connection.password = rules.rotatedRoot(connection, password)
    await connection.link.drop()
    return password
  })
}

export const connectionRoutes: Route<DatabaseState, DatabaseRules>[] = [
  {
    id: 'database.writeConnection',
    method: 'POST',
    path: 'config/:name',
    exists: (call) => call.state.connections.has(call.params.name ?? ''),
    async handle(call) {
      await write(call)
      return empty()
    },
  },
  {
    id: 'database.readConnection',
    method: 'GET',
    path: 'config/:name',
    handle: (call) => secret(call.rules.shownConnection(connectionNamed(call))),
  },
  {
    id: 'database.listConnections',
    method: 'LIST',
    path: 'config',
    handle: (call) => call.services.listing(call.rules.connectionNames(call.state)),
  },
  {
    id: 'database.deleteConnection',
    method: 'DELETE',
    path: 'config/:name',
    async handle(call) {
      const connection = call.state.connections.get(call.params.name ?? '')
      if (call.rules.forgetsOnDelete()) call.state.connections.delete(call.params.name ?? '')
      await connection?.link.close()
      return empty()
    },
  },
  {
    id: 'database.resetConnection',
    method: 'POST',
    path: 'reset/:name',
    async handle(call) {
      const connection = connectionNamed(call)
      if (call.rules.closesOnReset()) await connection.link.close()
      await connection.link.run([])
      return empty()
    },
  },
  {
    id: 'database.rotateRoot',
    method: 'POST',
    path: 'rotate-root/:name',
    async handle(call) {
      const shown = call.rules.rootRotated(await rotateRoot(call, connectionNamed(call)))
      return shown === null ? empty() : secret(shown)
    },
  },
]
