/** Faults of time and order: before the first, the second time, after failure, deletion, renewal, expiry. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { leaseIn, nameOf, withRules } from './east-help.ts'
import { databaseEngine } from './engine.ts'
import type { Link } from './link.ts'
import type { Role } from './state.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')

route(
  'east-old-schedule-stays',
  'DATABASE-ROTATE-04',
  'after a rotation by hand the next one still comes when it was due before (001 4.1: rotate-role resets its TTL)',
  'database.rotateRole',
  (original) => (call) => {
    const role = call.state.staticRoles.get(nameOf(call))
    if (role === undefined) return original(call)
    let due: number | undefined = role.rotatedAt + role.period
    const nextRotation = (rotated: typeof role, now: number): number | undefined => {
      const delay = due === undefined ? call.rules.nextRotation(rotated, now) : Math.max(0, due - now)
      due = undefined
      return delay
    }
    return original(withRules(call, { nextRotation }))
  },
)

route(
  'east-update-counts-as-rotation',
  'DATABASE-SCREDS-03',
  'an update of a static role shows as a rotation, without one (001 2.1: last_service_rotation, ttl)',
  'database.writeStaticRole',
  (original) => async (call) => {
    const previous = call.state.staticRoles.get(nameOf(call))
    const reply = await original(call)
    if (previous) previous.rotatedAt = call.now()
    return reply
  },
)

route(
  'east-second-renewal-empty',
  'DATABASE-STMT-13',
  'only the first renewal of a lease runs renew statements (001 4.1: renew_statements)',
  'database.readCreds',
  (original) => async (call) => {
    const reply = await original(call)
    const lease = leaseIn(call, reply)
    if (lease === undefined) return reply
    const { renew } = lease.request
    let renewed = false
    lease.request.renew = async (expiresAt) => {
      if (!renewed) await renew?.(expiresAt)
      renewed = true
    }
    return reply
  },
)

route(
  'east-expiry-leaves-user',
  'DATABASE-STMT-06',
  'the user is removed when a lease is revoked, not when it expires (001 1: credentials with leases; 4.1: revocation_statements)',
  'database.readCreds',
  (original) => async (call) => {
    const reply = await original(call)
    const lease = leaseIn(call, reply)
    if (lease === undefined) return reply
    const { revoke } = lease.request
    lease.request.revoke = async () => {
      // Timers may fire a moment early.
      if (call.now() < lease.expiresAt - 0.1) await revoke()
    }
    return reply
  },
)

const waiting = remembered(() => new Map<string, Link>())

change(
  'east-update-waits-for-reset',
  'DATABASE-ROOT-01',
  'a changed connection is used from its next reset on only (001 4.1: POST config/:name, update)',
  {
    routes: {
      'database.writeConnection': (original) => async (call) => {
        const before = call.state.connections.get(nameOf(call))
        const reply = await original(call)
        const written = call.state.connections.get(nameOf(call))
        if (before === undefined || written === undefined) waiting(call.state).delete(nameOf(call))
        else {
          await written.link.close()
          waiting(call.state).set(nameOf(call), written.link)
          written.link = before.link
        }
        return reply
      },
      'database.resetConnection': (original) => async (call) => {
        const connection = call.state.connections.get(nameOf(call))
        const link = waiting(call.state).get(nameOf(call))
        if (connection && link) {
          await connection.link.close()
          connection.link = link
          waiting(call.state).delete(nameOf(call))
        }
        return original(call)
      },
    },
  },
)

rule(
  'east-refused-root-password-kept',
  'DATABASE-ROOT-05',
  'a root password that the database refused is stored all the same (001 4.1: rotate-root; 000 7)',
  {
    unrotatedRoot: () => (_connection, password) => password,
  },
)

const configured = remembered(() => new Map<string, string>())

route(
  'east-update-restores-root-password',
  'DATABASE-ROOT-06',
  'an update without password brings back the one from before rotate-root (001 4.1: rotates the stored password)',
  'database.writeConnection',
  (original) => async (call) => {
    const known = configured(call.state)
    const { password } = call.body
    const before = call.state.connections.has(nameOf(call)) ? known.get(nameOf(call)) : undefined
    const isLeftOut = password === undefined && before !== undefined
    const reply = await original(isLeftOut ? { ...call, body: { ...call.body, password: before } } : call)
    if (typeof password === 'string') known.set(nameOf(call), password)
    else if (before === undefined) known.delete(nameOf(call))
    return reply
  },
)

const deleted = remembered(() => new Map<string, Role>())

change(
  'east-role-comes-back',
  'DATABASE-ROLE-06',
  'a role that is created again has the optional fields of the deleted one (001 4.1: role defaults)',
  {
    routes: {
      'database.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role) deleted(call.state).set(nameOf(call), role)
        return original(call)
      },
      'database.writeRole': (original) => (call) => {
        const before = call.state.roles.has(nameOf(call)) ? undefined : deleted(call.state).get(nameOf(call))
        return original(before ? withRules(call, { roleOf: (body) => call.rules.roleOf(body, before) }) : call)
      },
    },
  },
)

const everTaken = remembered(() => new Set<string>())

change(
  'east-deleted-user-stays-taken',
  'DATABASE-STATIC-25',
  'the user of a deleted static role cannot get another (001 4.1: DELETE static-roles, 1-to-1)',
  {
    rules: {
      userAvailable: (original) => (state, dbName, username) =>
        original(state, dbName, username) && !everTaken(state).has(`${dbName}/${username}`),
    },
    routes: {
      'database.deleteStaticRole': (original) => (call) => {
        const role = call.state.staticRoles.get(nameOf(call))
        if (role) everTaken(call.state).add(`${role.dbName}/${role.username}`)
        return original(call)
      },
    },
  },
)

const served = remembered(() => new Set<string>())

route(
  'east-allowed-once-allowed-always',
  'DATABASE-ALLOWED-04',
  'a role that gave credentials once goes on when it is taken out of allowed_roles (001 4.1: allowed_roles)',
  'database.readCreds',
  (original) => async (call) => {
    const key = `${call.state.roles.get(nameOf(call))?.dbName}/${nameOf(call)}`
    const known = served(call.state)
    const reply = await original(known.has(key) ? withRules(call, { roleAllowed: () => true }) : call)
    known.add(key)
    return reply
  },
)
