/** Faults of time and order: after deletion, re-creation, updates, failures, renewal, expiry. */
import { faultsOf } from '../../mutations/declare.ts'
import { brokenAfterFailure, remembered } from '../../mutations/remembering.ts'
import { maximumCountedAnew } from '../../mutations/renewals.ts'
import { databaseEngine } from './engine.ts'
import type { Link } from './link.ts'
import type { Connection } from './state.ts'
import { connectionOfRole, leaseOf, nameOf, withRules } from './west-help.ts'

const { route, change } = faultsOf(databaseEngine, 'database')

const rotations = remembered(() => new Map<string, number>())
change(
  'west-recreated-role-dated-before',
  'DATABASE-STATIC-08',
  'a static role that is created again shows the rotation time of the deleted one (001 2.1: last_service_rotation, ttl)',
  {
    routes: {
      'database.deleteStaticRole': (original) => (call) => {
        const role = call.state.staticRoles.get(nameOf(call))
        if (role) rotations(call.state).set(nameOf(call), role.rotatedAt)
        return original(call)
      },
      'database.writeStaticRole': (original) => async (call) => {
        const isNew = !call.state.staticRoles.has(nameOf(call))
        const reply = await original(call)
        const role = call.state.staticRoles.get(nameOf(call))
        if (isNew && role) role.rotatedAt = rotations(call.state).get(nameOf(call)) ?? role.rotatedAt
        return reply
      },
    },
  },
)

const allowedOnce = remembered(() => new Set<string>())
route(
  'west-allowed-once-allowed-always',
  'DATABASE-ALLOWED-04',
  'a role that has got credentials keeps getting them after allowed_roles is narrowed (001 4.1: allowed_roles)',
  'database.readCreds',
  (original) => async (call) => {
    const key = `${call.state.roles.get(nameOf(call))?.dbName}/${nameOf(call)}`
    const known = allowedOnce(call.state)
    const reply = await original(
      withRules(call, { roleAllowed: (allowed, role) => known.has(key) || call.rules.roleAllowed(allowed, role) }),
    )
    known.add(key)
    return reply
  },
)

const oldLinks = remembered(() => new Map<string, Link>())
change(
  'west-recreated-connection-old-session',
  'DATABASE-CONN-06',
  'a connection that is deleted and created again connects as the former one did (001 4.1: DELETE config/:name; create connection)',
  {
    routes: {
      'database.deleteConnection': (original) => (call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection) oldLinks(call.state).set(nameOf(call), connection.link)
        return original(call)
      },
      'database.writeConnection': (original) => async (call) => {
        const isNew = !call.state.connections.has(nameOf(call))
        const reply = await original(call)
        const connection = call.state.connections.get(nameOf(call))
        const old = oldLinks(call.state).get(nameOf(call))
        if (isNew && connection && old?.plugin === connection.link.plugin) {
          await connection.link.close()
          connection.link = old
        }
        return reply
      },
    },
  },
)

route(
  'west-update-of-password-unverified',
  'DATABASE-VERIFY-04',
  'an update of a connection that leaves its URL is not verified (001 4.1: verify_connection, default true)',
  'database.writeConnection',
  (original) => (call) => {
    const previous = call.state.connections.get(nameOf(call))
    const isSameUrl = previous !== undefined && (call.body.connection_url ?? previous.url) === previous.url
    return original(isSameUrl ? withRules(call, { verifies: () => false }) : call)
  },
)

const configured = new WeakMap<Connection, string>()
change(
  'west-reset-to-written-password',
  'DATABASE-ROOT-06',
  'a reset after a rotation of the root user logs in with the password that was written first (001 4.1: reset, stored configuration; rotate-root)',
  {
    routes: {
      'database.writeConnection': (original) => async (call) => {
        const reply = await original(call)
        const connection = call.state.connections.get(nameOf(call))
        if (connection) configured.set(connection, connection.password)
        return reply
      },
      'database.resetConnection': (original) => (call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection) connection.password = configured.get(connection) ?? connection.password
        return original(call)
      },
    },
  },
)

route(
  'west-old-timer-after-rotation',
  'DATABASE-ROTATE-04',
  'after a rotation by hand the next one still comes when it was due before (001 4.1: rotate-role resets its TTL)',
  'database.rotateRole',
  (original) => async (call) => {
    const role = call.state.staticRoles.get(nameOf(call))
    if (role === undefined) return original(call)
    const before = role.cancel
    role.cancel = () => {}
    try {
      return await original(call)
    } finally {
      const after = role.cancel
      role.cancel = () => {
        before()
        after()
      }
    }
  },
)

route(
  'west-new-period-not-armed',
  'DATABASE-STATIC-02',
  'an update of the rotation period is shown, but the next rotation comes after the former one (001 4.1: rotated automatically after the rotation period)',
  'database.writeStaticRole',
  (original) => async (call) => {
    const role = call.state.staticRoles.get(nameOf(call))
    if (role === undefined) return original(call)
    const armed = role.cancel
    role.cancel = () => {}
    try {
      return await original(withRules(call, { nextRotation: () => undefined }))
    } finally {
      role.cancel = armed
    }
  },
)

route(
  'west-renewed-beyond-max-ttl',
  'DATABASE-TTL-09',
  'renewals carry a lease beyond max_ttl of its role, which counts anew from each (001 4.1: max_ttl, never longer)',
  'database.readCreds',
  maximumCountedAnew,
)

route(
  'west-renewal-to-first-expiry',
  'DATABASE-STMT-13',
  '`{{expiration}}` of renew statements is that of the issue, so that the database user ends early (001 2.1: `{{expiration}}`; 4.1: renew_statements)',
  'database.readCreds',
  (original) => async (call) => {
    const reply = await original(call)
    const lease = leaseOf(call, reply)
    const { renew } = lease?.request ?? {}
    if (lease && renew) {
      const first = lease.expiresAt
      lease.request.renew = () => renew(first)
    }
    return reply
  },
)

route(
  'west-broken-by-bad-statement',
  'DATABASE-CREDS-11',
  'after a failed creation the connection gives no credentials any more, for no role (001 4.1: creds; a failing statement has no effect)',
  'database.readCreds',
  brokenAfterFailure(connectionOfRole, 'database: the connection is broken'),
)

/** Timers may be early by a little. */
const EARLY = 0.5

route(
  'west-expiry-left-to-database',
  'DATABASE-STMT-06',
  'a lease that expires, unlike one that is revoked, leaves the database user as it is (001 1: credentials with leases; 4.1: revocation_statements)',
  'database.readCreds',
  (original) => async (call) => {
    const reply = await original(call)
    const lease = leaseOf(call, reply)
    if (lease === undefined) return reply
    const { revoke } = lease.request
    lease.request.revoke = async () => {
      if (call.now() < lease.expiresAt - EARLY) await revoke()
    }
    return reply
  },
)
