/** Faults of single parameters: values of a wrong type, defaults, what is made up where it has to be given, and what reads show. */
import { empty } from '../../core/envelope.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfHandling, replyData, requestDefault, requestNestedAs } from '../../faults/wrappers.ts'
import { databaseEngine } from './engine.ts'
import type { DatabaseState } from './state.ts'
import { nameOf } from './wrappers.ts'

const { rule, route, declared } = faultsOf(databaseEngine)

const PLUGIN = 'postgresql-database-plugin'

/** Operation, parameter, clause, and what an object is taken for. */
const OBJECTS: [operation: string, field: string, clause: string, value: Json][] = [
  ['writeConnection', 'plugin_name', 'PLUGIN-02', PLUGIN],
  ['writeConnection', 'connection_url', 'URL-05', 'none'],
  ['writeConnection', 'username', 'URL-07', 'root'],
  ['writeConnection', 'password', 'URL-08', 'object'],
  ['writeConnection', 'verify_connection', 'VERIFY-05', false],
  ['writeConnection', 'allowed_roles', 'ALLOWED-07', ['*']],
  ['writeConnection', 'password_policy', 'POLICY-09', ''],
  ['writeConnection', 'root_rotation_statements', 'ROOT-09', []],
  ['writeRole', 'default_ttl', 'TTL-05', 60],
  ['writeRole', 'max_ttl', 'TTL-11', 60],
  ['writeRole', 'creation_statements', 'STMT-05', ['SELECT 1']],
  ['writeRole', 'revocation_statements', 'STMT-09', []],
  ['writeRole', 'rollback_statements', 'STMT-12', []],
  ['writeRole', 'renew_statements', 'STMT-15', []],
  ['writeStaticRole', 'username', 'STATIC-12', 'x'],
  ['writeStaticRole', 'rotation_period', 'STATIC-19', 60],
  ['writeStaticRole', 'rotation_statements', 'STATIC-22', []],
]
for (const [operation, field, clause, value] of OBJECTS)
  route(
    `${operation}/${field}/object-taken`,
    `DATABASE-${clause}`,
    `an object for ${field} is taken for another value`,
    `database.${operation}`,
    requestNestedAs(field, value),
  )

/** Operation, parameter, clause, and the value where none is given. */
const DEFAULTS: [operation: string, field: string, clause: string, value: Json][] = [
  ['writeConnection', 'plugin_name', 'PLUGIN-01', PLUGIN],
  ['writeRole', 'default_ttl', 'TTL-01', 3600],
  ['writeRole', 'max_ttl', 'TTL-06', 86_400],
  ['writeStaticRole', 'rotation_period', 'STATIC-15', 86_400],
  ['writeStaticRole', 'rotation_statements', 'STATIC-21', ['SELECT 1']],
]
for (const [operation, field, clause, value] of DEFAULTS)
  route(
    `${operation}/${field}/made-up`,
    `DATABASE-${clause}`,
    `${field} that is left out has another value than stated, or one at all`,
    `database.${operation}`,
    requestDefault(field, value),
  )
rule('allowed-default-all', 'DATABASE-ALLOWED-01', 'a connection allows every role by default', {
  allowedRolesOf: (original) => (body, previous) => (body.allowed_roles === undefined && !previous ? ['*'] : original(body, previous)),
})
rule('verify-opt-in', 'DATABASE-VERIFY-01', 'a connection is verified only when asked', {
  verifies: () => (body) => body.verify_connection === true,
})
rule('verify-always', 'DATABASE-VERIFY-03', 'a connection is verified although that was declined', { verifies: () => () => true })

// What is kept
type Kept = (state: DatabaseState) => Map<string, unknown>
const KEPT: [operation: string, created: string, updated: string, things: Kept][] = [
  ['writeConnection', 'CONN-01', 'CONN-02', ({ connections }) => connections],
  ['writeRole', 'ROLE-01', 'ROLE-02', ({ roles }) => roles],
  ['writeStaticRole', 'STATIC-01', 'STATIC-02', ({ staticRoles }) => staticRoles],
]
for (const [operation, created, updated, things] of KEPT)
  for (const [id, clause, isLost] of [
    ['new-one-lost', created, false],
    ['second-write-lost', updated, true],
  ] as const)
    route(
      `${operation}/${id}`,
      `DATABASE-${clause}`,
      `${operation}: a ${isLost ? 'second write' : 'new one'} is acknowledged and not kept`,
      `database.${operation}`,
      insteadOfHandling(empty, (call) => things(call.state).has(nameOf(call)) === isLost),
    )
rule('role-kept', 'DATABASE-ROLE-06', 'a deleted role stays', { forgetsRole: () => () => false })
rule('static-kept', 'DATABASE-STATIC-08', 'a deleted static role stays', { forgetsStaticRole: () => () => false })
rule('roles-unlisted', 'DATABASE-ROLE-05', 'the listing misses the newest role', {
  roleNames: (original) => (state) => original(state).slice(0, -1),
})
rule('static-listed-lower', 'DATABASE-STATIC-07', 'names of static roles are listed in lower case', {
  staticRoleNames: (original) => (state) => original(state).map((name) => name.toLowerCase()),
})

// What reads show
rule('plugin-shortened', 'DATABASE-PLUGIN-03', 'the read shows the kind of plugin instead of its name', {
  shownConnection: (original) => (connection) => ({ ...original(connection), plugin_name: connection.pluginName.split('-')[0] ?? '' }),
})
rule('username-hidden', 'DATABASE-URL-04', 'the read masks the user name', {
  shownConnection: (original) => (connection) => ({
    ...original(connection),
    connection_details: { connection_url: connection.url, username: '*****' },
  }),
})
rule('role-db-hidden', 'DATABASE-ROLE-09', 'the read does not say the connection', {
  shownRole: (original) => (role) => ({ ...original(role), db_name: '' }),
})
const READ: [field: string, clause: string, value: Json][] = [
  ['rotation_statements', 'STATIC-04', []],
  ['rotation_period', 'STATIC-05', 60_000],
  ['username', 'STATIC-03', ''],
]
for (const [field, clause, value] of READ)
  route(
    `readStaticRole/${field}/other`,
    `DATABASE-${clause}`,
    `the read of a static role shows another ${field}`,
    'database.readStaticRole',
    replyData((data) => ({ ...data, [field]: value })),
  )

export const faults = declared
