/** Faults of the database engine in time and order: after an update, a deletion, a rotation, a refusal. */
import { secret } from '../../core/envelope.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import { afterwards, beforehand, byRules, withLease } from './anew-help.ts'
import { databaseEngine } from './engine.ts'
import { firstDelay, staticRoleOf } from './later-help.ts'
import type { DatabaseRules } from './rules.ts'
import type { Connection, DatabaseState, Role, StaticRole } from './state.ts'
import { type DatabaseCall, nameOf } from './wrappers.ts'

const { route, change } = faultsOf(databaseEngine, 'database')

const passwordWritten = new WeakMap<Connection, string>()
change(
  'later-reset-forgets-root-rotation',
  ['DATABASE-ROOT-06'],
  'after rotate-root and reset the connection logs in with the password from before (001 4.1: "with the stored configuration")',
  {
    routes: {
      'database.writeConnection': afterwards((call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection) passwordWritten.set(connection, connection.password)
      }),
      'database.resetConnection': beforehand((call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection) connection.password = passwordWritten.get(connection) ?? connection.password
      }),
    },
  },
)

route(
  'later-updated-connection-logs-in-as-before',
  ['DATABASE-ROOT-01'],
  'after an update of URL, user or password the connection still logs in with the former ones (001 4.1: "create or update connection")',
  'database.writeConnection',
  (original) => async (call) => {
    const former = call.state.connections.get(nameOf(call))
    const given = await original(call)
    const current = call.state.connections.get(nameOf(call))
    if (former === undefined || current === undefined) return given
    await current.link.close()
    current.link = former.link
    return given
  },
)

const deletedRoles = remembered(() => new Map<string, Role>())
change(
  'later-role-returns-with-former-fields',
  ['DATABASE-ROLE-06'],
  'a role created again after its deletion has its former TTLs and statements where none are given (001 4.1: "default 0", "default []")',
  {
    routes: {
      'database.deleteRole': beforehand((call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role) deletedRoles(call.state).set(nameOf(call), role)
      }),
      'database.writeRole': byRules((call) => ({
        roleOf: (body, previous) => call.rules.roleOf(body, previous ?? deletedRoles(call.state).get(nameOf(call))),
      })),
    },
  },
)

route(
  'later-first-credential-after-update-by-former',
  ['DATABASE-ROLE-02'],
  'the first credential after an update of a used role is made by its former state (001 4.1: "create or update dynamic role")',
  'database.readCreds',
  bySeenRole<DatabaseState, DatabaseRules>((seen, current) => current && (seen ?? current)),
)

const usersOnce = remembered(() => new Set<string>())
change(
  'later-static-user-taken-after-deletion',
  ['DATABASE-STATIC-25'],
  'after the deletion of a static role no other can be made for its user (001 4.1: "deletes the static role", "1-to-1 map")',
  {
    routes: {
      'database.deleteStaticRole': beforehand((call) => {
        const role = staticRoleOf(call)
        if (role) usersOnce(call.state).add(`${role.dbName} ${role.username}`)
      }),
      'database.writeStaticRole': byRules((call) => ({
        userAvailable: (state, dbName, username) =>
          !usersOnce(call.state).has(`${dbName} ${username}`) && call.rules.userAvailable(state, dbName, username),
      })),
    },
  },
)

route(
  'later-rotation-by-hand-keeps-timer',
  ['DATABASE-ROTATE-04'],
  'after a rotation by hand the next one comes when the former ttl ends, not the one shown (001 4.1: "manual rotation …; resets its TTL")',
  'database.rotateRole',
  firstDelay((call) => {
    const rotatedAt = staticRoleOf(call)?.rotatedAt ?? 0
    return (role, now) => rotatedAt + role.period - now
  }),
)

route(
  'later-new-period-after-next-rotation',
  ['DATABASE-STATIC-02'],
  'a changed rotation period counts only from the next rotation on (001 4.1: "rotated automatically after the rotation period")',
  'database.writeStaticRole',
  firstDelay((call) => {
    const period = staticRoleOf(call)?.period
    return period === undefined ? undefined : (role, now) => role.rotatedAt + period - now
  }),
)

route(
  'later-no-schedule-after-failed-rotation',
  ['DATABASE-ROTATE-01'],
  'after a refused rotation by hand there are none by schedule (001 4.1: "rotated automatically after the rotation period")',
  'database.rotateRole',
  beforehand((call) => staticRoleOf(call)?.cancel()),
)

route(
  'later-renewal-with-first-expiration',
  ['DATABASE-STMT-13'],
  'renewing a lease leaves the end of the login in the database as it was (001 2.1: `{{expiration}}`, `renew_statements`)',
  'database.readCreds',
  withLease((request, call) => {
    const { renew } = request
    const first = call.now() + request.ttl
    return renew === undefined ? request : { ...request, renew: () => renew(first) }
  }),
)

const rotatedByRequest = new WeakMap<StaticRole, number>()
change(
  'later-scheduled-rotation-not-told',
  ['DATABASE-ROTATE-04'],
  'the time of the last rotation is that of the last one by request, whatever the schedule did (001 2.1: `last_service_rotation`)',
  {
    routes: {
      'database.writeStaticRole': afterwards((call) => {
        const role = staticRoleOf(call)
        if (role && !rotatedByRequest.has(role)) rotatedByRequest.set(role, role.rotatedAt)
      }),
      'database.rotateRole': afterwards((call) => {
        const role = staticRoleOf(call)
        if (role) rotatedByRequest.set(role, role.rotatedAt)
      }),
      'database.readStaticCreds': byRules((call) => ({
        shownTime(seconds) {
          const role = staticRoleOf(call)
          return call.rules.shownTime((role && rotatedByRequest.get(role)) ?? seconds)
        },
      })),
    },
  },
)

const deletedSome = remembered(() => new Set<string>())
change(
  'later-emptied-connection-list',
  ['DATABASE-CONN-05'],
  'the list of connections is 200 with no keys once the last one was deleted (000 1.5: "An empty listing returns 404")',
  {
    routes: {
      'database.deleteConnection': beforehand((call) => void deletedSome(call.state).add(nameOf(call))),
      'database.listConnections': insteadOfRefusal<DatabaseCall>(
        () => secret({ keys: [] }),
        (call) => deletedSome(call.state).size > 0,
      ),
    },
  },
)

const allowedAtWrite = new WeakMap<Role, string[]>()
change(
  'later-allowed-as-of-role-write',
  ['DATABASE-ALLOWED-04'],
  'whether a role is allowed is decided by the connection as it was when the role was written (001 4.1: `allowed_roles`)',
  {
    routes: {
      'database.writeRole': afterwards((call) => {
        const role = call.state.roles.get(nameOf(call))
        const connection = role && call.rules.connectionOf(call.state, role.dbName)
        if (role && connection) allowedAtWrite.set(role, connection.allowedRoles)
      }),
      'database.readCreds': byRules((call) => ({
        roleAllowed(allowed, name) {
          const role = call.state.roles.get(name)
          return call.rules.roleAllowed((role && allowedAtWrite.get(role)) ?? allowed, name)
        },
      })),
    },
  },
)
