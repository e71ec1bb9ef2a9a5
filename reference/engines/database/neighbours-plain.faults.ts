/** Faults that reach a neighbour: another role, user, connection, mount, or a similar name. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'
import { leaseOf, nameOf, withState } from './plain-help.ts'
import type { DatabaseState } from './state.ts'

const { rule, route } = faultsOf(databaseEngine)
const core = faultsOf(coreEngine, 'database')

route(
  'plain-delete-takes-longer-names',
  'DATABASE-ROLE-05',
  'deleting a role also deletes the roles whose names go on after a hyphen (001 4.1: DELETE /database/roles/:name, delete role)',
  'database.deleteRole',
  (original) => (call) => {
    for (const name of [...call.state.roles.keys()]) if (name.startsWith(`${nameOf(call)}-`)) call.state.roles.delete(name)
    return original(call)
  },
)

route(
  'plain-static-delete-takes-dynamic',
  'DATABASE-APART-01',
  'deleting a static role also deletes the dynamic role of that name (001 4.1: DELETE static-roles/:name)',
  'database.deleteStaticRole',
  (original) => (call) => {
    call.state.roles.delete(nameOf(call))
    return original(call)
  },
)

route(
  'plain-connection-delete-takes-similar',
  'DATABASE-CONN-06',
  'deleting a connection deletes the roles of connections whose names begin like it (001 4.1: DELETE config/:name)',
  'database.deleteConnection',
  (original) => (call) => {
    for (const [name, { dbName }] of [...call.state.roles]) {
      if (dbName !== nameOf(call) && dbName.startsWith(nameOf(call))) call.state.roles.delete(name)
    }
    return original(call)
  },
)

route(
  'plain-revoking-one-ends-all',
  'DATABASE-CREDS-07',
  'revoking one lease removes the users of all leases of its role (001 1: credentials created on demand with leases)',
  'database.readCreds',
  (original) => async (call) => {
    const given = await original(call)
    const lease = leaseOf(call, given)
    if (lease === undefined) return given
    const { request } = lease
    const revoke = request.revoke
    request.revoke = async () => {
      await revoke()
      await call.services.leases.revokePrefix(`${lease.namespace}${lease.path}/`)
    }
    return given
  },
)

route(
  'plain-role-read-any-case',
  'DATABASE-ROLE-06',
  'reading an unknown role answers with one whose name differs by case (000 7: 404 invalid path; 001 4.1 GET roles/:name)',
  'database.readRole',
  (original) => (call) => {
    const name = nameOf(call)
    if (call.state.roles.has(name)) return original(call)
    const similar = [...call.state.roles.keys()].find((known) => known.toLowerCase() === name.toLowerCase())
    return original({ ...call, params: { ...call.params, name: similar ?? name } })
  },
)

rule('plain-allowed-by-prefix', 'DATABASE-ALLOWED-04', 'an allowed role allows all whose names begin with it (001 4.1: allowed_roles)', {
  roleAllowed: (original) => (allowed, role) => original(allowed, role) || allowed.some((entry) => role.startsWith(entry)),
})

route(
  'plain-allowed-by-any-connection',
  'DATABASE-ALLOWED-04',
  'a role that one connection allows gets credentials from every connection of the mount (001 4.1: allowed_roles of the connection)',
  'database.readCreds',
  (original) => (call) => {
    const name = nameOf(call)
    const { connections, roles } = call.state
    const dbName = roles.get(name)?.dbName ?? ''
    const connection = connections.get(dbName)
    const isAllowed = [...connections.values()].some(({ allowedRoles }) => call.rules.roleAllowed(allowedRoles, name))
    if (connection === undefined || !isAllowed) return original(call)
    return original(withState(call, { connections: new Map(connections).set(dbName, { ...connection, allowedRoles: [name] }) }))
  },
)

route(
  'plain-rotation-dates-all',
  'DATABASE-APART-01',
  'rotating one static role by hand also resets ttl and time of the others of its connection (001 4.1: rotate-role resets its TTL)',
  'database.rotateRole',
  (original) => async (call) => {
    const given = await original(call)
    const dbName = call.state.staticRoles.get(nameOf(call))?.dbName
    for (const role of call.state.staticRoles.values()) if (role.dbName === dbName) role.rotatedAt = call.now()
    return given
  },
)

route(
  'plain-same-url-same-roles',
  'DATABASE-CONN-03',
  'updating a connection sets allowed_roles of all connections with the same URL (001 4.1: POST config/:name updates the named connection)',
  'database.writeConnection',
  (original) => async (call) => {
    const { connections } = call.state
    const isUpdate = connections.has(nameOf(call))
    const given = await original(call)
    const written = connections.get(nameOf(call))
    if (!isUpdate || written === undefined) return given
    for (const other of connections.values()) if (other.url === written.url) other.allowedRoles = written.allowedRoles
    return given
  },
)

core.rule(
  'plain-mounts-share-roles',
  'DATABASE-ROLE-05',
  'a second database mount of a namespace shows and uses the dynamic roles of the first (001 preamble: mounts can be mounted elsewhere)',
  {
    stateOf: (original) => (engine, others, place) => {
      const fresh = original(engine, others, place)
      const first = others.find((mount) => mount.engine.type === 'database' && mount.namespace === place.namespace)
      if (engine.type !== 'database' || first === undefined) return fresh
      return { ...(fresh as DatabaseState), roles: (first.state as DatabaseState).roles }
    },
  },
)

rule(
  'plain-static-among-dynamic',
  'DATABASE-APART-01',
  'the list of dynamic roles holds the static roles, too (001 4.1: LIST /database/roles)',
  {
    roleNames: (original) => (state) => [...new Set([...original(state), ...state.staticRoles.keys()])],
  },
)

rule(
  'plain-user-taken-by-prefix',
  'DATABASE-STATIC-01',
  'a database user is refused to a static role where another has one whose name begins with it (001 4.1: 1-to-1 map of a role to a user)',
  {
    userAvailable: (original) => (state, dbName, username) =>
      original(state, dbName, username) &&
      ![...state.staticRoles.values()].some((role) => role.dbName === dbName && role.username.startsWith(username)),
  },
)
