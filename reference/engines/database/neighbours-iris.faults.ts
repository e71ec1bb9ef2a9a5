/** Faults of the database engine that show on what stands next to the object asked for. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered, sharedWithinSecond } from '../../mutations/remembering.ts'
import { databaseEngine } from './engine.ts'
import { type DatabaseCall, leaseOf, nameOf, withRules } from './iris-help.ts'
import type { DatabaseState, StaticRole } from './state.ts'

const { route } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')

/** The other static roles of a connection. */
const besides = (call: DatabaseCall, dbName: string | undefined): [string, StaticRole][] =>
  [...call.state.staticRoles].filter(([name, role]) => name !== nameOf(call) && role.dbName === dbName)

route(
  'iris-rotate-role-all',
  'DATABASE-APART-01',
  'a manual rotation rotates all static roles of the connection (document 001, 4.1: rotates the password of the static role named)',
  'database.rotateRole',
  (original) => async (call) => {
    const reply = await original(call)
    for (const [name] of besides(call, call.state.staticRoles.get(nameOf(call))?.dbName)) {
      await Promise.resolve(original({ ...call, params: { ...call.params, name } })).catch(() => undefined)
    }
    return reply
  },
)

route(
  'iris-allowed-roles-by-url',
  'DATABASE-CONN-03',
  'an update of allowed_roles changes all connections with the same URL (document 001, 4.1: config/:name updates the connection named)',
  'database.writeConnection',
  (original) => async (call) => {
    const isUpdate = call.state.connections.has(nameOf(call))
    const reply = await original(call)
    const written = call.state.connections.get(nameOf(call))
    if (!isUpdate || written === undefined) return reply
    for (const other of call.state.connections.values()) if (other.url === written.url) other.allowedRoles = written.allowedRoles
    return reply
  },
)

route(
  'iris-allowed-by-any-connection',
  'DATABASE-ALLOWED-04',
  'a role may be used where any connection of the mount allows it (document 001, 4.1: allowed_roles is of the connection, default no roles)',
  'database.readCreds',
  withRules(({ roleAllowed }, { state }) => ({
    roleAllowed: (_allowed, role) => [...state.connections.values()].some((connection) => roleAllowed(connection.allowedRoles, role)),
  })),
)

core.rule(
  'iris-mounts-share-connections',
  'DATABASE-ROLE-11',
  'a second database mount sees the connections of the first (document 001, introduction: engines can be mounted elsewhere; 404 for unknown names)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const first = others.find((mount) => mount.engine.type === 'database' && mount.namespace === place.namespace)
      if (engine.type !== 'database' || first === undefined) return state
      return { ...(state as DatabaseState), connections: (first.state as DatabaseState).connections }
    },
  },
)

const latest = remembered(() => new Map<string, () => Promise<void>>())

route(
  'iris-revokes-latest-user',
  'DATABASE-CREDS-07',
  'the end of a lease removes the user that the role issued last, not its own (document 001, section 1: credentials with leases)',
  'database.readCreds',
  (original) => async (call) => {
    const reply = await original(call)
    const lease = leaseOf(call, reply)
    if (lease === undefined) return reply
    const revocations = latest(call.state)
    const own = lease.request.revoke
    revocations.set(nameOf(call), own)
    lease.request = { ...lease.request, revoke: () => (revocations.get(nameOf(call)) ?? own)() }
    return reply
  },
)

route(
  'iris-period-of-all',
  'DATABASE-APART-01',
  'a new rotation_period is given to all static roles of the connection (document 001, 4.1: static-roles/:name updates the role named)',
  'database.writeStaticRole',
  (original) => async (call) => {
    const isUpdate = call.state.staticRoles.has(nameOf(call))
    const reply = await original(call)
    const written = call.state.staticRoles.get(nameOf(call))
    if (!isUpdate || written === undefined) return reply
    for (const [, other] of besides(call, written.dbName)) other.period = written.period
    return reply
  },
)

route(
  'iris-delete-static-stops-others',
  'DATABASE-ROTATE-01',
  'the deletion of a static role ends the rotation of the others of its connection (document 001, 4.1: static roles are rotated automatically)',
  'database.deleteStaticRole',
  (original) => async (call) => {
    const dbName = call.state.staticRoles.get(nameOf(call))?.dbName
    const reply = await original(call)
    for (const [, other] of besides(call, dbName)) other.cancel()
    return reply
  },
)

route(
  'iris-callers-share-creds',
  'DATABASE-CREDS-02',
  'callers who ask for credentials of a role within a second share a user (document 001, section 1: credentials created on demand with leases)',
  'database.readCreds',
  sharedWithinSecond((call) => call.state.roles.get(nameOf(call))),
)
