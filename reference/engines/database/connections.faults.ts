/** Faults of connections. */
import { empty, secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfHandling, insteadOfRefusal, replyData, requestDefault, requestNestedAs } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import { nameOf } from './wrappers.ts'

const { rule, route } = faultsOf(databaseEngine)

const PLUGIN = 'postgresql-database-plugin'

route(
  'connection-dropped',
  ['DATABASE-CONN-01', 'DATABASE-CONN-03'],
  'a new connection is acknowledged and not kept',
  'database.writeConnection',
  (original) => async (call) => {
    const isNew = !call.state.connections.has(nameOf(call))
    const reply = await original(call)
    if (isNew) call.state.connections.delete(nameOf(call))
    return reply
  },
)
route(
  'connection-update-lost',
  'DATABASE-CONN-02',
  'writing a connection again changes nothing',
  'database.writeConnection',
  insteadOfHandling(empty, (call) => call.state.connections.has(nameOf(call))),
)
route(
  'connection-unknown-empty',
  'DATABASE-CONN-04',
  'an unknown connection reads as an empty one',
  'database.readConnection',
  insteadOfRefusal(() => secret({ plugin_name: '', allowed_roles: [], connection_details: {} })),
)
route(
  'connections-detailed',
  'DATABASE-CONN-05',
  'the listing shows the plugin of each connection too',
  'database.listConnections',
  replyData((data, { state }) => ({
    ...data,
    plugins: [...state.connections.values()].map((one) => one.pluginName),
  })),
)
rule('connection-kept', ['DATABASE-CONN-06', 'DATABASE-CONN-07'], 'a deleted connection stays', { forgetsOnDelete: () => () => false })
route(
  'plugin-guessed',
  'DATABASE-PLUGIN-01',
  'a connection without plugin gets one',
  'database.writeConnection',
  requestDefault('plugin_name', PLUGIN),
)
route(
  'plugin-object',
  'DATABASE-PLUGIN-02',
  'an object is taken for a plugin name',
  'database.writeConnection',
  requestNestedAs('plugin_name', PLUGIN),
)
rule('plugin-shortened', 'DATABASE-PLUGIN-03', 'the read shows the kind of plugin instead of its name', {
  shownConnection: (original) => (connection) => ({ ...original(connection), plugin_name: connection.pluginName.split('-')[0] ?? '' }),
})
rule('verify-opt-in', 'DATABASE-VERIFY-01', 'a connection is verified only when asked', {
  verifies: () => (body) => body.verify_connection === true,
})
rule('verify-true-ignored', 'DATABASE-VERIFY-02', 'asking for verification switches it off', {
  verifies: () => (body) => body.verify_connection === undefined,
})
rule('verify-always', 'DATABASE-VERIFY-03', 'a connection is verified although that was declined', { verifies: () => () => true })
rule('verify-stored', 'DATABASE-VERIFY-04', 'a connection is stored before it is verified', { storesUnverified: () => () => true })
route(
  'verify-replaces',
  'DATABASE-VERIFY-04',
  'a connection that exists is replaced before it is verified',
  'database.writeConnection',
  (original) => async (call) => {
    const previous = call.state.connections.get(nameOf(call))
    try {
      return await original(call)
    } catch (error) {
      if (previous !== undefined) Object.assign(previous, { password: String(call.body.password ?? previous.password) })
      await previous?.link.drop()
      throw error
    }
  },
)
route(
  'username-object',
  'DATABASE-URL-07',
  'an object is taken for a user name',
  'database.writeConnection',
  requestNestedAs('username', 'root'),
)
route(
  'password-object',
  'DATABASE-URL-08',
  'an object is taken for a password',
  'database.writeConnection',
  requestNestedAs('password', 'object'),
)
route(
  'verify-object',
  'DATABASE-VERIFY-05',
  'an object is taken for false',
  'database.writeConnection',
  requestNestedAs('verify_connection', false),
)
rule('allowed-default-all', 'DATABASE-ALLOWED-01', 'a connection allows every role by default', {
  allowedRolesOf: (original) => (body, previous) => (body.allowed_roles === undefined && !previous ? ['*'] : original(body, previous)),
})
rule('allowed-empty-all', 'DATABASE-ALLOWED-02', 'an empty list allows every role', {
  roleAllowed: (original) => (allowed, role) => allowed.length === 0 || original(allowed, role),
})
rule('allowed-star-only', 'DATABASE-ALLOWED-03', 'only the star allows roles', { roleAllowed: () => (allowed) => allowed.includes('*') })
rule('allowed-any-name', 'DATABASE-ALLOWED-04', 'any name in the list allows every role', {
  roleAllowed: () => (allowed) => allowed.length > 0,
})
rule('allowed-star-alone', 'DATABASE-ALLOWED-05', 'the star counts only where it stands alone', {
  roleAllowed: () => (allowed, role) => (allowed.length === 1 && allowed[0] === '*') || allowed.includes(role),
})
rule('allowed-shown-wrong', 'DATABASE-ALLOWED-06', 'the read shows the first allowed role only', {
  shownConnection: (original) => (connection) => ({ ...original(connection), allowed_roles: connection.allowedRoles.slice(0, 1) }),
})
route(
  'allowed-object',
  'DATABASE-ALLOWED-07',
  'objects are taken for roles',
  'database.writeConnection',
  requestNestedAs('allowed_roles', ['*']),
)
rule('allowed-static-ignored', 'DATABASE-ALLOWED-08', 'static roles need no permission', { staticRoleAllowed: () => () => true })
rule('url-template-unfilled', 'DATABASE-URL-01', 'the password is not put into the connection URL', {
  filledUrl: (original) => (connection, encoded) => original({ ...connection, password: '{{password}}' }, encoded),
})
rule('url-literal-refused', 'DATABASE-URL-02', 'a connection URL without templates is refused', {
  connectionText: (original) => (body, field, previous) => {
    const text = original(body, field, previous)
    if (field === 'connection_url' && !text.includes('{{')) throw invalid('connection_url needs its templates')
    return text
  },
})
rule('url-shown-filled', 'DATABASE-URL-03', 'the read shows the connection URL with the user name filled in', {
  shownConnection: (original) => (connection) => ({
    ...original(connection),
    connection_details: { connection_url: connection.url.replace('{{username}}', connection.username), username: connection.username },
  }),
})
rule('username-hidden', 'DATABASE-URL-04', 'the read masks the user name', {
  shownConnection: (original) => (connection) => ({
    ...original(connection),
    connection_details: { connection_url: connection.url, username: '*****' },
  }),
})
route(
  'url-object',
  'DATABASE-URL-05',
  'an object is taken for a connection URL',
  'database.writeConnection',
  requestNestedAs('connection_url', 'none'),
)
rule('password-shown', 'DATABASE-SECRET-01', 'the read shows the password', {
  shownConnection: (original) => (connection) => ({
    ...original(connection),
    connection_details: { connection_url: connection.url, username: connection.username, password: connection.password },
  }),
})
route(
  'passwords-listed',
  'DATABASE-SECRET-02',
  'the listing of connections has their passwords beside the names',
  'database.listConnections',
  replyData((data, { state }) => ({
    ...data,
    key_info: Object.fromEntries([...state.connections].map(([name, { password }]) => [name, { password }])),
  })),
)
rule('password-in-error', 'DATABASE-SECRET-04', 'a failed verification quotes the connection URL', {
  failureText: (original) => (error, connection) => `${original(error, connection)} (${connection.username}:${connection.password})`,
})
route(
  'policy-object',
  'DATABASE-POLICY-09',
  'an object is taken for a policy name',
  'database.writeConnection',
  requestNestedAs('password_policy', ''),
)
route(
  'root-statements-object',
  'DATABASE-ROOT-09',
  'objects are taken for statements',
  'database.writeConnection',
  requestNestedAs('root_rotation_statements', []),
)
