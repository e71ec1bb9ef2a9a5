/** Faults of time and order: second calls, updates, deletion and re-creation, expiry, renewal, what failed before. */
import { secret } from '../../core/envelope.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokenAfterFailure, bySeenRole, emptiedListing, remembered } from '../../mutations/remembering.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import { connectionOfRole, type DatabaseCall, issuing, nameOf, withRules } from './amber-help.ts'
import { databaseEngine } from './engine.ts'
import type { DatabaseRules } from './rules.ts'
import type { Connection, DatabaseState, StaticRole } from './state.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')

const flying = remembered(() => new Map<string, Promise<Reply>>())

route(
  'amber-simultaneous-creds-shared',
  'DATABASE-CREDS-02',
  'requests for credentials of a role that come while one is being served get the same user (001 1: credentials created on demand)',
  'database.readCreds',
  (original) => async (call) => {
    const pending = flying(call.state).get(nameOf(call))
    if (pending) return pending
    const work = Promise.resolve(original(call))
    flying(call.state).set(nameOf(call), work)
    try {
      return await work
    } finally {
      flying(call.state).delete(nameOf(call))
    }
  },
)

route(
  'amber-updated-role-one-late',
  'DATABASE-STMT-10',
  'the first credentials after an update of their role are still made by the old one (001 4.1: roles/:name updates the role)',
  'database.readCreds',
  bySeenRole<DatabaseState, DatabaseRules>((seen, current) => current && (seen ?? current)),
)

route(
  'amber-by-hand-ends-automatic',
  'DATABASE-ROTATE-01',
  'after a manual rotation there are no more automatic ones (001 4.1: static roles are rotated automatically after the rotation period)',
  'database.rotateRole',
  (original) => (call) => original(withRules(call, { nextRotation: () => undefined })),
)

route(
  'amber-new-period-from-next-rotation',
  'DATABASE-STATIC-02',
  'a rotation_period that an update shortens counts only after the next rotation by the old one (001 4.1: rotation_period)',
  'database.writeStaticRole',
  (original) => (call) => {
    const before = call.state.staticRoles.get(nameOf(call))
    if (!before) return original(call)
    const due = before.rotatedAt + before.period
    let isFirst = true
    const nextRotation: DatabaseRules['nextRotation'] = (role, now) => {
      if (!isFirst) return call.rules.nextRotation(role, now)
      isFirst = false
      return Math.max(0, due - now)
    }
    return original(withRules(call, { nextRotation }))
  },
)

const configured = new WeakMap<Connection, string>()

change(
  'amber-reset-after-root-rotation',
  'DATABASE-ROOT-06',
  'a reset after a rotation of the root user connects with the password from before (001 4.1: reset, the stored configuration)',
  {
    routes: {
      'database.rotateRoot': (original) => async (call) => {
        const connection = call.state.connections.get(nameOf(call))
        const before = connection?.password
        const reply = await original(call)
        if (connection && before !== undefined && !configured.has(connection)) configured.set(connection, before)
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

rule(
  'amber-refused-rotation-kept',
  'DATABASE-ROTATE-06',
  'the new password of a rotation that the database refused is shown as the current one (001 4.1: static-creds, password)',
  { unrotated: () => (_role, password) => password },
)

route(
  'amber-expired-user-stays',
  'DATABASE-STMT-06',
  'a lease that expires leaves its database user, only revocation removes it (001 1: dynamic credentials with leases)',
  'database.readCreds',
  issuing((request, call, lease) => ({
    ...request,
    // Timers may fire a little early.
    revoke: async () => {
      const held = lease()
      if (held === undefined || call.now() + 0.5 < held.expiresAt) await request.revoke()
    },
  })),
)

route(
  'amber-renewed-to-first-expiry',
  'DATABASE-STMT-13',
  'a renewal runs its statements with the expiration of the first lease period (001 4.1: renew_statements; 2.1: {{expiration}})',
  'database.readCreds',
  issuing((request, call) => {
    const first = call.now() + request.ttl
    return { ...request, renew: async () => request.renew?.(first) }
  }),
)

route(
  'amber-failed-creation-breaks-connection',
  'DATABASE-CREDS-11',
  'after creation statements that the database refused no role of that connection gets credentials any more (001 4.1: creds/:name)',
  'database.readCreds',
  brokenAfterFailure<DatabaseCall>(connectionOfRole, 'database: current transaction is aborted'),
)

const shownRotations = new WeakMap<StaticRole, number>()

const noted =
  (whenNewOnly: boolean) =>
  (original: (call: DatabaseCall) => Reply | Promise<Reply>) =>
  async (call: DatabaseCall): Promise<Reply> => {
    const isKnown = call.state.staticRoles.has(nameOf(call))
    const reply = await original(call)
    const role = call.state.staticRoles.get(nameOf(call))
    if (role && !(whenNewOnly && isKnown)) shownRotations.set(role, role.rotatedAt)
    return reply
  }

change(
  'amber-automatic-rotation-unrecorded',
  'DATABASE-ROTATE-04',
  'last_service_rotation stays as it was when the service rotates by schedule (001 2.1: last_service_rotation)',
  {
    routes: {
      'database.writeStaticRole': noted(true),
      'database.rotateRole': noted(false),
      'database.readStaticCreds': replyData((data, call: DatabaseCall) => {
        const role = call.state.staticRoles.get(nameOf(call))
        const at = role && shownRotations.get(role)
        return at === undefined ? data : { ...data, last_service_rotation: call.rules.shownTime(at) }
      }),
    },
  },
)

route(
  'amber-emptied-roles-list',
  'CORE-LIST-04',
  'the listing of roles is an empty array instead of 404 once it had names (000 1.5: an empty listing returns 404)',
  'database.listRoles',
  emptiedListing<DatabaseState, DatabaseRules>(() => secret({ keys: [] })),
)

route(
  'amber-updates-unverified',
  'DATABASE-VERIFY-04',
  'an update of a connection is not verified any more (001 4.1: verify_connection, verify at configuration time, default true)',
  'database.writeConnection',
  requestBody((body, call: DatabaseCall) => (call.state.connections.has(nameOf(call)) ? { ...body, verify_connection: false } : body)),
)
