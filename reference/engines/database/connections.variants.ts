/** Legal alternatives of connections. */
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { variantsOf } from '../../faults/declare.ts'
import { brokenAfterFailure } from '../../faults/remembering.ts'
import { refusalStatus, replyInsteadOf204 } from '../../faults/wrappers.ts'
import { databaseEngine } from './engine.ts'

const { rule, route, change, declared } = variantsOf(databaseEngine)

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
rule('url-password-masked', 'a password in the URL itself: open', 'a password in the connection URL is masked on read', {
  shownConnection: (original) => (connection) => {
    const shown = original(connection)
    const details = shown.connection_details as JsonObject
    const url = String(details.connection_url).replace(/:((?!\{\{)[^:@/]+)@/, ':*****@')
    return { ...shown, connection_details: { ...details, connection_url: url } }
  },
})
route(
  'url-templates-only',
  'support of the common fields varies by plugin',
  'a connection URL without templates is refused',
  'database.writeConnection',
  (original) => (call) => {
    const url = call.body.connection_url ?? call.body.url
    if (typeof url === 'string' && !url.includes('{{')) throw invalid('the connection URL has no templates')
    return original(call)
  },
)
rule('plugin-late', 'when the name is looked up is not said', 'an unknown plugin is noticed at the first use', {
  pluginOf: (original) => (name) => original(name) ?? original('postgresql-database-plugin'),
})
route(
  'not-allowed-500',
  '4xx rather than 500 is advised where it is asking for credentials',
  'credentials of a role that is not allowed fail with 500',
  'database.readCreds',
  refusalStatus(500, ({ message }) => message.includes('is not an allowed role')),
)
route(
  'role-out-of-order',
  'that the same object serves again at once: advised',
  'after a creation that failed its role gives no credentials',
  'database.readCreds',
  // The database has not failed where what was asked for is not allowed, whatever the status.
  brokenAfterFailure(({ state, params: { name = '' }, rules }) => {
    const role = state.roles.get(name)
    const connection = role && rules.connectionOf(state, role.dbName)
    return connection && rules.roleAllowed(connection.allowedRoles, name) ? role : undefined
  }, 'the role is out of order'),
)
rule('user-stays-after-failure', 'that nothing stays at the provider: advised', 'without rollback statements nothing is undone', {
  rollback: () => (role) => role.rollback,
})
rule('failures-quote-passwords', 'nothing is said of error texts', 'a failed verification quotes the credentials', {
  failureText: (original) => (error, connection) => `${original(error, connection)} (${connection.username}:${connection.password})`,
})

export const variants = declared
