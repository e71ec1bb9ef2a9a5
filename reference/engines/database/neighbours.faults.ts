/** Faults in which a request reaches further than the object that it names. */
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'
import type { Role } from './state.ts'
import { type Handle, nameOf } from './wrappers.ts'

const { route, change } = faultsOf(databaseEngine)

route(
  'neighbour-role-prefix',
  ['DB-ROLE-06'],
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
  ['DB-CONN-06'],
  'deleting a connection deletes the roles that name it (001 4.1, DELETE config)',
  'database.deleteConnection',
  (original) => (call) => {
    for (const [name, { dbName }] of [...call.state.roles]) if (dbName === nameOf(call)) call.state.roles.delete(name)
    return original(call)
  },
)

route(
  'neighbour-connection-prefix',
  ['DB-CONN-06'],
  'deleting a connection deletes those whose name begins with its name (001 4.1, DELETE config)',
  'database.deleteConnection',
  (original) => (call) => {
    for (const other of [...call.state.connections.keys()])
      if (other !== nameOf(call) && other.startsWith(nameOf(call))) call.state.connections.delete(other)
    return original(call)
  },
)

const usersOf = new WeakMap<Role, string[]>()
change(
  'neighbour-lease-takes-users',
  ['DB-CREDS-07'],
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
