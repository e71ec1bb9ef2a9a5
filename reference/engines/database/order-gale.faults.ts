/** Faults of time and order: what comes after a rotation, an update, a deletion, a first use. */
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { databaseEngine } from './engine.ts'
import { nameOf, nextRotationOnce, withRules } from './gale-help.ts'
import type { DatabaseRules } from './rules.ts'
import type { DatabaseState, Role, StaticRole } from './state.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')

route(
  'gale-root-rotation-fills-url',
  'DATABASE-ROOT-03',
  'rotating the root user stores the connection URL filled in, so that a read shows the password (001, 2.1: password is never returned on read; 4.1: the new one is not retrievable)',
  'database.rotateRoot',
  (original) => async (call) => {
    const reply = await original(call)
    const connection = call.state.connections.get(nameOf(call))
    if (connection !== undefined) connection.url = call.rules.filledUrl(connection, connection.link.plugin.escape)
    return reply
  },
)

route(
  'gale-refused-update-changes-roles',
  'DATABASE-VERIFY-04',
  'an update of a connection whose verification fails changes allowed_roles all the same (001, 4.1: verify_connection verifies at configuration time; 000, 7: 400 refuses)',
  'database.writeConnection',
  (original) => async (call) => {
    const previous = call.state.connections.get(nameOf(call))
    try {
      return await original(call)
    } catch (cause) {
      if (previous !== undefined) previous.allowedRoles = call.rules.allowedRolesOf(call.body, previous.allowedRoles)
      throw cause
    }
  },
)

route(
  'gale-hand-rotation-keeps-timer',
  'DATABASE-ROTATE-04',
  'after a rotation by hand the next automatic one still comes at the old time (001, 4.1: manual rotation resets the TTL; rotated automatically after the rotation period)',
  'database.rotateRole',
  (original) => (call) => {
    const before = call.state.staticRoles.get(nameOf(call))?.rotatedAt ?? call.now()
    return original(
      withRules(
        call,
        nextRotationOnce(call, (role, now) => Math.max(0, before + role.period - now)),
      ),
    )
  },
)

rule(
  'gale-second-hand-rotation-keeps-ttl',
  'DATABASE-ROTATE-04',
  'the second rotation of a static role by hand resets neither its TTL nor its time of rotation (001, 4.1: rotate-role resets its TTL)',
  {
    rotatedByHandAt: (original) => {
      const rotated = new WeakSet<StaticRole>()
      return (role, now) => {
        if (rotated.has(role)) return role.rotatedAt
        rotated.add(role)
        return original(role, now)
      }
    },
  },
)

const deletedRoles = remembered(() => new Map<string, Role>())

change(
  'gale-recreated-role-inherits',
  'DATABASE-ROLE-06',
  'a role that is created again after its deletion takes from the old one what the request leaves out (001, 4.1: defaults 0 and [])',
  {
    routes: {
      'database.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role !== undefined) deletedRoles(call.state).set(nameOf(call), role)
        return original(call)
      },
      'database.writeRole': (original) => (call) => {
        const old = deletedRoles(call.state).get(nameOf(call))
        if (old === undefined || call.state.roles.has(nameOf(call))) return original(call)
        const inherited = {
          default_ttl: old.defaultTtl,
          max_ttl: old.maxTtl,
          revocation_statements: old.revocation,
          rollback_statements: old.rollback,
          renew_statements: old.renewal,
        }
        return original({ ...call, body: { ...inherited, ...call.body } })
      },
    },
  },
)

const deletedStaticRoles = remembered(() => new Set<string>())

change(
  'gale-recreated-static-role-unscheduled',
  'DATABASE-ROTATE-01',
  'a static role that is created again after its deletion is never rotated automatically (001, 4.1: rotated automatically after the rotation period)',
  {
    routes: {
      'database.deleteStaticRole': (original) => (call) => {
        if (call.state.staticRoles.has(nameOf(call))) deletedStaticRoles(call.state).add(nameOf(call))
        return original(call)
      },
      'database.writeStaticRole': (original) => async (call) => {
        const reply = await original(call)
        if (deletedStaticRoles(call.state).has(nameOf(call))) call.state.staticRoles.get(nameOf(call))?.cancel()
        return reply
      },
    },
  },
)

route(
  'gale-creation-of-last-use',
  'DATABASE-STMT-10',
  'the first credentials after an update of a role are made by its old creation_statements (001, 4.1: roles are created or updated; creds use the role)',
  'database.readCreds',
  bySeenRole<DatabaseState, DatabaseRules>((seen, current) => (seen && current ? { ...current, creation: seen.creation } : current)),
)

const onceAllowed = remembered(() => new Set<string>())

route(
  'gale-once-allowed-always',
  'DATABASE-ALLOWED-04',
  'a role that got credentials once gets them when an update of the connection allows it no more (001, 4.1: allowed_roles; without being listed a role is not allowed)',
  'database.readCreds',
  (original) => async (call) => {
    const key = `${call.state.roles.get(nameOf(call))?.dbName} ${nameOf(call)}`
    const known = onceAllowed(call.state)
    const reply = await original(known.has(key) ? withRules(call, { roleAllowed: () => true }) : call)
    known.add(key)
    return reply
  },
)

route(
  'gale-update-counts-as-rotation',
  'DATABASE-SCREDS-03',
  'an update of a static role moves last_service_rotation, though nothing was rotated (001, 2.1: last_service_rotation tells the last rotation)',
  'database.writeStaticRole',
  (original) => async (call) => {
    const role = call.state.staticRoles.get(nameOf(call))
    const reply = await original(call)
    if (role !== undefined) role.rotatedAt = call.now()
    return reply
  },
)

route(
  'gale-new-period-one-turn-late',
  'DATABASE-STATIC-02',
  'a changed rotation_period counts from the next rotation on; that one still comes by the old period (001, 4.1: rotated automatically after the rotation period)',
  'database.writeStaticRole',
  (original) => (call) => {
    const period = call.state.staticRoles.get(nameOf(call))?.period
    if (period === undefined) return original(call)
    return original(
      withRules(
        call,
        nextRotationOnce(call, (role, now) => Math.max(0, role.rotatedAt + period - now)),
      ),
    )
  },
)

const firstRoles = remembered(() => new Map<string, string[]>())

change(
  'gale-reset-to-first-roles',
  'DATABASE-APART-01',
  'a reset brings back the allowed_roles that the connection was created with (001, 4.1: it restarts with the stored configuration)',
  {
    routes: {
      'database.writeConnection': (original) => async (call) => {
        const isNew = !call.state.connections.has(nameOf(call))
        const reply = await original(call)
        if (isNew) firstRoles(call.state).set(nameOf(call), call.state.connections.get(nameOf(call))?.allowedRoles ?? [])
        return reply
      },
      'database.resetConnection': (original) => async (call) => {
        const reply = await original(call)
        const connection = call.state.connections.get(nameOf(call))
        const roles = firstRoles(call.state).get(nameOf(call))
        if (connection !== undefined && roles !== undefined) connection.allowedRoles = roles
        return reply
      },
    },
  },
)
