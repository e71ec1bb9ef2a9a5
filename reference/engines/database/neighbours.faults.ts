/** Faults in which a request reaches further than the object that it names. */
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'
import { rotate } from './rotation.ts'
import type { DatabaseState, Role } from './state.ts'
import { type Handle, nameOf } from './wrappers.ts'

const { rule, route, change } = faultsOf(databaseEngine)

route(
  'neighbour-role-prefix',
  ['DATABASE-ROLE-06'],
  'deleting a role deletes every role whose name begins with its name (001 4.1, DELETE roles)',
  'database.deleteRole',
  (original) => (call) => {
    for (const other of [...call.state.roles.keys()])
      if (other !== nameOf(call) && other.startsWith(nameOf(call))) call.state.roles.delete(other)
    return original(call)
  },
)

route(
  'neighbour-connection-takes-roles',
  ['DATABASE-CONN-06'],
  'deleting a connection deletes the roles that name it (001 4.1, DELETE config)',
  'database.deleteConnection',
  (original) => (call) => {
    for (const [name, { dbName }] of [...call.state.roles]) if (dbName === nameOf(call)) call.state.roles.delete(name)
    return original(call)
  },
)

route(
  'neighbour-connection-prefix',
  ['DATABASE-CONN-06'],
  'deleting a connection deletes those whose name begins with its name (001 4.1, DELETE config)',
  'database.deleteConnection',
  (original) => (call) => {
    for (const other of [...call.state.connections.keys()])
      if (other !== nameOf(call) && other.startsWith(nameOf(call))) call.state.connections.delete(other)
    return original(call)
  },
)

route(
  'neighbour-rotates-siblings',
  ['DATABASE-APART-01'],
  'a rotation by hand rotates all static roles of the connection (001 4.1, rotate-role)',
  'database.rotateRole',
  (original) => async (call) => {
    const given = await original(call)
    const role = call.state.staticRoles.get(nameOf(call))
    for (const other of call.state.staticRoles.values())
      if (role && other !== role && other.dbName === role.dbName) await rotate(call, other, call.rules.rotatedAt).catch(() => undefined)
    return given
  },
)

route(
  'neighbour-deletion-stops-siblings',
  ['DATABASE-ROTATE-01'],
  'deleting a static role ends the schedule of the others of its connection (001 4.1, rotated automatically)',
  'database.deleteStaticRole',
  (original) => (call) => {
    const role = call.state.staticRoles.get(nameOf(call))
    for (const other of call.state.staticRoles.values()) if (role && other !== role && other.dbName === role.dbName) other.cancel()
    return original(call)
  },
)

const usersOf = new WeakMap<Role, string[]>()

change(
  'neighbour-lease-takes-users',
  ['DATABASE-CREDS-07'],
  'the end of one lease removes all users of the role (001 1, credentials with leases)',
  {
    rules: {
      revocation: (original) => (role, standard) => [
        ...original(role, standard),
        ...(usersOf.get(role) ?? []).flatMap((user) => standard.map((statement) => statement.replaceAll('{{name}}', user))),
      ],
    },
    routes: {
      'database.readCreds': (original: Handle) => async (call) => {
        const given = await original(call)
        const role = call.state.roles.get(nameOf(call))
        const { data } = given.body as { data: { username: string } }
        if (role) usersOf.set(role, [...(usersOf.get(role) ?? []), data.username])
        return given
      },
    },
  },
)

let lastRevocation: string[] = []

rule(
  'neighbour-revocation-of-last-role',
  ['DATABASE-STMT-07'],
  'a role without revocation statements uses those that any role was given last (001 4.1, revocation_statements)',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      if (role.revocation.length > 0) lastRevocation = role.revocation
      return role
    },
    revocation: (original) => (role, standard) => original(role, lastRevocation.length > 0 ? lastRevocation : standard),
  },
)

rule(
  'neighbour-last-connection',
  ['DATABASE-ALLOWED-02', 'DATABASE-ALLOWED-04'],
  'roles are served by the connection that was written last (001 4.1, db_name)',
  {
    connectionOf: (original) => (state, dbName) => original(state, dbName) && [...state.connections.values()].at(-1),
  },
)

route(
  'neighbour-static-replaces-dynamic',
  ['DATABASE-APART-01'],
  'a static role deletes the dynamic role of the same name (001 4.1, static-roles)',
  'database.writeStaticRole',
  (original) => async (call) => {
    const given = await original(call)
    call.state.roles.delete(nameOf(call))
    return given
  },
)

const seen = new Set<DatabaseState>()

rule(
  'neighbour-list-of-all-mounts',
  ['DATABASE-APART-01'],
  'a listing of connections holds those of every mount that was listed (001 intro, mounts)',
  {
    connectionNames: (original) => (state) => {
      seen.add(state)
      return [...new Set([...seen].flatMap((one) => original(one)))]
    },
  },
)

route(
  'neighbour-allowed-roles-move',
  ['DATABASE-APART-01'],
  'writing a connection takes back what other connections allow for its roles (001 4.1, allowed_roles)',
  'database.writeConnection',
  (original) => async (call) => {
    const given = await original(call)
    const mine = call.state.connections.get(nameOf(call))
    for (const other of call.state.connections.values())
      if (mine && other !== mine) other.allowedRoles = other.allowedRoles.filter((role) => !mine.allowedRoles.includes(role))
    return given
  },
)

route(
  'neighbour-static-read-of-other',
  ['DATABASE-SCREDS-01', 'DATABASE-APART-01'],
  'static credentials are those of the first static role whose database user begins with the same eight letters (001 4.1, static-creds)',
  'database.readStaticCreds',
  (original) => (call) => {
    const role = call.state.staticRoles.get(nameOf(call))
    const other = role && [...call.state.staticRoles].find(([, { username }]) => username.slice(0, 8) === role.username.slice(0, 8))
    return original(other ? { ...call, params: { ...call.params, name: other[0] } } : call)
  },
)
