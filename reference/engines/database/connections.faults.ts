/** Faults of connections: what is stored and shown of them, how they are verified and reached. */
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { insteadOfRefusal, replyData } from '../../faults/wrappers.ts'
import { databaseEngine } from './engine.ts'
import type { Connection } from './state.ts'
import { connectionAt, nameOf, withRules } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(databaseEngine)

// Updates and deletions
route(
  'update-keeps-address',
  'DATABASE-CONN-02',
  'an update of a connection is shown and the old address and password are used on',
  'database.writeConnection',
  (original) => async (call) => {
    const before = connectionAt(call)
    const reply = await original(call)
    const after = connectionAt(call)
    if (before && after) after.link = before.link
    return reply
  },
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
  replyData((data, { state }) => ({ ...data, plugins: [...state.connections.values()].map((one) => one.pluginName) })),
)
route(
  'connection-takes-roles',
  'DATABASE-CONN-06',
  'deleting a connection deletes the roles that name it',
  'database.deleteConnection',
  (original) => (call) => {
    for (const [name, { dbName }] of [...call.state.roles]) if (dbName === nameOf(call)) call.state.roles.delete(name)
    return original(call)
  },
)
rule('connection-kept', ['DATABASE-CONN-06', 'DATABASE-CONN-07'], 'a deleted connection stays', { forgetsOnDelete: () => () => false })
const used = remembered(() => new Map<string, Connection>())
rule('deleted-connection-serves', 'DATABASE-CONN-07', 'a connection that was used serves on after it was deleted', {
  connectionOf: (original) => (state, dbName) => {
    const connection = original(state, dbName)
    if (connection) used(state).set(dbName, connection)
    return connection ?? used(state).get(dbName)
  },
})
rule('connection-continued', 'DATABASE-CONN-07', 'for a deleted connection serves one whose name begins with its name', {
  connectionOf: (original) => (state, dbName) =>
    original(state, dbName) ?? [...state.connections.values()].find(({ name }) => name.startsWith(dbName)),
})

// Verification
rule('verify-true-ignored', 'DATABASE-VERIFY-02', 'asking for verification switches it off', {
  verifies: () => (body) => body.verify_connection === undefined,
})
rule('verify-stored', 'DATABASE-VERIFY-04', 'a connection is stored before it is verified', { storesUnverified: () => () => true })
route(
  'verify-replaces',
  'DATABASE-VERIFY-04',
  'a connection that exists has its new password before that is verified',
  'database.writeConnection',
  (original) => async (call) => {
    const previous = connectionAt(call)
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
  'update-unverified',
  'DATABASE-VERIFY-04',
  'an update of a connection is not verified',
  'database.writeConnection',
  (original) => (call) => original(connectionAt(call) ? withRules(call, { verifies: () => false }) : call),
)

// The URL, and what is shown of a connection
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
rule('url-dollar-in-password', 'DATABASE-URL-10', 'two dollar signs in the password of a connection become one in its URL', {
  filledUrl: (original) => (connection, encoded) =>
    original({ ...connection, password: connection.password.split('$$').join('$') }, encoded),
})
rule('url-quotes-lost', 'DATABASE-URL-10', 'the password of a connection loses its quotes', {
  filledUrl: (original) => (connection, encoded) =>
    original({ ...connection, password: connection.password.replace(/['"`]/g, '') }, encoded),
})
rule('url-unescaped', 'DATABASE-URL-10', 'user name and password go into the address of PostgreSQL as they are', {
  filledUrl: (original) => (connection) => original(connection, false),
})
/** Other details of a connection in its reads. */
const details = (id: string, clause: string, title: string, detailsOf: (connection: Connection) => Record<string, string>): void =>
  rule(id, clause, title, {
    shownConnection: (original) => (connection) => ({
      ...original(connection),
      connection_details: { connection_url: connection.url, username: connection.username, ...detailsOf(connection) },
    }),
  })
details('url-shown-filled', 'DATABASE-URL-03', 'the read shows the connection URL with the user name filled in', ({ url, username }) => ({
  connection_url: url.replace('{{username}}', username),
}))
details('password-shown', 'DATABASE-SECRET-01', 'the read shows the password', ({ password }) => ({ password }))
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
rule('password-in-error', 'DATABASE-SECRET-04', 'a failed verification quotes user name and password', {
  failureText: (original) => (error, connection) => `${original(error, connection)} (${connection.username}:${connection.password})`,
})

// Roles that a connection allows
const allowedBefore = remembered(() => new Map<string, string[]>())
change(
  'recreated-allows-as-before',
  'DATABASE-ALLOWED-01',
  'a connection created again without allowed roles has those of the deleted one',
  {
    routes: {
      'database.deleteConnection': (original) => (call) => {
        const connection = connectionAt(call)
        if (connection) allowedBefore(call.state).set(nameOf(call), connection.allowedRoles)
        return original(call)
      },
      'database.writeConnection': (original) => (call) => {
        const before = allowedBefore(call.state).get(nameOf(call))
        return original(before && !connectionAt(call) ? { ...call, body: { allowed_roles: before, ...call.body } } : call)
      },
    },
  },
)
rule('allowed-empty-all', 'DATABASE-ALLOWED-02', 'an empty list allows every role', {
  roleAllowed: (original) => (allowed, role) => allowed.length === 0 || original(allowed, role),
})
rule('last-connection-serves', 'DATABASE-ALLOWED-02', 'roles are served by the connection that was written last', {
  connectionOf: (original) => (state, dbName) => original(state, dbName) && [...state.connections.values()].at(-1),
})
rule('allowed-star-only', 'DATABASE-ALLOWED-03', 'only the star allows roles', { roleAllowed: () => (allowed) => allowed.includes('*') })
rule('allowed-case', 'DATABASE-ALLOWED-04', 'allowed roles are compared without case', {
  roleAllowed: (original) => (allowed, role) =>
    original(
      allowed.map((name) => name.toLowerCase()),
      role.toLowerCase(),
    ),
})
rule('allowed-by-part', 'DATABASE-ALLOWED-04', 'a role is allowed whose name is a part of a name in allowed_roles', {
  roleAllowed: () => (allowed, role) => allowed.includes('*') || allowed.join(',').includes(role),
})
const served = remembered(() => new Set<string>())
route(
  'allowed-once-given',
  'DATABASE-ALLOWED-04',
  'a role that had credentials once may have them after its connection stopped to allow it',
  'database.readCreds',
  (original) => async (call) => {
    const known = served(call.state)
    const { roleAllowed } = call.rules
    const reply = await original(withRules(call, { roleAllowed: (allowed, role) => known.has(role) || roleAllowed(allowed, role) }))
    known.add(nameOf(call))
    return reply
  },
)
rule('allowed-first-only', 'DATABASE-ALLOWED-05', 'only the first of several allowed roles is allowed', {
  roleAllowed: (original) => (allowed, role) => original(allowed.slice(0, 1), role),
})
const starAlone = (original: (allowed: string[], role: string) => boolean) => (allowed: string[], role: string) =>
  original(allowed.length > 1 ? allowed.filter((name) => name !== '*') : allowed, role)
rule('star-only-alone', 'DATABASE-ALLOWED-05', 'an asterisk among the allowed roles counts only where it is the only entry', {
  roleAllowed: starAlone,
  staticRoleAllowed: starAlone,
})
rule('star-only-first', 'DATABASE-ALLOWED-05', '* allows a static role only where it is the first of allowed_roles', {
  staticRoleAllowed: () => (allowed, role) => allowed[0] === '*' || allowed.includes(role),
})
rule('star-as-text', 'DATABASE-ALLOWED-06', 'allowed_roles with a star alone reads as text', {
  shownConnection: (original) => (connection) =>
    connection.allowedRoles.join() === '*' ? { ...original(connection), allowed_roles: '*' } : original(connection),
})
rule('allowed-static-none', 'DATABASE-ALLOWED-08', 'an empty list of allowed roles keeps no static role out', {
  staticRoleAllowed: (original) => (allowed, role) => allowed.length === 0 || original(allowed, role),
})
rule('allowed-static-ignored', 'DATABASE-ALLOWED-08', 'static roles need no permission', { staticRoleAllowed: () => () => true })
route(
  'allowed-static-at-writes',
  'DATABASE-ALLOWED-11',
  'a static role is held against the allowed roles of its connection at writes, not when its credentials are read',
  'database.readStaticCreds',
  (original) => (call) => original(withRules(call, { staticRoleAllowed: () => true })),
)
rule('allowed-static-not-last', 'DATABASE-ALLOWED-09', 'the last of several allowed roles is not allowed as a static role', {
  staticRoleAllowed: (original) => (allowed, role) => original(allowed.length > 1 ? allowed.slice(0, -1) : allowed, role),
})
export const faults = declared
