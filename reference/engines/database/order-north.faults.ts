/** Faults of time and order: second calls, updates, deletion and re-creation, rotation, renewal, what is left of failures. */
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { maximumCountedAnew } from '../../mutations/renewals.ts'
import { databaseEngine } from './engine.ts'
import { connectionIn, deciding, leaseIn, nameOf, roleIn, staticRoleIn } from './north-help.ts'
import type { DatabaseRules } from './rules.ts'
import type { DatabaseState, StaticRole } from './state.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')

route(
  'north-update-below-minimum',
  'DATABASE-STATIC-16',
  'a rotation_period below the minimum passes in an update, as of 2 seconds (001 8: rotation_period, minimum 5 seconds)',
  'database.writeStaticRole',
  (original) => (call) => original(staticRoleIn(call) === undefined ? call : deciding(call, { periodAllowed: (period) => period >= 1 })),
)

route(
  'north-old-timer-after-rotation',
  'DATABASE-ROTATE-04',
  'after a rotation by hand the next one comes when the one before was due (001 4.1: rotate-role/:name, resets its TTL)',
  'database.rotateRole',
  (original) => (call) => {
    const role = staticRoleIn(call)
    if (role === undefined) return original(call)
    const due = role.rotatedAt + role.period
    let isFirst = true
    return original(
      deciding(call, {
        nextRotation: (rotated, now) => {
          if (!isFirst) return call.rules.nextRotation(rotated, now)
          isFirst = false
          return Math.max(0, due - now)
        },
      }),
    )
  },
)

route(
  'north-no-schedule-after-rotation',
  'DATABASE-ROTATE-01',
  'once a static role was rotated by hand, it is not rotated by itself (001 4.1: rotated automatically after the rotation period)',
  'database.rotateRole',
  (original) => (call) => original(deciding(call, { nextRotation: () => undefined })),
)

const written = remembered(() => new Map<string, string>())
change(
  'north-reset-before-rotation',
  'DATABASE-ROOT-06',
  'a reset after rotate-root starts with the password from before it (001 4.1: reset/:name, restarts it with the stored configuration)',
  {
    routes: {
      'database.writeConnection': (original) => async (call) => {
        const given = await original(call)
        written(call.state).set(nameOf(call), connectionIn(call)?.password ?? '')
        return given
      },
      'database.resetConnection': (original) => (call) => {
        const connection = connectionIn(call)
        if (connection !== undefined) connection.password = written(call.state).get(nameOf(call)) ?? connection.password
        return original(call)
      },
    },
  },
)

const onceAllowed = remembered(() => new Set<string>())
route(
  'north-narrowed-allowed-roles-unnoticed',
  'DATABASE-ALLOWED-04',
  'a role that was used stays allowed when the connection no more names it (001 4.1: config/:name, create or update; allowed_roles)',
  'database.readCreds',
  (original) => (call) => {
    const use = `${roleIn(call)?.dbName} ${nameOf(call)}`
    const roleAllowed: DatabaseRules['roleAllowed'] = (allowed, role) => {
      if (call.rules.roleAllowed(allowed, role)) onceAllowed(call.state).add(use)
      return onceAllowed(call.state).has(use)
    }
    return original(deciding(call, { roleAllowed }))
  },
)

const deleted = remembered(() => new Map<string, string[]>())
change(
  'north-connection-made-again-allows-as-before',
  'DATABASE-ALLOWED-01',
  'a connection made again after its deletion allows the roles of the former (001 4.1: DELETE config/:name; allowed_roles, default [])',
  {
    routes: {
      'database.deleteConnection': (original) => (call) => {
        const connection = connectionIn(call)
        if (connection !== undefined) deleted(call.state).set(nameOf(call), connection.allowedRoles)
        return original(call)
      },
      'database.writeConnection': (original) => (call) => {
        const allowed = connectionIn(call) === undefined ? deleted(call.state).get(nameOf(call)) : undefined
        return original(allowed === undefined ? call : { ...call, body: { allowed_roles: allowed, ...call.body } })
      },
    },
  },
)

route(
  'north-update-noticed-one-user-late',
  'DATABASE-STMT-10',
  'the first user after an update of its role is made by the role before it (001 4.1: roles/:name, create or update; creds/:name)',
  'database.readCreds',
  bySeenRole<DatabaseState, DatabaseRules>((seen, current) => (current === undefined ? undefined : (seen ?? current))),
)

route(
  'north-maximum-counted-from-renewal',
  'DATABASE-TTL-09',
  'each renewal of credentials counts max_ttl anew (001 4.1: max_ttl, never longer; readings: the lease never exceeds the maximum)',
  'database.readCreds',
  maximumCountedAnew,
)

route(
  'north-renewal-to-former-end',
  'DATABASE-STMT-13',
  'a renewal fills {{expiration}} with the end that the lease had before (001 4.1: renew_statements; 2.1: {{expiration}})',
  'database.readCreds',
  (original) => async (call) => {
    const given = await original(call)
    const lease = leaseIn(call, given)
    const renew = lease?.request.renew
    if (lease !== undefined && renew !== undefined) lease.request.renew = () => renew(lease.expiresAt)
    return given
  },
)

route(
  'north-refused-update-stores-allowed-roles',
  'DATABASE-VERIFY-04',
  'an update that cannot be verified has stored its allowed roles (001 4.1: verify_connection, verify at configuration time)',
  'database.writeConnection',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const before = connectionIn(call)
      const { allowed_roles: allowed } = call.body
      if (cause instanceof ApiError && before !== undefined && Array.isArray(allowed) && allowed.every((name) => typeof name === 'string'))
        before.allowedRoles = call.rules.allowedRolesOf(call.body, before.allowedRoles)
      throw cause
    }
  },
)

rule(
  'north-password-stored-before-refusal',
  'DATABASE-ROTATE-06',
  'a rotation that the database refuses leaves a password that does not log in (001 2.1: static credentials; 4.1: rotate-role/:name)',
  { unrotated: () => (_role, password) => password },
)

const firstTimes = new WeakMap<StaticRole, string>()
rule(
  'north-last-rotation-as-first-read',
  'DATABASE-ROTATE-07',
  'last_service_rotation stays as it was when the credentials were read first (001 2.1: last_service_rotation, timestamp)',
  {
    shownStaticCredential: (original) => (role, ttl, rotatedAt) => {
      const first = firstTimes.get(role) ?? rotatedAt
      firstTimes.set(role, first)
      return original(role, ttl, first)
    },
  },
)
