/** Faults whose effect falls on a neighbour: another role, connection, caller, mount or field. */
import { coreEngine } from '../../core/core-engine.ts'
import type { LeaseRequest } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { issuing, nameOf } from './amber-help.ts'
import { databaseEngine } from './engine.ts'
import { rotate } from './rotation.ts'

const { rule, route } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')

route(
  'amber-static-delete-stops-others',
  'DATABASE-ROTATE-01',
  'deleting a static role ends the automatic rotation of the others of its connection (001 4.1: rotated automatically after the period)',
  'database.deleteStaticRole',
  (original) => async (call) => {
    const gone = call.state.staticRoles.get(nameOf(call))
    const reply = await original(call)
    for (const role of call.state.staticRoles.values()) if (role.dbName === gone?.dbName) role.cancel()
    return reply
  },
)

rule(
  'amber-allowed-by-prefix',
  'DATABASE-ALLOWED-04',
  'a role is allowed when a name in allowed_roles is the beginning of its own (001 4.1: allowed_roles)',
  {
    roleAllowed: (original) => (allowed, role) => original(allowed, role) || allowed.some((name) => role.startsWith(name)),
  },
)

route(
  'amber-rotation-takes-siblings-along',
  'DATABASE-APART-01',
  'a manual rotation also rotates the other static roles of the connection (001 4.1: rotate-role, manual rotation of the static role)',
  'database.rotateRole',
  (original) => async (call) => {
    const reply = await original(call)
    const role = call.state.staticRoles.get(nameOf(call))
    const siblings = [...call.state.staticRoles.values()].filter((other) => other !== role && other.dbName === role?.dbName)
    for (const sibling of siblings) await rotate(call, sibling, call.rules.rotatedAt).catch(() => undefined)
    return reply
  },
)

rule(
  'amber-roles-list-static-ones',
  'DATABASE-APART-01',
  'the listing of dynamic roles holds the names of static roles, too (001 4.1: LIST roles)',
  {
    roleNames: (original) => (state) => [...new Set([...original(state), ...state.staticRoles.keys()])],
  },
)

route(
  'amber-static-replaces-dynamic',
  'DATABASE-APART-01',
  'writing a static role removes the dynamic role of the same name (001 4.1: static-roles/:name creates or updates a static role)',
  'database.writeStaticRole',
  (original) => async (call) => {
    const reply = await original(call)
    call.state.roles.delete(nameOf(call))
    return reply
  },
)

route(
  'amber-connections-deleted-by-prefix',
  'CORE-NAME-01',
  'deleting a connection deletes all whose names begin with its name (001 4.1: DELETE config/:name deletes the connection)',
  'database.deleteConnection',
  (original) => async (call) => {
    const below = [...call.state.connections.values()].filter(({ name }) => name !== nameOf(call) && name.startsWith(nameOf(call)))
    for (const connection of below) {
      call.state.connections.delete(connection.name)
      await connection.link.close()
    }
    return original(call)
  },
)

core.rule(
  'amber-namespaces-share-a-mount-path',
  'DATABASE-APART-01',
  'mounts at the same path in two namespaces hold the same connections and roles (000 2.2: the namespace is part of the path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const namesake = others.find(
        (mount) => mount.engine.type === 'database' && mount.path === place.path && mount.namespace !== place.namespace,
      )
      return engine.type === 'database' && namesake ? namesake.state : original(engine, others, place)
    },
  },
)

const issued = remembered(() => new Map<string, LeaseRequest['revoke'][]>())

route(
  'amber-revokes-the-newest-user',
  'DATABASE-CREDS-07',
  "the end of a lease removes the newest user of the role instead of the lease's own (001 1: credentials with leases)",
  'database.readCreds',
  issuing((request, call) => {
    const stack = issued(call.state).get(nameOf(call)) ?? []
    issued(call.state).set(nameOf(call), stack)
    stack.push(request.revoke)
    return { ...request, revoke: () => (stack.pop() ?? request.revoke)() }
  }),
)

route(
  'amber-reset-by-plugin-name',
  'DATABASE-RESET-02',
  'a reset restarts with the configuration of the oldest connection of that plugin (001 4.1: reset, with the stored configuration)',
  'database.resetConnection',
  (original) => (call) => {
    const connection = call.state.connections.get(nameOf(call))
    const oldest = [...call.state.connections.values()].find(({ pluginName }) => pluginName === connection?.pluginName)
    if (connection && oldest) Object.assign(connection, { url: oldest.url, username: oldest.username, password: oldest.password })
    return original(call)
  },
)

const given = remembered(() => new Map<string, { to: string | undefined; reply: Reply }>())

route(
  'amber-credentials-shared-by-callers',
  'DATABASE-CREDS-06',
  'another token that asks for credentials of a role gets the ones issued last, as long as their lease lives (001 1: created on demand)',
  'database.readCreds',
  (original) => async (call) => {
    const last = given(call.state).get(nameOf(call))
    const lease = (last?.reply.body as { lease_id?: string } | undefined)?.lease_id ?? ''
    if (last && last.to !== call.token?.id && call.services.leases.find(lease)) return last.reply
    const reply = await original(call)
    given(call.state).set(nameOf(call), { to: call.token?.id, reply })
    return reply
  },
)

rule(
  'amber-rollback-by-revocation-statements',
  'DATABASE-STMT-10',
  "a failed creation is rolled back with the role's revocation statements (001 4.1: rollback_statements, run to roll back a failed create)",
  { rollback: () => (role, standard) => (role.revocation.length > 0 ? role.revocation : standard) },
)
