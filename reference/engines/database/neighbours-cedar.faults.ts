/** Faults of the database engine: effects on what stands next to the object that a request names. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { leaseOf, nameOf } from './cedar-help.ts'
import { databaseEngine } from './engine.ts'
import type { DatabaseState, Role } from './state.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')

route(
  'cedar-delete-role-takes-static',
  'DATABASE-APART-01',
  'deleting a dynamic role also deletes the static role of the same name (001, 4.1: DELETE roles/:name deletes the role; static roles are other objects)',
  'database.deleteRole',
  (original) => (call) => {
    call.state.staticRoles.get(nameOf(call))?.cancel()
    call.state.staticRoles.delete(nameOf(call))
    return original(call)
  },
)

rule(
  'cedar-list-hides-orphaned-roles',
  'DATABASE-APART-01',
  'the listing of roles leaves out those whose connection was deleted (001, 4.1: LIST roles gives the names of the roles in `data.keys`)',
  {
    roleNames: (original) => (state) => original(state).filter((name) => state.connections.has(state.roles.get(name)?.dbName ?? '')),
  },
)

const newest = remembered(() => new Map<string, { revoke(): Promise<void> }>())
route(
  'cedar-revoke-drops-newest-user',
  'DATABASE-CREDS-07',
  "revoking a lease drops the role's newest user and leaves that of the lease (001, 1: credentials are created on demand with leases, each with its own)",
  'database.readCreds',
  (original) => async (call) => {
    const reply = await original(call)
    const lease = leaseOf(call, reply)
    if (lease === undefined) return reply
    const { revoke } = lease.request
    const last = newest(call.state).get(nameOf(call)) ?? { revoke }
    last.revoke = revoke
    newest(call.state).set(nameOf(call), last)
    lease.request.revoke = () => last.revoke()
    return reply
  },
)

route(
  'cedar-rotation-resets-all-ttls',
  'DATABASE-APART-01',
  'a manual rotation resets the times of all static roles of the connection (001, 4.1: rotate-role/:name resets the TTL of the role that it rotates)',
  'database.rotateRole',
  (original) => async (call) => {
    const reply = await original(call)
    const rotated = call.state.staticRoles.get(nameOf(call))
    for (const other of call.state.staticRoles.values()) {
      if (rotated && other.dbName === rotated.dbName) other.rotatedAt = rotated.rotatedAt
    }
    return reply
  },
)

const byPath = remembered(() => new Map<string, Role>())
change(
  'cedar-role-cache-without-namespace',
  'DATABASE-APART-01',
  'roles are read from a cache whose keys lack the namespace, so that mounts of one path in two namespaces mix (000, 2.2: the namespace is part of the effective path)',
  {
    routes: {
      'database.writeRole': (original) => async (call) => {
        const reply = await original(call)
        const role = call.state.roles.get(nameOf(call))
        if (role) byPath(call.services).set(`${call.mount.path}${nameOf(call)}`, role)
        return reply
      },
      'database.readRole': (original) => (call) => {
        const role = byPath(call.services).get(`${call.mount.path}${nameOf(call)}`)
        if (role === undefined || !call.state.roles.has(nameOf(call))) return original(call)
        return original({ ...call, state: { ...call.state, roles: new Map([[nameOf(call), role]]) } })
      },
    },
  },
)

const states = remembered(() => new Set<DatabaseState>())
route(
  'cedar-allowed-roles-cross-mounts',
  'DATABASE-APART-01',
  'writing a connection sets `allowed_roles` of the connections of that name in other mounts, too (001, 4.1: config/:name creates or updates one connection of one mount)',
  'database.writeConnection',
  (original) => async (call) => {
    const reply = await original(call)
    const written = call.state.connections.get(nameOf(call))
    for (const other of states(call.services)) {
      const namesake = other === call.state ? undefined : other.connections.get(nameOf(call))
      if (namesake && written) namesake.allowedRoles = written.allowedRoles
    }
    states(call.services).add(call.state)
    return reply
  },
)

route(
  'cedar-delete-static-stops-others',
  'DATABASE-ROTATE-01',
  'deleting a static role stops the schedules of the other static roles of its connection (001, 4.1: static roles are rotated automatically after the rotation period)',
  'database.deleteStaticRole',
  (original) => async (call) => {
    const role = call.state.staticRoles.get(nameOf(call))
    const reply = await original(call)
    for (const other of call.state.staticRoles.values()) if (role && other.dbName === role.dbName) other.cancel()
    return reply
  },
)

route(
  'cedar-second-connection-unverified',
  'DATABASE-VERIFY-02',
  'a connection is not verified where another one of the same plugin is stored (001, 4.1: `verify_connection`, default true: verify at configuration time)',
  'database.writeConnection',
  (original) => (call) => {
    const known = [...call.state.connections.values()].some(
      ({ name, pluginName }) => name !== nameOf(call) && pluginName === call.body.plugin_name,
    )
    return original(known ? { ...call, body: { ...call.body, verify_connection: false } } : call)
  },
)

rule(
  'cedar-allowed-by-any-connection',
  'DATABASE-ALLOWED-08',
  'a role may use a connection as soon as any connection of the mount allows it (001, 4.1: `allowed_roles` is a parameter of each connection, default [] means no roles)',
  {
    connectionOf: (original) => (state, dbName) => {
      const connection = original(state, dbName)
      return connection && { ...connection, allowedRoles: [...state.connections.values()].flatMap(({ allowedRoles }) => allowedRoles) }
    },
  },
)

rule(
  'cedar-rollback-takes-revocation',
  'DATABASE-STMT-10',
  'a failed creation runs `revocation_statements` where a role has both kinds (001, 4.1: `rollback_statements` are run to roll back a failed create)',
  {
    rollback: (original) => (role, standard) => (role.revocation.length > 0 ? role.revocation : original(role, standard)),
  },
)

route(
  'cedar-third-credential-ends-first',
  'DATABASE-CREDS-07',
  "the third living credential of a role revokes the role's oldest one (001, 1: credentials live as long as their own leases)",
  'database.readCreds',
  (original) => async (call) => {
    const reply = await original(call)
    const ids = call.services.leases.withPrefix(`${call.mount.namespace}${call.path}/`)
    if (ids.length > 2) await call.services.leases.revoke(ids[0] ?? '').catch(() => undefined)
    return reply
  },
)
