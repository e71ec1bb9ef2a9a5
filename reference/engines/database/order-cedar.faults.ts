/** Faults of the database engine: time and order of requests. */
import { coreEngine } from '../../core/core-engine.ts'
import { empty } from '../../core/envelope.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { leaseOf, nameOf, stateAt } from './cedar-help.ts'
import { databaseEngine } from './engine.ts'
import type { Connection, StaticRole } from './state.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')

const scheduled = new WeakMap<StaticRole, number>()
route(
  'cedar-schedule-keeps-first-period',
  'DATABASE-STATIC-02',
  'after an update of `rotation_period` the schedule follows the period of the creation (001, 4.1: rotated automatically after the rotation period)',
  'database.writeStaticRole',
  (original) => (call) => {
    const role = call.state.staticRoles.get(nameOf(call))
    if (role === undefined) return original(call)
    const period = scheduled.get(role) ?? role.period
    scheduled.set(role, period)
    const nextRotation = ({ rotatedAt }: StaticRole, now: number): number => Math.max(0, rotatedAt + period - now)
    return original({ ...call, rules: { ...call.rules, nextRotation } })
  },
)

const byHand = new WeakMap<StaticRole, number>()
route(
  'cedar-second-manual-rotation-skipped',
  'DATABASE-ROTATE-03',
  'a second manual rotation, with none by schedule between them, is answered but not done (001, 4.1: rotate-role rotates the password and resets the TTL)',
  'database.rotateRole',
  (original) => async (call) => {
    const role = call.state.staticRoles.get(nameOf(call))
    if (role && byHand.get(role) === role.rotatedAt) return empty()
    const reply = await original(call)
    if (role) byHand.set(role, role.rotatedAt)
    return reply
  },
)

const rotatedOnce = new WeakSet<Connection>()
rule(
  'cedar-second-root-rotation-forgotten',
  'DATABASE-ROOT-01',
  'the second rotation of a root user changes the database but not the stored password (001, 4.1: rotate-root rotates the stored root user, so that the connection goes on working)',
  {
    rotatedRoot: (original) => (connection, password) => {
      if (rotatedOnce.has(connection)) return connection.password
      rotatedOnce.add(connection)
      return original(connection, password)
    },
  },
)

const deleted = remembered(() => new Map<string, string[]>())
change(
  'cedar-recreated-connection-inherits',
  'DATABASE-ALLOWED-01',
  'a connection that is created anew after its deletion gets the `allowed_roles` of the old one where none are given (001, 4.1: default [], no roles)',
  {
    routes: {
      'database.deleteConnection': (original) => (call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection) deleted(call.state).set(nameOf(call), connection.allowedRoles)
        return original(call)
      },
      'database.writeConnection': (original) => (call) => {
        const old = call.state.connections.has(nameOf(call)) ? undefined : deleted(call.state).get(nameOf(call))
        return original(old ? { ...call, body: { allowed_roles: old, ...call.body } } : call)
      },
    },
  },
)

const shownPasswords = new WeakMap<StaticRole, string>()
change(
  'cedar-stale-after-scheduled-rotation',
  'DATABASE-ROTATE-01',
  'a static password that was read once is shown until a manual rotation, whatever the schedule did (001, 4.1: static-creds gives the credentials, which are rotated automatically)',
  {
    rules: {
      shownStaticCredential: (original) => (role, ttl, rotatedAt) => {
        const password = shownPasswords.get(role) ?? role.password
        shownPasswords.set(role, password)
        return { ...original(role, ttl, rotatedAt), password }
      },
    },
    routes: {
      'database.rotateRole': (original) => async (call) => {
        const reply = await original(call)
        const role = call.state.staticRoles.get(nameOf(call))
        if (role) shownPasswords.delete(role)
        return reply
      },
    },
  },
)

const written = new WeakMap<Connection, string>()
change(
  'cedar-reset-forgets-root-rotation',
  'DATABASE-ROOT-06',
  'a reset after a rotation of the root user goes back to the password that was written (001, 4.1: reset restarts with the stored configuration; rotate-root rotates the stored password)',
  {
    routes: {
      'database.writeConnection': (original) => async (call) => {
        const reply = await original(call)
        const connection = call.state.connections.get(nameOf(call))
        if (connection) written.set(connection, connection.password)
        return reply
      },
      'database.resetConnection': (original) => (call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection) connection.password = written.get(connection) ?? connection.password
        return original(call)
      },
    },
  },
)

const gone = remembered(() => new Set<string>())
core.rule(
  'cedar-recreation-counts-as-update',
  'CORE-CAP-19',
  'writing a role anew after its deletion needs `update` (001, 4.1: roles/:name distinguishes create and update; 000, 1.6: by whether the object exists)',
  {
    finish: (original) => (call, facts, reply) => {
      if (facts.id === 'database.deleteRole') gone(call.state as object).add(nameOf(call))
      return original(call, facts, reply)
    },
    capabilityGranted: (original) => (granted, needed, call) => {
      const state = stateAt(call, 'roles')
      const again = needed === 'create' && state !== undefined && call !== undefined && gone(state).has(nameOf(call))
      return original(granted, again ? 'update' : needed, call)
    },
  },
)

route(
  'cedar-renewed-lease-ends-at-first-expiry',
  'DATABASE-CREDS-06',
  'a credential whose lease was renewed is revoked at the first expiry (001, 1 and 4.1: credentials have leases, which `renew_statements` extend)',
  'database.readCreds',
  (original) => async (call) => {
    const reply = await original(call)
    const { clock, leases } = call.services
    const lease = leaseOf(call, reply)
    if (lease) clock.after(lease.ttl, () => void leases.revoke(lease.id).catch(() => undefined))
    return reply
  },
)

const handRotated = new WeakSet<StaticRole>()
change(
  'cedar-rotated-user-not-revoked',
  'DATABASE-STATIC-09',
  'deleting a static role that was rotated by hand leaves its database user (001, 4.1: DELETE static-roles/:name deletes the role and revokes the user)',
  {
    routes: {
      'database.rotateRole': (original) => async (call) => {
        const reply = await original(call)
        const role = call.state.staticRoles.get(nameOf(call))
        if (role) handRotated.add(role)
        return reply
      },
      'database.deleteStaticRole': (original) => (call) => {
        const role = call.state.staticRoles.get(nameOf(call))
        return original(role && handRotated.has(role) ? { ...call, rules: { ...call.rules, revokesStaticUser: () => false } } : call)
      },
    },
  },
)

route(
  'cedar-manual-rotation-keeps-schedule',
  'DATABASE-ROTATE-04',
  'after a manual rotation the next one by schedule comes when it was due before (001, 4.1: rotate-role resets the TTL; rotated automatically after the rotation period)',
  'database.rotateRole',
  (original) => async (call) => {
    const role = call.state.staticRoles.get(nameOf(call))
    if (role === undefined) return original(call)
    const older = role.cancel
    role.cancel = () => {}
    try {
      return await original(call)
    } finally {
      const newer = role.cancel
      role.cancel = () => {
        older()
        newer()
      }
    }
  },
)
