/** Faults in which something else changes than what a request names, and in who may ask. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Asked, countsAs } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'
import { rotate, schedule } from './rotation.ts'
import type { DatabaseState } from './state.ts'
import { nameOf } from './wrappers.ts'

const { rule, route } = faultsOf(databaseEngine)
const core = faultsOf(coreEngine, 'database')

const asksFor = (call: Asked, operation: string): call is NonNullable<Asked> =>
  call !== undefined && 'pluginOf' in call.rules && call.path.includes(`/${operation}/`)

route(
  'neighbour-connection-ends-roles',
  'DATABASE-CONN-06',
  'deleting a connection deletes the roles that name it',
  'database.deleteConnection',
  (original) => async (call) => {
    const reply = await original(call)
    for (const [name, { dbName }] of [...call.state.roles]) if (dbName === nameOf(call)) call.state.roles.delete(name)
    return reply
  },
)

route(
  'neighbour-reset-rotates-static',
  'DATABASE-APART-01',
  'a reset of a connection rotates the passwords of its static roles',
  'database.resetConnection',
  (original) => async (call) => {
    const reply = await original(call)
    for (const role of call.state.staticRoles.values()) {
      if (role.dbName !== nameOf(call)) continue
      await rotate(call, role, call.rules.rotatedAt)
      schedule(call, role)
    }
    return reply
  },
)

route(
  'neighbour-rotation-stamps-others',
  'DATABASE-APART-01',
  'a rotation by hand makes the other static roles of the connection count as rotated',
  'database.rotateRole',
  (original) => async (call) => {
    const reply = await original(call)
    const rotated = call.state.staticRoles.get(nameOf(call))
    for (const role of call.state.staticRoles.values()) if (role.dbName === rotated?.dbName) role.rotatedAt = rotated.rotatedAt
    return reply
  },
)

route(
  'neighbour-static-takes-dynamic',
  'DATABASE-APART-01',
  'deleting a static role deletes the dynamic role of the same name',
  'database.deleteStaticRole',
  (original) => async (call) => {
    const reply = await original(call)
    call.state.roles.delete(nameOf(call))
    return reply
  },
)

rule(
  'neighbour-connection-continued',
  'DATABASE-CONN-07',
  'for a connection that is not there stands one whose name begins with its name',
  {
    connectionOf: (original) => (state, dbName) =>
      original(state, dbName) ?? [...state.connections.values()].find(({ name }) => name.startsWith(dbName)),
  },
)

route(
  'access-allowed-once-given',
  'DATABASE-ALLOWED-04',
  'a role that had credentials once may have them after its connection stopped to allow it',
  'database.readCreds',
  (original) => {
    const given = new WeakMap<DatabaseState, Set<string>>()
    return async (call) => {
      const known = given.get(call.state) ?? new Set()
      given.set(call.state, known)
      const roleAllowed: typeof call.rules.roleAllowed = (allowed, role) => known.has(role) || call.rules.roleAllowed(allowed, role)
      const reply = await original({ ...call, rules: { ...call.rules, roleAllowed } })
      known.add(nameOf(call))
      return reply
    }
  },
)

route(
  'access-static-update-unchecked',
  'DATABASE-ALLOWED-08',
  'an update of a static role is not held against the allowed roles of its connection',
  'database.writeStaticRole',
  (original) => (call) => {
    if (!call.state.staticRoles.has(nameOf(call))) return original(call)
    return original({ ...call, rules: { ...call.rules, staticRoleAllowed: () => true } })
  },
)

core.rule(
  'access-read-rotates-root',
  'CORE-CAP-04',
  'whoever may read the path of a root rotation may rotate',
  countsAs('read', (call) => asksFor(call, 'rotate-root')),
)

core.rule('access-static-by-dynamic', 'DATABASE-CAP-03', 'whether a write of a static role is an update is told from the dynamic roles', {
  capabilityGranted: (original) => (granted, needed, call) => {
    if (!asksFor(call, 'static-roles') || (needed !== 'create' && needed !== 'update')) return original(granted, needed, call)
    const exists = (call.state as DatabaseState).roles.has(call.params.name ?? '')
    return original(granted, exists ? 'update' : 'create', call)
  },
})
