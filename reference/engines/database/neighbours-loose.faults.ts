/** Faults in which a request reaches another connection, role, user, caller, mount or namespace than the one that it is about. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered, sharedWithinSecond } from '../../mutations/remembering.ts'
import { databaseEngine } from './engine.ts'
import { type DatabaseCall, leasing, nameOf, siblings, withState } from './loose-words.ts'
import { rotate, schedule } from './rotation.ts'
import type { DatabaseState } from './state.ts'

const { rule, route } = faultsOf(databaseEngine)
const core = faultsOf(coreEngine, 'database')

route(
  'near-delete-takes-longer-names',
  ['CORE-NAME-01'],
  'deleting a connection deletes every connection whose name begins with its name (001 4.1, DELETE config/:name, delete connection)',
  'database.deleteConnection',
  (original) => async (call) => {
    const { connections } = call.state
    for (const other of [...connections.values()].filter(({ name }) => name !== nameOf(call) && name.startsWith(nameOf(call)))) {
      connections.delete(other.name)
      await other.link.close()
    }
    return original(call)
  },
)

route(
  'near-delete-takes-static-role',
  ['DATABASE-APART-01'],
  'deleting a dynamic role forgets the static role of the same name, too (001 4.1, DELETE roles/:name, delete role)',
  'database.deleteRole',
  (original) => (call) => {
    call.state.staticRoles.get(nameOf(call))?.cancel()
    call.state.staticRoles.delete(nameOf(call))
    return original(call)
  },
)

rule(
  'near-list-mixes-static-roles',
  ['DATABASE-APART-01'],
  'the list of dynamic roles holds the static roles as well (001 4.1, LIST roles)',
  {
    roleNames: (original) => (state) => [...new Set([...original(state), ...state.staticRoles.keys()])],
  },
)

route(
  'near-allowed-by-any-connection',
  ['DATABASE-ALLOWED-04'],
  'a role that any connection of the mount allows gets users on its own, which does not (001 4.1, allowed_roles of the connection)',
  'database.readCreds',
  (original) => (call) => {
    const all = [...call.state.connections.values()].flatMap(({ allowedRoles }) => allowedRoles)
    const connections = new Map(
      [...call.state.connections].map(([name, connection]) => [name, { ...connection, allowedRoles: all }] as const),
    )
    return original(withState(call, { connections }))
  },
)

const endings = remembered(() => new Map<string, (() => Promise<void>)[]>())

route(
  'near-lease-end-takes-role',
  ['DATABASE-CREDS-07'],
  'the end of one lease removes all users of its role (001 1, credentials created on demand with leases)',
  'database.readCreds',
  leasing((request, call) => {
    const all = endings(call.state).get(nameOf(call)) ?? []
    endings(call.state).set(nameOf(call), all)
    all.push(request.revoke)
    const revoke = async () => {
      for (const end of all.splice(0)) await end()
    }
    return { ...request, revoke }
  }),
)

route(
  'near-creds-shared-within-second',
  ['DATABASE-CREDS-02', 'DATABASE-CREDS-03'],
  'callers who ask for credentials of a role within one second get the same user (001 1, credentials created on demand)',
  'database.readCreds',
  sharedWithinSecond<DatabaseCall>((call) => call.state.roles.get(nameOf(call))),
)

route(
  'near-rotation-of-siblings',
  ['DATABASE-APART-01'],
  'rotating a static role by hand rotates all static roles of its connection (001 4.1, rotate-role/:name, of the static role)',
  'database.rotateRole',
  (original) => async (call) => {
    const reply = await original(call)
    const role = call.state.staticRoles.get(nameOf(call))
    for (const other of role ? siblings(call.state, role) : []) {
      await rotate(call, other, call.rules.rotatedByHandAt).catch(() => undefined)
    }
    return reply
  },
)

route(
  'near-period-of-siblings',
  ['DATABASE-APART-01', 'DATABASE-STATIC-01'],
  'writing a static role gives its rotation_period to all static roles of its connection (001 2.1, rotation_period of a static role)',
  'database.writeStaticRole',
  (original) => async (call) => {
    const reply = await original(call)
    const role = call.state.staticRoles.get(nameOf(call))
    for (const other of role ? siblings(call.state, role) : []) {
      other.period = role?.period ?? other.period
      schedule(call, other)
    }
    return reply
  },
)

route(
  'near-root-password-for-all',
  ['DATABASE-APART-01'],
  "rotate-root stores the new password with all connections of the mount (001 4.1, the stored root user's password)",
  'database.rotateRoot',
  (original) => async (call) => {
    const reply = await original(call)
    const { connections } = call.state
    const password = connections.get(nameOf(call))?.password ?? ''
    for (const other of [...connections.values()].filter(({ name }) => name !== nameOf(call))) {
      other.password = password
      await other.link.close()
    }
    return reply
  },
)

route(
  'near-connection-update-drops-static-roles',
  ['DATABASE-APART-01'],
  'writing a connection once more removes the static roles that use it (001 4.1, create or update connection)',
  'database.writeConnection',
  (original) => async (call) => {
    const isUpdate = call.state.connections.has(nameOf(call))
    const reply = await original(call)
    for (const [name, role] of isUpdate ? [...call.state.staticRoles] : []) {
      if (role.dbName !== nameOf(call)) continue
      role.cancel()
      call.state.staticRoles.delete(name)
    }
    return reply
  },
)

rule(
  'near-user-of-another-database',
  ['DATABASE-STATIC-24'],
  'a static role is refused where another database has a static role for a user of that name (001 4.1, one role to one database user)',
  {
    userAvailable: () => (state, _dbName, username) => ![...state.staticRoles.values()].some((role) => role.username === username),
  },
)

core.rule(
  'near-mounts-share-connections',
  ['DATABASE-ROLE-11'],
  'all database mounts have the same connections (000, engines can be mounted at any path; 001 4.1, config/:name of a mount)',
  {
    stateOf: (original) => (engine, others, place) => {
      const fresh = original(engine, others, place)
      const other = others.find((mount) => engine.type === 'database' && mount.engine.type === 'database')
      return other ? Object.assign(fresh as DatabaseState, { connections: (other.state as DatabaseState).connections }) : fresh
    },
  },
)
