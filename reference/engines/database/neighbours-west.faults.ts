/** Faults that reach a neighbour: another role, connection, user, lease, mount or namespace. */
import { coreEngine } from '../../core/core-engine.ts'
import type { LeaseRequest } from '../../core/leases.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { databaseEngine } from './engine.ts'
import { leaseOf, nameOf, withRules } from './west-help.ts'

const { rule, route } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')

rule(
  'west-allowed-by-part-of-name',
  'DATABASE-ALLOWED-04',
  'a role is allowed where its name is a part of one in the list (001 4.1: allowed_roles, `*` allows any)',
  {
    roleAllowed: (original) => (allowed, role) => original(allowed, role) || allowed.join(',').includes(role),
  },
)

rule(
  'west-static-allowed-in-any-case',
  'DATABASE-ALLOWED-08',
  'a static role is allowed by a name in other letter case (001 4.1: allowed_roles)',
  {
    staticRoleAllowed: (original) => (allowed, role) =>
      original(allowed, role) || allowed.some((name) => name.toLowerCase() === role.toLowerCase()),
  },
)

route(
  'west-static-allowed-by-user',
  'DATABASE-ALLOWED-08',
  'a static role that is not allowed is made all the same where the list names its database user (001 4.1: allowed_roles, names of roles)',
  'database.writeStaticRole',
  (original) => (call) => {
    const { rules, body } = call
    return original(
      withRules(call, {
        staticRoleAllowed: (allowed, role) =>
          rules.staticRoleAllowed(allowed, role) || (typeof body.username === 'string' && rules.staticRoleAllowed(allowed, body.username)),
      }),
    )
  },
)

route(
  'west-allowed-by-any-connection',
  'DATABASE-ALLOWED-02',
  'credentials are given where any connection of the mount allows the role, not only its own (001 4.1: allowed_roles of the connection)',
  'database.readCreds',
  (original) => (call) => {
    const lists = [...call.state.connections.values()].flatMap(({ allowedRoles }) => allowedRoles)
    return original(withRules(call, { roleAllowed: (_allowed, role) => call.rules.roleAllowed(lists, role) }))
  },
)

route(
  'west-root-password-by-url',
  'DATABASE-APART-01',
  'a rotated root password is stored with all connections of the same URL template, those of other users included (001 4.1: rotate-root)',
  'database.rotateRoot',
  (original) => async (call) => {
    const reply = await original(call)
    const rotated = call.state.connections.get(nameOf(call))
    for (const other of call.state.connections.values()) if (rotated?.url === other.url) other.password = rotated.password
    return reply
  },
)

route(
  'west-connection-takes-roles-by-prefix',
  'DATABASE-CONN-07',
  'deleting a connection deletes roles of connections whose names begin like it (001 4.1: DELETE config/:name deletes the connection)',
  'database.deleteConnection',
  (original) => async (call) => {
    const reply = await original(call)
    for (const [name, { dbName }] of call.state.roles) if (dbName.startsWith(nameOf(call))) call.state.roles.delete(name)
    return reply
  },
)

route(
  'west-static-delete-takes-dynamic',
  'DATABASE-APART-01',
  'deleting a static role deletes the dynamic role of the same name, too (001 4.1: DELETE static-roles/:name deletes the static role)',
  'database.deleteStaticRole',
  (original) => async (call) => {
    const reply = await original(call)
    call.state.roles.delete(nameOf(call))
    return reply
  },
)

const newest = remembered(() => new Map<string, LeaseRequest['revoke']>())
route(
  'west-revokes-newest-user',
  'DATABASE-CREDS-07',
  'revoking a lease removes the newest user of the role, not that of the lease (001 1: credentials with leases)',
  'database.readCreds',
  (original) => async (call) => {
    const reply = await original(call)
    const lease = leaseOf(call, reply)
    if (lease === undefined) return reply
    const { revoke } = lease.request
    const ofState = newest(call.state)
    ofState.set(nameOf(call), revoke)
    lease.request.revoke = () => (ofState.get(nameOf(call)) ?? revoke)()
    return reply
  },
)

route(
  'west-delete-role-ends-longer-names',
  'DATABASE-APART-01',
  'deleting a role revokes leases of roles whose names begin like it (001 4.1: DELETE roles/:name deletes the role)',
  'database.deleteRole',
  (original) => async (call) => {
    const reply = await original(call)
    const { leases } = call.services
    const ids = leases.withPrefix(`${call.mount.namespace}${call.mount.path}creds/${nameOf(call)}`)
    await Promise.allSettled(ids.map((id) => leases.revoke(id)))
    return reply
  },
)

core.rule(
  'west-namespaces-share-mount',
  'DATABASE-APART-01',
  'mounts at the same path in two namespaces share their roles and connections (000 2.2: effective path)',
  {
    stateOf: (original) => (engine, others, place) =>
      (engine.type === 'database'
        ? others.find((mount) => mount.engine.type === engine.type && mount.path === place.path && mount.namespace !== place.namespace)
            ?.state
        : undefined) ?? original(engine, others, place),
  },
)

route(
  'west-session-by-url-template',
  'DATABASE-URL-01',
  'a connection uses the session of another with the same URL template, whoever its user is (001 2.1: replaced from the username and password fields)',
  'database.writeConnection',
  (original) => async (call) => {
    const reply = await original(call)
    const mine = call.state.connections.get(nameOf(call))
    const other = [...call.state.connections.values()].find(
      (candidate) => candidate !== mine && candidate.url === mine?.url && candidate.pluginName === mine.pluginName,
    )
    if (mine && other) {
      await mine.link.close()
      mine.link = other.link
    }
    return reply
  },
)

route(
  'west-static-creds-by-user',
  'DATABASE-STATIC-24',
  'static credentials are those of the first role with the same user name, on whichever connection (001 4.1: static-creds/:name)',
  'database.readStaticCreds',
  (original) => (call) => {
    const user = call.state.staticRoles.get(nameOf(call))?.username
    const name = [...call.state.staticRoles].find(([, { username }]) => username === user)?.[0] ?? nameOf(call)
    return original({ ...call, params: { ...call.params, name } })
  },
)
