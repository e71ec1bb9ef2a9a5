/** Faults of a second time, of afterwards, and of what stays in a cache. */
import { secret } from '../../core/envelope.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokenAfterFailure, bySeenRole, emptiedListing, sharedWithinSecond } from '../../mutations/remembering.ts'
import { databaseEngine } from './engine.ts'
import type { Connection, DatabaseState, Role, StaticRole } from './state.ts'
import { type DatabaseCall, type Handle, nameOf } from './wrappers.ts'

const { rule, route, change } = faultsOf(databaseEngine)

route(
  'time-creds-after-update',
  ['DATABASE-ROLE-02'],
  'the first credentials after an update of the role still follow the old role (001 4.1, update role)',
  'database.readCreds',
  bySeenRole((seen, current) => current && (seen ?? current)),
)

route(
  'time-deleted-role-serves',
  ['DATABASE-ROLE-06'],
  'a role that gave credentials once gives more after it was deleted (001 4.1, DELETE roles)',
  'database.readCreds',
  bySeenRole((seen, current) => current ?? seen),
)

const usedConnections = new WeakMap<DatabaseState['connections'], Map<string, Connection>>()

rule(
  'time-deleted-connection-serves',
  ['DATABASE-CONN-07'],
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

route(
  'time-update-keeps-address',
  ['DATABASE-CONN-02'],
  'an update of a connection is shown and the old address and password are used on (001 4.1, update connection)',
  'database.writeConnection',
  (original) => async (call) => {
    const before = call.state.connections.get(nameOf(call))
    const given = await original(call)
    const after = call.state.connections.get(nameOf(call))
    if (before && after) after.link = before.link
    return given
  },
)

const firstPassword = new WeakMap<Connection, string>()

change(
  'time-reset-undoes-rotation',
  ['DATABASE-ROOT-06'],
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

const byHand = new WeakSet<StaticRole>()

rule(
  'time-hand-ends-schedule',
  ['DATABASE-ROTATE-01'],
  'after a rotation by hand there is none by schedule (001 4.1, rotated automatically)',
  {
    rotatedByHandAt: (original) => (role, now) => {
      byHand.add(role)
      return original(role, now)
    },
    nextRotation: (original) => (role, now) => (byHand.has(role) ? undefined : original(role, now)),
  },
)

const rotations = new WeakMap<StaticRole, number>()

rule(
  'time-schedule-once',
  ['DATABASE-ROTATE-01'],
  'a static role is rotated by schedule once (001 4.1, rotated automatically after the period)',
  {
    rotatedAt: (original) => (role, now) => {
      rotations.set(role, (rotations.get(role) ?? 0) + 1)
      return original(role, now)
    },
    nextRotation: (original) => (role, now) => ((rotations.get(role) ?? 0) > 1 ? undefined : original(role, now)),
  },
)

route(
  'time-broken-until-reset',
  ['DATABASE-CREDS-13'],
  'after one failed creation a role gives no credentials until it is written again (001 4.1, creds)',
  'database.readCreds',
  brokenAfterFailure((call: DatabaseCall) => call.state.roles.get(nameOf(call)), 'database: the session is in a failed state'),
)

route(
  'time-broken-connection',
  ['DATABASE-CREDS-11'],
  'after one failed creation no role of the connection gives credentials until a reset (001 4.1, creds)',
  'database.readCreds',
  brokenAfterFailure(
    (call: DatabaseCall) => call.state.connections.get(call.state.roles.get(nameOf(call))?.dbName ?? ''),
    'database: the session is in a failed state',
  ),
)

route(
  'time-creds-shared-within-second',
  ['DATABASE-CREDS-02'],
  'two requests for credentials within a second get the same (001 1, created on demand)',
  'database.readCreds',
  sharedWithinSecond((call: DatabaseCall) => call.state.roles.get(nameOf(call))),
)

const renewals = new WeakMap<Role, number>()

rule(
  'time-second-renewal-idle',
  ['DATABASE-STMT-13'],
  'the second renewal of a lease is not told to the database (001 4.1, renew_statements)',
  {
    renewal: (original) => (role, standard) => {
      renewals.set(role, (renewals.get(role) ?? 0) + 1)
      return (renewals.get(role) ?? 0) > 1 ? [] : original(role, standard)
    },
  },
)

const firstPeriod = new WeakMap<StaticRole, number>()

rule(
  'time-period-of-creation',
  ['DATABASE-STATIC-02'],
  'a changed rotation period is shown and the first one kept to (001 4.1, update static role)',
  {
    nextRotation: (original) => (role, now) => {
      const period = firstPeriod.get(role) ?? role.period
      firstPeriod.set(role, period)
      return original({ ...role, period }, now)
    },
  },
)

route(
  'time-static-creds-cached',
  ['DATABASE-ROTATE-03'],
  'static credentials that were read are shown until their ttl is over, also after a rotation by hand (001 4.1, rotate-role)',
  'database.readStaticCreds',
  (original) => {
    const cached = new WeakMap<StaticRole, { until: number; given: Reply }>()
    return async (call) => {
      const role = call.state.staticRoles.get(nameOf(call))
      const before = role && cached.get(role)
      if (before && call.now() < before.until) return before.given
      const given = await original(call)
      const { data } = given.body as { data: { ttl: number } }
      if (role) cached.set(role, { until: call.now() + data.ttl, given })
      return given
    }
  },
)

const rotatedOnce = new WeakSet<Connection>()

rule('time-second-root-rotation', ['DATABASE-ROOT-01'], 'the second root rotation keeps the password of the first (001 4.1, rotate-root)', {
  rotatedRoot: (original) => (connection, password) => {
    if (rotatedOnce.has(connection)) return connection.password
    rotatedOnce.add(connection)
    return original(connection, password)
  },
})

route(
  'time-update-unverified',
  ['DATABASE-VERIFY-04'],
  'an update of a connection is not verified (001 4.1, verify_connection)',
  'database.writeConnection',
  (original) => (call) =>
    original(call.state.connections.has(nameOf(call)) ? { ...call, rules: { ...call.rules, verifies: () => false } } : call),
)

route(
  'time-list-emptied',
  ['DATABASE-ROLE-05'],
  'a listing of roles that had names once is an empty 200 when the last is deleted (000 1.5, empty listing)',
  'database.listRoles',
  emptiedListing(() => secret({ keys: [] })),
)

route(
  'order-creds-lower-maximum',
  'DATABASE-CREDS-07',
  'once a role has given credentials, its longest lifetime is its usual one',
  'database.readCreds',
  (original) => async (call) => {
    const reply = await original(call)
    const role = call.state.roles.get(nameOf(call))
    if (role) call.state.roles.set(nameOf(call), { ...role, maxTtl: role.defaultTtl })
    return reply
  },
)
