/** Faults of time and order: the second time, after a deletion, a failure, a renewal, an expiry, a lost session. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { leaseIn, nameOf, withRules } from './birch-help.ts'
import { databaseEngine } from './engine.ts'
import type { DatabaseRules } from './rules.ts'
import type { Connection, DatabaseState, StaticRole } from './state.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')

rule(
  'birch-new-period-after-next-rotation',
  'DATABASE-STATIC-02',
  'a changed rotation_period holds only from the next rotation on (001 4.1: rotated automatically after the rotation period)',
  {
    nextRotation: (original) => {
      const due = new WeakMap<StaticRole, { rotatedAt: number; at: number }>()
      return (role, now) => {
        const known = due.get(role)
        if (known?.rotatedAt === role.rotatedAt) return Math.max(0, known.at - now)
        const delay = original(role, now)
        if (delay !== undefined) due.set(role, { rotatedAt: role.rotatedAt, at: now + delay })
        return delay
      }
    },
  },
)

route(
  'birch-schedule-unmoved-by-hand',
  'DATABASE-ROTATE-04',
  'after a rotation by hand the next one comes when it was due before (001 4.1: rotate-role resets its TTL)',
  'database.rotateRole',
  (original) => (call) => {
    const before = call.state.staticRoles.get(nameOf(call))?.rotatedAt ?? 0
    const nextRotation: DatabaseRules['nextRotation'] = (role, now) => {
      const left = before + role.period - now
      return left > 0 ? left : call.rules.nextRotation(role, now)
    }
    return original(withRules(call, { nextRotation }))
  },
)

route(
  'birch-deleted-role-in-use',
  'DATABASE-ROLE-06',
  'a deleted role gives credentials on where it gave some before (001 4.1: DELETE roles/:name)',
  'database.readCreds',
  bySeenRole<DatabaseState, DatabaseRules>((seen, current) => current ?? seen),
)

route(
  'birch-allowed-once-allowed-ever',
  'DATABASE-ALLOWED-04',
  'a role that was allowed when it first gave credentials stays so when allowed_roles is narrowed (001 4.1: allowed_roles)',
  'database.readCreds',
  (original) => {
    const allowed = remembered(() => new Set<string>())
    return async (call) => {
      const key = JSON.stringify([call.state.roles.get(nameOf(call))?.dbName, nameOf(call)])
      const reply = await original(allowed(call.state).has(key) ? withRules(call, { roleAllowed: () => true }) : call)
      allowed(call.state).add(key)
      return reply
    }
  },
)

const writtenPasswords = new WeakMap<Connection, string>()
change(
  'birch-reset-to-written-password',
  'DATABASE-ROOT-06',
  'a reset after a root rotation takes the password that was written, not the rotated one (001 4.1: reset, the stored configuration)',
  {
    routes: {
      'database.writeConnection': (original) => async (call) => {
        const reply = await original(call)
        const connection = call.state.connections.get(nameOf(call))
        if (connection) writtenPasswords.set(connection, connection.password)
        return reply
      },
      'database.resetConnection': (original) => (call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection) connection.password = writtenPasswords.get(connection) ?? connection.password
        return original(call)
      },
    },
  },
)

rule(
  'birch-second-root-rotation-lost',
  'DATABASE-ROOT-01',
  'the password of a second root rotation is not stored (001 4.1: rotate-root rotates the stored password of the root user)',
  {
    rotatedRoot: (original) => {
      const rotated = new WeakSet<Connection>()
      return (connection, password) => {
        if (rotated.has(connection)) return connection.password
        rotated.add(connection)
        return original(connection, password)
      }
    },
  },
)

route(
  'birch-renewal-with-first-expiration',
  'DATABASE-STMT-13',
  'renew_statements get the {{expiration}} of the issue, not of the renewal (001 2.1: {{expiration}}; 4.1: renew_statements)',
  'database.readCreds',
  (original) => async (call) => {
    const reply = await original(call)
    const lease = leaseIn(call, reply)
    const renew = lease?.request.renew
    if (lease === undefined || renew === undefined) return reply
    const first = lease.expiresAt
    lease.request.renew = () => renew(first)
    return reply
  },
)

route(
  'birch-expiry-by-usual-revocation',
  'DATABASE-STMT-06',
  'a credential that expires is revoked by the statements of the plugin, not of the role (001 4.1: revocation_statements)',
  'database.readCreds',
  (original) => async (call) => {
    const { state, rules } = call
    const connection = state.connections.get(state.roles.get(nameOf(call))?.dbName ?? '')
    const reply = await original(call)
    const lease = leaseIn(call, reply)
    if (lease === undefined || connection === undefined) return reply
    const { username, password } = (reply.body as { data: { username: string; password: string } }).data
    const revoke = lease.request.revoke
    lease.request.revoke = () => {
      // Timers may be early by a little.
      if (call.now() < lease.expiresAt - 0.5) return revoke()
      const values = rules.templateValues({ username, password, expiresAt: lease.expiresAt })
      return connection.link.run(rules.prepared(connection.link.plugin.revocation, values))
    }
    return reply
  },
)

const deletedConnections = remembered(() => new Map<string, string[]>())
change(
  'birch-new-connection-inherits-allowed-roles',
  'DATABASE-ALLOWED-01',
  'a connection that is created again has the allowed_roles of the deleted one (001 4.1: allowed_roles, default [])',
  {
    routes: {
      'database.deleteConnection': (original) => (call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection) deletedConnections(call.state).set(nameOf(call), connection.allowedRoles)
        return original(call)
      },
      'database.writeConnection': (original) => (call) => {
        const inherited = deletedConnections(call.state).get(nameOf(call))
        if (inherited === undefined || call.state.connections.has(nameOf(call))) return original(call)
        const body: JsonObject = { allowed_roles: inherited, ...call.body }
        return original({ ...call, body })
      },
    },
  },
)

route(
  'birch-failed-rotation-dated',
  'DATABASE-SCREDS-03',
  'a rotation by hand that the database refuses is dated as if it had happened (001 2.1: last_service_rotation, ttl)',
  'database.rotateRole',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const role = call.state.staticRoles.get(nameOf(call))
      if (role) role.rotatedAt = call.now()
      throw cause
    }
  },
)

route(
  'birch-refused-update-deletes-connection',
  'DATABASE-VERIFY-04',
  'an update whose verification fails leaves no connection behind (001 4.1: POST config/:name, verify_connection)',
  'database.writeConnection',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (call.rules.verifies(call.body)) call.state.connections.delete(nameOf(call))
      throw cause
    }
  },
)

route(
  'birch-hand-rotation-by-other-policy',
  'DATABASE-POLICY-06',
  'passwords are of 24 letters and digits from a rotation by hand on (001 4.1: password_policy, 20 characters with a dash)',
  'database.rotateRole',
  (original) => (call) => original(withRules(call, { staticPassword: (random) => random.word(24) })),
)
