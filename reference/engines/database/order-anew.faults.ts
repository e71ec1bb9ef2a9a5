/** Faults of time and order: the second call, after a deletion, an expiry, a refusal or a change. */
import { empty } from '../../core/envelope.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { insteadOfRefusal, refusal } from '../../mutations/wrappers.ts'
import { beforehand, byRules, withLease } from './anew-help.ts'
import { databaseEngine } from './engine.ts'
import type { DatabaseRules } from './rules.ts'
import type { Connection, DatabaseState } from './state.ts'
import { type DatabaseCall, nameOf } from './wrappers.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')

const formerlyDue = remembered(() => ({ at: undefined as number | undefined }))

rule(
  'anew-manual-rotation-leaves-timer',
  ['DATABASE-ROTATE-04'],
  'after a manual rotation the next one comes when it was due before, well ahead of the ttl shown (001 4.1: "resets its TTL")',
  {
    rotatedByHandAt: (original) => (role, now) => {
      formerlyDue(role).at = role.rotatedAt + role.period
      return original(role, now)
    },
    nextRotation: (original) => (role, now) => {
      const due = formerlyDue(role)
      const { at } = due
      due.at = undefined
      return at === undefined ? original(role, now) : Math.max(0, at - now)
    },
  },
)

route(
  'anew-refused-update-changes-allowed-roles',
  ['DATABASE-VERIFY-04'],
  'an update whose verification fails is refused, yet its allowed_roles hold (001 4.1: verify_connection "verify at configuration time")',
  'database.writeConnection',
  refusal((refused, { state, body, params, rules }: DatabaseCall) => {
    const previous = state.connections.get(params.name ?? '')
    if (previous !== undefined && Array.isArray(body.allowed_roles)) {
      previous.allowedRoles = rules.allowedRolesOf(body, previous.allowedRoles)
    }
    return refused
  }),
)

route(
  'anew-update-seen-by-second-credential',
  ['DATABASE-ROLE-06'],
  'the first credential after an update of its role is made by the former role (001 4.1: "create or update dynamic role")',
  'database.readCreds',
  bySeenRole<DatabaseState, DatabaseRules>((seen, current) => current && (seen ?? current)),
)

const buried = remembered(() => new Map<string, string[]>())

change(
  'anew-deleted-allowed-roles-return',
  ['DATABASE-ALLOWED-01'],
  'a connection made anew without allowed_roles allows those of the deleted one of its name (001 4.1: default "[] (no roles)")',
  {
    routes: {
      'database.deleteConnection': beforehand((call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection !== undefined) buried(call.state).set(nameOf(call), connection.allowedRoles)
      }),
      'database.writeConnection': (original) => (call) => {
        const former = buried(call.state).get(nameOf(call))
        if (former === undefined || call.state.connections.has(nameOf(call))) return original(call)
        return original({ ...call, body: { allowed_roles: former, ...call.body } })
      },
    },
  },
)

const configured = remembered(() => ({ password: undefined as string | undefined }))

change(
  'anew-reset-undoes-root-rotation',
  ['DATABASE-ROOT-06'],
  'a reset after rotate-root connects with the password from before (001 4.1: "restarts it with the stored configuration")',
  {
    routes: {
      'database.rotateRoot': beforehand((call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection !== undefined) configured(connection).password ??= connection.password
      }),
      'database.resetConnection': beforehand((call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection !== undefined) connection.password = configured(connection).password ?? connection.password
      }),
    },
  },
)

route(
  'anew-second-renewal-not-in-database',
  ['DATABASE-STMT-13'],
  'from the second renewal on renew_statements are not run, the user ends before the lease (001 2.1: "renew_statements")',
  'database.readCreds',
  withLease((request) => {
    let isRenewed = false
    return {
      ...request,
      async renew(expiresAt) {
        if (!isRenewed) await request.renew?.(expiresAt)
        isRenewed = true
      },
    }
  }),
)

route(
  'anew-refused-rotation-counts',
  ['DATABASE-SCREDS-03'],
  'a manual rotation that the database refuses resets ttl and last_service_rotation all the same (001 4.1: "manual rotation")',
  'database.rotateRole',
  refusal((refused, { state, params, now }: DatabaseCall) => {
    const role = state.staticRoles.get(params.name ?? '')
    if (role !== undefined) role.rotatedAt = now()
    return refused
  }),
)

const used = remembered(() => new Map<string, Connection>())

route(
  'anew-deleted-connection-still-used',
  ['DATABASE-CONN-07'],
  'roles that had credentials before get more of them after their connection is deleted (001 4.1: DELETE config/:name "delete connection")',
  'database.readCreds',
  byRules((call) => ({
    connectionOf: (state, dbName) => {
      const connection = call.rules.connectionOf(state, dbName) ?? used(call.state).get(dbName)
      if (connection !== undefined) used(call.state).set(dbName, connection)
      return connection
    },
  })),
)

route(
  'anew-expired-user-stays',
  ['DATABASE-STMT-06'],
  'the user of an expired lease stays, only that of a revoked one goes (001 1: "credentials created on demand with leases")',
  'database.readCreds',
  withLease((request, call) => {
    let end = call.now() + request.ttl
    return {
      ...request,
      async renew(expiresAt) {
        await request.renew?.(expiresAt)
        end = expiresAt
      },
      async revoke() {
        if (call.now() < end - 0.05) await request.revoke()
      },
    }
  }),
)

const gone = remembered(() => new Set<string>())

change(
  'anew-reset-of-deleted-connection',
  ['DATABASE-RESET-04'],
  'the reset of a connection that was deleted is answered with success (000 7: "404 invalid path"; readings: an unknown connection is 4xx)',
  {
    routes: {
      'database.deleteConnection': beforehand((call) => void gone(call.state).add(nameOf(call))),
      'database.resetConnection': insteadOfRefusal(
        () => empty(),
        (call) => gone(call.state).has(nameOf(call)) && !call.state.connections.has(nameOf(call)),
      ),
    },
  },
)

route(
  'anew-disallowed-role-leaves-user',
  ['DATABASE-STATIC-09'],
  'deleting a static role that allowed_roles no longer holds leaves its user (001 4.1: "and revokes the database user")',
  'database.deleteStaticRole',
  byRules(({ state, params, rules }) => {
    const name = params.name ?? ''
    const connection = state.connections.get(state.staticRoles.get(name)?.dbName ?? '')
    return { revokesStaticUser: () => rules.staticRoleAllowed(connection?.allowedRoles ?? [], name) }
  }),
)
