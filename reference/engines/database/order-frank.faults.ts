/** Faults of time and order: updates, what was deleted and made again, rotations, renewals, what comes after a failure. */
import { faultsOf } from '../../mutations/declare.ts'
import { brokenAfterFailure, bySeenRole, remembered } from '../../mutations/remembering.ts'
import { databaseEngine } from './engine.ts'
import { type DatabaseCall, nameOf, withLeases, withRules } from './frank-help.ts'
import type { DatabaseRules } from './rules.ts'
import type { Connection, DatabaseState } from './state.ts'

const { rule, route, change } = faultsOf(databaseEngine)

const connectionOf = ({ state }: DatabaseCall, name: string | undefined): Connection | undefined => state.connections.get(name ?? '')

route(
  'frank-updated-connection-goes-to-old-url',
  'DATABASE-CONN-02',
  'after an update of connection_url the work still goes to the old database (001 4.1: POST /database/config/:name creates or updates)',
  'database.writeConnection',
  (original) => async (call) => {
    const previous = connectionOf(call, nameOf(call))
    const given = await original(call)
    const current = connectionOf(call, nameOf(call))
    if (previous && current && previous.url !== current.url && previous.pluginName === current.pluginName) {
      await current.link.close()
      current.link = previous.link
    }
    return given
  },
)

const usedConnections = remembered(() => new Map<string, Connection>())

rule(
  'frank-deleted-connection-still-used',
  'DATABASE-CONN-07',
  'a connection that was used before is used on after its deletion (001 4.1: DELETE /database/config/:name deletes the connection)',
  {
    connectionOf: (original) => (state, dbName) => {
      const used = usedConnections(state)
      const connection = original(state, dbName)
      if (connection) used.set(dbName, connection)
      return used.get(dbName)
    },
  },
)

route(
  'frank-creds-by-role-of-last-time',
  'DATABASE-STMT-10',
  'the first credential after an update of a role is made by the role as it was (001 4.1: POST /database/roles/:name creates or updates)',
  'database.readCreds',
  bySeenRole<DatabaseState, DatabaseRules>((seen, current) => current && (seen ?? current)),
)

rule(
  'frank-rotation-by-hand-keeps-ttl',
  'DATABASE-ROTATE-04',
  'a rotation by hand leaves the TTL as it was (001 4.1: rotate-role resets its TTL)',
  {
    rotatedByHandAt: () => (role) => role.rotatedAt,
  },
)

route(
  'frank-no-schedule-after-rotation-by-hand',
  'DATABASE-ROTATE-01',
  'after a rotation by hand a static role is no longer rotated by schedule (001 4.1: rotated automatically after the rotation period)',
  'database.rotateRole',
  (original) => async (call) => {
    const given = await original(call)
    call.state.staticRoles.get(nameOf(call))?.cancel()
    return given
  },
)

route(
  'frank-new-period-after-old-one',
  'DATABASE-STATIC-02',
  'a shorter rotation_period takes effect once the old one is over (001 4.1: rotated automatically after the rotation period)',
  'database.writeStaticRole',
  (original) => (call) => {
    let oldPeriod = call.state.staticRoles.get(nameOf(call))?.period
    return original(
      withRules(call, {
        nextRotation(role, now) {
          const period = oldPeriod ?? role.period
          oldPeriod = undefined
          return call.rules.nextRotation({ ...role, period }, now)
        },
      }),
    )
  },
)

const deletedStaticRoles = remembered(() => new Set<string>())

change(
  'frank-static-role-made-again-not-set',
  'DATABASE-STATIC-25',
  'a static role that is made again after deletion shows a password that the database was not given (001 4.1: static-creds, `password`)',
  {
    routes: {
      'database.deleteStaticRole': (original) => (call) => {
        if (call.state.staticRoles.has(nameOf(call))) deletedStaticRoles(call.state).add(nameOf(call))
        return original(call)
      },
      'database.writeStaticRole': (original) => (call) => {
        let isSet = deletedStaticRoles(call.state).delete(nameOf(call))
        return original(
          withRules(call, {
            rotatesInDatabase(role) {
              const needed = !isSet && call.rules.rotatesInDatabase(role)
              isSet = false
              return needed
            },
          }),
        )
      },
    },
  },
)

rule(
  'frank-failed-rotation-changes-password',
  'DATABASE-ROTATE-06',
  'after a rotation that the database refused, static-creds shows the password that it refused (001 4.1: static-creds, `password`)',
  { unrotated: () => (_role, password) => password },
)

route(
  'frank-unverified-update-stored',
  'DATABASE-VERIFY-04',
  'an update of a connection whose verification fails is stored all the same (001 4.1: `verify_connection`, verify at configuration time)',
  'database.writeConnection',
  (original) => async (call) => {
    const previous = connectionOf(call, nameOf(call))
    try {
      return await original(withRules(call, { storesUnverified: () => previous !== undefined }))
    } catch (cause) {
      if (connectionOf(call, nameOf(call)) !== previous) await previous?.link.close()
      throw cause
    }
  },
)

route(
  'frank-renewed-user-ends-in-time',
  'DATABASE-CREDS-06',
  'the user of a renewed lease is dropped when the lease would have ended without renewal (001 1: credentials on demand with leases)',
  'database.readCreds',
  (original) => (call) => {
    const { clock, leases } = call.services
    return original(
      withLeases(
        call,
        (request) => request,
        (lease) => {
          clock.after(lease.ttl, () => {
            if (leases.find(lease.id)) void lease.request.revoke().catch(() => undefined)
          })
        },
      ),
    )
  },
)

route(
  'frank-connection-broken-by-one-failure',
  'DATABASE-CREDS-11',
  'once a creation has failed, no role gets credentials at that connection until it is written again (001 4.1: GET /database/creds/:name)',
  'database.readCreds',
  brokenAfterFailure<DatabaseCall>((call) => connectionOf(call, call.state.roles.get(nameOf(call))?.dbName), 'the connection is broken'),
)

const allowedOnce = remembered(() => new Set<string>())

route(
  'frank-allowed-once-allowed-ever',
  'DATABASE-ALLOWED-04',
  'a role that got credentials once goes on getting them when allowed_roles no longer names it (001 4.1: `allowed_roles`)',
  'database.readCreds',
  (original) => async (call) => {
    const known = allowedOnce(call.state)
    const given = await original(
      withRules(call, { roleAllowed: (allowed, role) => known.has(role) || call.rules.roleAllowed(allowed, role) }),
    )
    known.add(nameOf(call))
    return given
  },
)
