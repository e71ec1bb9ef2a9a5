/** Legal alternatives of the database engine. */
import { formatDuration } from '../../core/durations.ts'
import { invalid, notFound } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { variantsOf } from '../../mutations/declare.ts'
import { refusalStatus, replyInsteadOf204 } from '../../mutations/wrappers.ts'
import { type DatabaseRoute, databaseEngine } from './engine.ts'

const { rule, route, change } = variantsOf(databaseEngine)

type Handle = DatabaseRoute['handle']

const strictly =
  (known: (call: Parameters<Handle>[0]) => boolean) =>
  (original: Handle): Handle =>
  (call) => {
    if (!known(call)) throw notFound('nothing of that name')
    return original(call)
  }

const writes = [
  'writeConnection',
  'writeRole',
  'writeStaticRole',
  'resetConnection',
  'rotateRoot',
  'rotateRole',
  'deleteRole',
  'deleteConnection',
]

change('writes-200', 'success of a write without a stated status', 'writes answer 200 with an empty envelope', {
  routes: Object.fromEntries(writes.map((operation) => [`database.${operation}`, replyInsteadOf204()])),
})
rule('max-ttl-refused', 'refused or the lease is capped', 'a default above the maximum is refused when the role is written', {
  roleOf: (original) => (body, previous) => {
    const role = original(body, previous)
    if (role.maxTtl > 0 && role.defaultTtl > role.maxTtl) throw invalid('default_ttl is above max_ttl')
    return role
  },
})
route(
  'mount-max-refused',
  'refused or the lease is capped',
  'a maximum above the one of the mount is refused',
  'database.writeRole',
  (original) => (call) => {
    if (Number(call.body.max_ttl) > call.mount.maxLeaseTtl) throw invalid('max_ttl is above the maximum of the mount')
    return original(call)
  },
)
rule('connection-later', 'unknown db_name: refused at write or at creds', 'a role may be written before its connection', {
  connectionKnownAtWrite: () => () => true,
})
rule('creation-later', 'refused at write or at creds', 'a role without creation statements is refused at creds only', {
  roleComplete: (original) => (body, previous) => original({ creation_statements: ['none'], ...body }, previous),
})
change(
  'allowed-at-read',
  'refused when written or when read',
  'a static role that is not allowed is refused when its credentials are read',
  {
    rules: { staticRoleAllowed: () => () => true },
    routes: {
      'database.readStaticCreds': (original) => (call) => {
        const name = call.params.name ?? ''
        const connection = call.state.connections.get(call.state.staticRoles.get(name)?.dbName ?? '')
        if (connection !== undefined && !call.rules.roleAllowed(connection.allowedRoles, name)) throw invalid('not an allowed role')
        return original(call)
      },
    },
  },
)
rule('unknown-role-404', 'unknown role in an action: 400 or 404', 'asking an unknown role for credentials gives 404', {
  unknownRoleStatus: () => () => 404,
})
rule('unknown-static-400', 'unknown role in an action: 400 or 404', 'asking an unknown static role for credentials gives 400', {
  unknownNameStatus: () => () => 400,
})
route(
  'failure-400',
  'a failing backend: 4xx, 500 or 502',
  'a refusal of the database gives 400',
  ['database.readCreds', 'database.rotateRoot', 'database.rotateRole'],
  refusalStatus(400, ({ status }) => status === 500),
)
route(
  'failure-502',
  'a failing backend: 4xx, 500 or 502',
  'a refusal of the database gives 502',
  ['database.readCreds', 'database.rotateRoot', 'database.rotateRole'],
  refusalStatus(502, ({ status }) => status === 500),
)
route(
  'verification-500',
  'a refused verification: 4xx, 500 or 502',
  'a failed verification gives 500',
  'database.writeConnection',
  refusalStatus(500, ({ message }) => message.includes('verified')),
)
change('delete-absent-404', 'deleting what is absent: 204, 200 or 404', 'deleting what is absent gives 404', {
  routes: {
    'database.deleteConnection': strictly((call) => call.state.connections.has(call.params.name ?? '')),
    'database.deleteRole': strictly((call) => call.state.roles.has(call.params.name ?? '')),
    'database.deleteStaticRole': strictly((call) => call.state.staticRoles.has(call.params.name ?? '')),
  },
})
route(
  'role-delete-revokes',
  'effect of a deletion on leases: open',
  'deleting a role revokes what it issued',
  'database.deleteRole',
  (original) => async (call) => {
    const { services, mount, params } = call
    await services.leases.revokePrefix(`${mount.namespace}${mount.path}creds/${params.name}/`).catch(() => undefined)
    return original(call)
  },
)
route(
  'connection-delete-revokes',
  'effect of a deletion on leases: open',
  'deleting a connection revokes what it issued',
  'database.deleteConnection',
  (original) => async (call) => {
    const { services, mount, state } = call
    const roles = [...state.roles].filter(([, role]) => role.dbName === call.params.name).map(([name]) => name)
    for (const role of roles) await services.leases.revokePrefix(`${mount.namespace}${mount.path}creds/${role}/`).catch(() => undefined)
    return original(call)
  },
)
rule('one-role-per-user', 'one-to-one both ways: open', 'a second static role for a user is refused', {
  userAvailable: () => (state, username) => ![...state.staticRoles.values()].some((role) => role.username === username),
})
rule('period-text', 'its JSON type is open', 'the rotation period of a static role is read as text', {
  shownStaticRole: (original) => (role) => ({ ...original(role), rotation_period: formatDuration(role.period) }),
})
rule('rotation-offset', 'Z or offset', 'the time of rotation has an offset instead of Z', {
  shownTime: (original) => (seconds) => `${original(seconds + 7200).replace(/Z$/, '')}+02:00`,
})
rule('url-password-masked', 'a password in the URL itself: open', 'a password in the connection URL is masked on read', {
  shownConnection: (original) => (connection) => {
    const shown = original(connection)
    const details = shown.connection_details as JsonObject
    const url = String(details.connection_url).replace(/:((?!\{\{)[^:@/]+)@/, ':*****@')
    return { ...shown, connection_details: { ...details, connection_url: url } }
  },
})
rule('expiration-margin', 'a margin within a minute', 'the database ends a user some seconds after its lease', {
  templateValues: (original) => (user) => original({ ...user, expiresAt: user.expiresAt + 5 }),
})
rule('plugin-late', 'when the name is looked up is not said', 'an unknown plugin is noticed at the first use', {
  pluginOf: (original) => (name) => original(name) ?? original('postgresql-database-plugin'),
})
