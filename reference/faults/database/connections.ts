/** Faults of connections. */
import { empty, secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { Fault } from '../../core/mutation.ts'
import { databaseFault, filling, forgiving, idle, nameOf, tolerating, withData } from './shared.ts'

const PLUGIN = 'postgresql-database-plugin'

export const connectionFaults: Fault[] = [
  databaseFault('connection-dropped', ['DB-CONN-01', 'DB-CONN-03'], 'a new connection is acknowledged and not kept', {
    routes: {
      'database.writeConnection': (original) => async (call) => {
        const isNew = !call.state.connections.has(nameOf(call))
        const reply = await original(call)
        if (isNew) call.state.connections.delete(nameOf(call))
        return reply
      },
    },
  }),
  databaseFault('connection-update-lost', ['DB-CONN-02'], 'writing a connection again changes nothing', {
    routes: { 'database.writeConnection': idle((call) => call.state.connections.has(nameOf(call)), empty()) },
  }),
  databaseFault('connection-unknown-empty', ['DB-CONN-04'], 'an unknown connection reads as an empty one', {
    routes: { 'database.readConnection': forgiving(() => secret({ plugin_name: '', allowed_roles: [], connection_details: {} })) },
  }),
  databaseFault('connections-detailed', ['DB-CONN-05'], 'the listing shows the plugin of each connection too', {
    routes: {
      'database.listConnections': withData((data, { state }) => ({
        ...data,
        plugins: [...state.connections.values()].map((one) => one.pluginName),
      })),
    },
  }),
  databaseFault('connection-kept', ['DB-CONN-06', 'DB-CONN-07'], 'a deleted connection stays', {
    rules: { forgetsOnDelete: () => () => false },
  }),
  databaseFault('plugin-guessed', ['DB-PLUGIN-01'], 'a connection without plugin gets one', {
    routes: { 'database.writeConnection': filling('plugin_name', PLUGIN) },
  }),
  databaseFault('plugin-object', ['DB-PLUGIN-02'], 'an object is taken for a plugin name', {
    routes: { 'database.writeConnection': tolerating('plugin_name', PLUGIN) },
  }),
  databaseFault('plugin-shortened', ['DB-PLUGIN-03'], 'the read shows the kind of plugin instead of its name', {
    rules: {
      shownConnection: (original) => (connection) => ({ ...original(connection), plugin_name: connection.pluginName.split('-')[0] ?? '' }),
    },
  }),
  databaseFault('verify-opt-in', ['DB-VERIFY-01'], 'a connection is verified only when asked', {
    rules: { verifies: () => (body) => body.verify_connection === true },
  }),
  databaseFault('verify-true-ignored', ['DB-VERIFY-02'], 'asking for verification switches it off', {
    rules: { verifies: () => (body) => body.verify_connection === undefined },
  }),
  databaseFault('verify-always', ['DB-VERIFY-03'], 'a connection is verified although that was declined', {
    rules: { verifies: () => () => true },
  }),
  databaseFault('verify-stored', ['DB-VERIFY-04'], 'a connection is stored before it is verified', {
    rules: { storesUnverified: () => () => true },
  }),
  databaseFault('verify-replaces', ['DB-VERIFY-04'], 'a connection that exists is replaced before it is verified', {
    routes: {
      'database.writeConnection': (original) => async (call) => {
        const previous = call.state.connections.get(nameOf(call))
        try {
          return await original(call)
        } catch (error) {
          if (previous !== undefined) Object.assign(previous, { password: String(call.body.password ?? previous.password) })
          await previous?.link.drop()
          throw error
        }
      },
    },
  }),
  databaseFault('username-object', ['DB-URL-07'], 'an object is taken for a user name', {
    routes: { 'database.writeConnection': tolerating('username', 'root') },
  }),
  databaseFault('password-object', ['DB-URL-08'], 'an object is taken for a password', {
    routes: { 'database.writeConnection': tolerating('password', 'object') },
  }),
  databaseFault('verify-object', ['DB-VERIFY-05'], 'an object is taken for false', {
    routes: { 'database.writeConnection': tolerating('verify_connection', false) },
  }),
  databaseFault('allowed-default-all', ['DB-ALLOWED-01'], 'a connection allows every role by default', {
    rules: {
      allowedRolesOf: (original) => (body, previous) => (body.allowed_roles === undefined && !previous ? ['*'] : original(body, previous)),
    },
  }),
  databaseFault('allowed-empty-all', ['DB-ALLOWED-02'], 'an empty list allows every role', {
    rules: { roleAllowed: (original) => (allowed, role) => allowed.length === 0 || original(allowed, role) },
  }),
  databaseFault('allowed-star-only', ['DB-ALLOWED-03'], 'only the star allows roles', {
    rules: { roleAllowed: () => (allowed) => allowed.includes('*') },
  }),
  databaseFault('allowed-any-name', ['DB-ALLOWED-04'], 'any name in the list allows every role', {
    rules: { roleAllowed: () => (allowed) => allowed.length > 0 },
  }),
  databaseFault('allowed-star-alone', ['DB-ALLOWED-05'], 'the star counts only where it stands alone', {
    rules: { roleAllowed: () => (allowed, role) => (allowed.length === 1 && allowed[0] === '*') || allowed.includes(role) },
  }),
  databaseFault('allowed-shown-wrong', ['DB-ALLOWED-06'], 'the read shows the first allowed role only', {
    rules: {
      shownConnection: (original) => (connection) => ({ ...original(connection), allowed_roles: connection.allowedRoles.slice(0, 1) }),
    },
  }),
  databaseFault('allowed-object', ['DB-ALLOWED-07'], 'objects are taken for roles', {
    routes: { 'database.writeConnection': tolerating('allowed_roles', ['*']) },
  }),
  databaseFault('allowed-static-ignored', ['DB-ALLOWED-08'], 'static roles need no permission', {
    rules: { staticRoleAllowed: () => () => true },
  }),
  databaseFault('url-template-unfilled', ['DB-URL-01'], 'the password is not put into the connection URL', {
    rules: { filledUrl: (original) => (connection, encoded) => original({ ...connection, password: '{{password}}' }, encoded) },
  }),
  databaseFault('url-literal-refused', ['DB-URL-02'], 'a connection URL without templates is refused', {
    rules: {
      connectionText: (original) => (body, field, previous) => {
        const text = original(body, field, previous)
        if (field === 'connection_url' && !text.includes('{{')) throw invalid('connection_url needs its templates')
        return text
      },
    },
  }),
  databaseFault('url-shown-filled', ['DB-URL-03'], 'the read shows the connection URL with the user name filled in', {
    rules: {
      shownConnection: (original) => (connection) => ({
        ...original(connection),
        connection_details: { connection_url: connection.url.replace('{{username}}', connection.username), username: connection.username },
      }),
    },
  }),
  databaseFault('username-hidden', ['DB-URL-04'], 'the read masks the user name', {
    rules: {
      shownConnection: (original) => (connection) => ({
        ...original(connection),
        connection_details: { connection_url: connection.url, username: '*****' },
      }),
    },
  }),
  databaseFault('url-object', ['DB-URL-05'], 'an object is taken for a connection URL', {
    routes: { 'database.writeConnection': tolerating('connection_url', 'none') },
  }),
  databaseFault('password-shown', ['DB-SECRET-01'], 'the read shows the password', {
    rules: {
      shownConnection: (original) => (connection) => ({
        ...original(connection),
        connection_details: { connection_url: connection.url, username: connection.username, password: connection.password },
      }),
    },
  }),
  databaseFault('password-in-error', ['DB-SECRET-02'], 'a failed verification quotes the connection URL', {
    rules: {
      failureText: (original) => (error, connection) => `${original(error, connection)} (${connection.username}:${connection.password})`,
    },
  }),
  databaseFault('policy-object', ['DB-POLICY-09'], 'an object is taken for a policy name', {
    routes: { 'database.writeConnection': tolerating('password_policy', '') },
  }),
  databaseFault('root-statements-object', ['DB-ROOT-09'], 'objects are taken for statements', {
    routes: { 'database.writeConnection': tolerating('root_rotation_statements', []) },
  }),
]
