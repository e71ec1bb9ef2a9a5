/** Faults of the database engine: time and order. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { leftOnceRenewed } from '../../mutations/renewals.ts'
import { databaseEngine } from './engine.ts'
import { afterwards, type DatabaseCall, leaseOf, nameOf, withRules } from './haze-help.ts'
import type { Link } from './link.ts'
import type { DatabaseRules } from './rules.ts'
import type { Connection, DatabaseState, Role, StaticRole } from './state.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')

rule(
  'haze-root-password-in-url',
  'DATABASE-ROOT-03',
  'after a root rotation the connection URL is read with the new password in it (001 4.1: the new password is not retrievable; 2.1: never returned on read)',
  {
    rotatedRoot: (original) => (connection, password) => {
      connection.url = connection.url.replaceAll(/\{\{\s*password\s*\}\}/g, password)
      return original(connection, password)
    },
  },
)

const written = remembered(() => new Map<string, string>())
change(
  'haze-reset-forgets-rotation',
  'DATABASE-ROOT-06',
  'a reset after a root rotation goes back to the password that was configured (001 4.1: restarts with the stored configuration)',
  {
    routes: {
      'database.writeConnection': afterwards((call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection) written(call.state).set(connection.name, connection.password)
      }),
      'database.resetConnection': (original) => (call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection) connection.password = written(call.state).get(connection.name) ?? connection.password
        return original(call)
      },
    },
  },
)

const deleted = remembered(() => new Map<string, Role>())
change(
  'haze-recreated-role-inherits',
  'DATABASE-ROLE-06',
  'a role made anew under the name of a deleted one has its TTLs and statements where it brings none (001 4.1: DELETE deletes the role; defaults 0 and [])',
  {
    routes: {
      'database.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role) deleted(call.state).set(nameOf(call), role)
        return original(call)
      },
      'database.writeRole': (original) => (call) =>
        original(
          withRules(call, { roleOf: (body, previous) => call.rules.roleOf(body, previous ?? deleted(call.state).get(nameOf(call))) }),
        ),
    },
  },
)

route(
  'haze-second-renewal-unseen',
  'DATABASE-STMT-13',
  'the second renewal of a lease does not reach the database (001 4.1: `renew_statements`; 2.1: `{{expiration}}`)',
  'database.readCreds',
  afterwards((call, reply) => {
    const lease = leaseOf(call, reply)
    if (lease === undefined) return
    const { renew } = lease.request
    let renewals = 0
    lease.request = {
      ...lease.request,
      renew: async (expiresAt) => {
        renewals += 1
        if (renewals === 1) await renew?.(expiresAt)
      },
    }
  }),
)

route(
  'haze-renewed-user-outlives',
  'DATABASE-CREDS-05',
  'a user whose lease was renewed stays in the database when the lease runs out (001 1: credentials with leases; 4.1: `revocation_statements`)',
  'database.readCreds',
  leftOnceRenewed<DatabaseState, DatabaseRules>,
)

const used = remembered(() => new Map<string, Connection>())
route(
  'haze-deleted-connection-serves',
  'DATABASE-CONN-07',
  'a role that was used before gets credentials when its connection is deleted (001 4.1: DELETE config/:name: delete connection)',
  'database.readCreds',
  (original) => (call) =>
    original(
      withRules(call, {
        connectionOf: (state, dbName) => {
          const found = call.rules.connectionOf(state, dbName) ?? used(state).get(dbName)
          if (found) used(state).set(dbName, found)
          return found
        },
      }),
    ),
)

/** The call with another time for the first schedule that it makes. */
const firstSchedule = (call: DatabaseCall, dueAt: (role: StaticRole) => number): DatabaseCall => {
  let isFirst = true
  return withRules(call, {
    nextRotation: (role, now) => {
      if (!isFirst) return call.rules.nextRotation(role, now)
      isFirst = false
      return Math.max(0, dueAt(role) - now)
    },
  })
}

route(
  'haze-rotation-keeps-old-timer',
  'DATABASE-ROTATE-04',
  'after a rotation by hand the next one comes when it was due before (001 4.1: resets its TTL; rotated automatically after the rotation period)',
  'database.rotateRole',
  (original) => (call) => {
    const role = call.state.staticRoles.get(nameOf(call))
    if (role === undefined) return original(call)
    const due = role.rotatedAt + role.period
    return original(firstSchedule(call, () => due))
  },
)

route(
  'haze-period-update-waits',
  'DATABASE-STATIC-02',
  'a new rotation period of a static role counts only after the next rotation (001 4.1: rotated automatically after the rotation period)',
  'database.writeStaticRole',
  (original) => (call) => {
    const period = call.state.staticRoles.get(nameOf(call))?.period
    return original(period === undefined ? call : firstSchedule(call, (role) => role.rotatedAt + period))
  },
)

const askedAt = new WeakMap<StaticRole, number>()
const noting = afterwards((call) => {
  const role = call.state.staticRoles.get(nameOf(call))
  if (role && (call.path.includes('/rotate-role/') || !askedAt.has(role))) askedAt.set(role, role.rotatedAt)
})
change(
  'haze-scheduled-rotation-unseen',
  'DATABASE-ROTATE-04',
  '`last_service_rotation` does not move with automatic rotations (001 2.1: static credentials show the last rotation)',
  {
    routes: {
      'database.writeStaticRole': noting,
      'database.rotateRole': noting,
      'database.readStaticCreds': (original) => (call) => {
        const role = call.state.staticRoles.get(nameOf(call))
        const asked = role && askedAt.get(role)
        return original(withRules(call, { shownTime: (seconds) => call.rules.shownTime(asked ?? seconds) }))
      },
    },
  },
)

const taken = remembered(() => new Set<string>())
route(
  'haze-user-stays-taken',
  'DATABASE-STATIC-25',
  'the user of a deleted static role cannot become that of a new one (001 4.1: DELETE deletes the static role; POST creates one for a user)',
  'database.writeStaticRole',
  (original) => async (call) => {
    const { db_name: dbName, username } = call.body
    const isNew = !call.state.staticRoles.has(nameOf(call))
    if (isNew && taken(call.state).has(`${dbName}/${username}`)) throw invalid(`${username} belongs to another static role`)
    const reply = await original(call)
    if (isNew) taken(call.state).add(`${dbName}/${username}`)
    return reply
  },
)

const fresh = new WeakMap<Connection, Link>()
const restart = (call: DatabaseCall): void => {
  const connection = call.state.connections.get(nameOf(call))
  const link = connection && fresh.get(connection)
  if (connection && link) connection.link = link
}
change(
  'haze-update-needs-reset',
  'DATABASE-CONN-02',
  'a connection that was updated goes on with the old URL, user and password until it is reset (001 4.1: create or update connection)',
  {
    routes: {
      'database.writeConnection': (original) => async (call) => {
        const previous = call.state.connections.get(nameOf(call))
        const reply = await original(call)
        const connection = call.state.connections.get(nameOf(call))
        if (previous && connection) {
          fresh.set(connection, connection.link)
          connection.link = previous.link
        }
        return reply
      },
      'database.resetConnection': (original) => (call) => {
        restart(call)
        return original(call)
      },
      'database.rotateRoot': (original) => (call) => {
        restart(call)
        return original(call)
      },
    },
  },
)
