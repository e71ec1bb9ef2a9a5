/** Faults of time and order: updates that narrow, second calls, re-creation, renewal, rotation, a database that ends the session. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import { type DatabaseCall, leaseOf, nameOf, withState } from './plain-help.ts'
import type { Connection, Role, StaticRole } from './state.ts'

const { rule, route, change } = faultsOf(databaseEngine)

const servedRoles = remembered(() => new Set<string>())

route(
  'plain-narrowed-roles-go-on',
  'DATABASE-ALLOWED-04',
  'a role that got credentials once gets them after an update of allowed_roles that leaves it out (001 4.1: allowed_roles)',
  'database.readCreds',
  (original) => async (call) => {
    const name = nameOf(call)
    const dbName = call.state.roles.get(name)?.dbName ?? ''
    const connection = call.state.connections.get(dbName)
    const served = servedRoles(call.state)
    const key = `${dbName} ${name}`
    const connections = new Map(call.state.connections)
    if (connection && served.has(key)) connections.set(dbName, { ...connection, allowedRoles: [name] })
    const given = await original(withState(call, { connections }))
    served.add(key)
    return given
  },
)

const preparedRoles = remembered(() => new Map<string, Role>())

change(
  'plain-recreated-role-as-before',
  'DATABASE-ROLE-06',
  'a role that is created again after its deletion gives credentials by its former fields (001 4.1: DELETE roles/:name; POST roles/:name)',
  {
    routes: {
      'database.writeRole': (original) => (call) => {
        if (call.state.roles.has(nameOf(call))) preparedRoles(call.state).delete(nameOf(call))
        return original(call)
      },
      'database.readCreds': (original) => (call) => {
        const name = nameOf(call)
        const current = call.state.roles.get(name)
        if (current === undefined) return original(call)
        const role = preparedRoles(call.state).get(name) ?? current
        preparedRoles(call.state).set(name, role)
        return original(withState(call, { roles: new Map(call.state.roles).set(name, role) }))
      },
    },
  },
)

const buriedRoles = remembered(() => new Map<string, string[]>())

change(
  'plain-recreated-connection-inherits',
  'DATABASE-ALLOWED-01',
  'a connection that is created again without allowed_roles has those from before its deletion (001 4.1: allowed_roles, default [])',
  {
    routes: {
      'database.deleteConnection': (original) => (call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection) buriedRoles(call.state).set(nameOf(call), connection.allowedRoles)
        return original(call)
      },
      'database.writeConnection': requestBody((body, call: DatabaseCall) => {
        const former = buriedRoles(call.state).get(nameOf(call))
        return former === undefined || call.state.connections.has(nameOf(call)) ? body : { allowed_roles: former, ...body }
      }),
    },
  },
)

route(
  'plain-former-schedule-goes-on',
  'DATABASE-ROTATE-04',
  'after a rotation by hand the password is rotated at the time that was due before, too (001 4.1: rotate-role resets its TTL)',
  'database.rotateRole',
  (original) => async (call) => {
    const role = call.state.staticRoles.get(nameOf(call))
    const due = role ? role.rotatedAt + role.period : 0
    const given = await original(call)
    call.services.clock.after(Math.max(0, due - call.now()), () => void Promise.resolve(original(call)).catch(() => undefined))
    return given
  },
)

route(
  'plain-renewal-keeps-expiry',
  'DATABASE-STMT-13',
  'a renewal fills {{expiration}} with the end of the lease before it (001 2.1: {{expiration}}; 4.1: renew_statements)',
  'database.readCreds',
  (original) => async (call) => {
    const given = await original(call)
    const lease = leaseOf(call, given)
    const renew = lease?.request.renew
    if (lease && renew) lease.request.renew = () => renew(lease.expiresAt)
    return given
  },
)

const armed = new WeakMap<StaticRole, { rotatedAt: number; period: number }>()

rule(
  'plain-shorter-period-later',
  'DATABASE-STATIC-02',
  'an updated rotation period counts after the next rotation only (001 4.1: rotated automatically after the rotation period)',
  {
    nextRotation: (original) => (role, now) => {
      const known = armed.get(role)
      const { rotatedAt, period } = known?.rotatedAt === role.rotatedAt ? known : role
      armed.set(role, { rotatedAt, period })
      return original({ ...role, period }, now)
    },
  },
)

rule(
  'plain-short-period-raised-on-update',
  'DATABASE-STATIC-16',
  'an update to a period below 5 seconds is accepted and becomes 5 seconds (001 8: rotation_period, minimum 5 seconds)',
  {
    staticRoleOf: (original) => (body, previous) => {
      const fields = original(body, previous)
      return previous === undefined ? fields : { ...fields, period: Math.max(5, fields.period) }
    },
  },
)

route(
  'plain-by-hand-ends-schedule',
  'DATABASE-ROTATE-01',
  'a static role that was rotated by hand is not rotated by schedule any more (001 4.1: rotated automatically after the rotation period)',
  'database.rotateRole',
  (original) => async (call) => {
    const given = await original(call)
    call.state.staticRoles.get(nameOf(call))?.cancel()
    return given
  },
)

route(
  'plain-update-unverified',
  'DATABASE-VERIFY-04',
  'an update of a connection is not verified unless the request asks for it (001 4.1: verify_connection, default true)',
  'database.writeConnection',
  requestBody((body, call: DatabaseCall) => (call.state.connections.has(nameOf(call)) ? { verify_connection: false, ...body } : body)),
)

route(
  'plain-failed-update-evicts',
  'DATABASE-VERIFY-05',
  'an update whose verification fails leaves no connection of that name (001 4.1: POST config/:name updates; verify_connection)',
  'database.writeConnection',
  (original) => async (call) => {
    const previous = call.state.connections.get(nameOf(call))
    try {
      return await original(call)
    } catch (cause) {
      call.state.connections.delete(nameOf(call))
      await previous?.link.close().catch(() => undefined)
      throw cause
    }
  },
)

const configured = new WeakMap<Connection, string>()

change(
  'plain-reset-to-first-password',
  'DATABASE-ROOT-06',
  'a reset after rotate-root goes back to the password of the configuration (001 4.1: reset restarts it with the stored configuration)',
  {
    rules: {
      rotatedRoot: (original) => (connection, password) => {
        if (!configured.has(connection)) configured.set(connection, connection.password)
        return original(connection, password)
      },
    },
    routes: {
      'database.resetConnection': (original) => (call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection) connection.password = configured.get(connection) ?? connection.password
        return original(call)
      },
    },
  },
)
