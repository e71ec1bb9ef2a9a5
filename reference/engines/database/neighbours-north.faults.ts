/** Faults that reach a neighbour: another role, connection, user, lease, mount, or a name of another kind. */

import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { databaseEngine } from './engine.ts'
import { about, connectionIn, deciding, leaseIn, nameOf, roleIn, staticRoleIn } from './north-help.ts'
import type { DatabaseState, StaticRole } from './state.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')

rule(
  'north-allowed-in-any-case',
  'DATABASE-ALLOWED-04',
  'a role whose name differs by case from an allowed one is allowed, too (001 4.1: allowed_roles, list)',
  {
    roleAllowed: (original) => (allowed, role) =>
      original(allowed, role) || allowed.some((name) => name.toLowerCase() === role.toLowerCase()),
  },
)

rule(
  'north-allowed-by-beginning',
  'DATABASE-ALLOWED-08',
  'static roles whose names begin with an allowed name are allowed (001 4.1: allowed_roles, * in the list allows any role)',
  {
    staticRoleAllowed: (original) => (allowed, role) => original(allowed, role) || allowed.some((name) => role.startsWith(name)),
  },
)

route(
  'north-static-deletion-takes-role',
  'DATABASE-APART-01',
  'deleting a static role deletes the dynamic role of the same name (001 4.1: DELETE static-roles/:name, deletes the static role)',
  'database.deleteStaticRole',
  (original) => async (call) => {
    const given = await original(call)
    call.state.roles.delete(nameOf(call))
    return given
  },
)

rule(
  'north-user-names-of-all-connections',
  'DATABASE-STATIC-24',
  'a user of one connection is taken where another database has one of that name (001 4.1: static roles, role to a database user)',
  {
    userAvailable: (original) => (state, dbName, username) =>
      original(state, dbName, username) && ![...state.staticRoles.values()].some((role) => role.username === username),
  },
)

route(
  'north-rotation-of-all-in-connection',
  'DATABASE-APART-01',
  'rotating one static role by hand rotates the others of its connection (001 4.1: rotate-role/:name, of the static role password)',
  'database.rotateRole',
  (original) => async (call) => {
    const given = await original(call)
    const dbName = staticRoleIn(call)?.dbName
    const others = [...call.state.staticRoles].filter(([name, role]) => name !== nameOf(call) && role.dbName === dbName)
    for (const [name] of others) await Promise.resolve(original(about(call, name))).catch(() => undefined)
    return given
  },
)

const compiled = remembered(() => new Map<string, string[]>())
change(
  'north-statements-cached-by-name',
  'DATABASE-APART-01',
  'a role is created by the statements of its namesake at another mount (001 4.1: creation_statements; 000: mounted at any path)',
  {
    routes: {
      'database.writeRole': (original) => (call) => {
        compiled(call.services).delete(nameOf(call))
        return original(call)
      },
      'database.readCreds': (original) => (call) => {
        const cache = compiled(call.services)
        return original(
          deciding(call, {
            creation: (role) => {
              const statements = cache.get(nameOf(call)) ?? call.rules.creation(role)
              cache.set(nameOf(call), statements)
              return statements
            },
          }),
        )
      },
    },
  },
)

const statesOf = remembered(() => new Set<DatabaseState>())
change(
  'north-connection-of-another-mount',
  'DATABASE-ROLE-11',
  'a db_name unknown at a mount is looked for at the others, so that it gives users (001 4.1: db_name; 000 7: 400, invalid data)',
  {
    routes: {
      'database.writeConnection': (original) => (call) => {
        statesOf(call.services).add(call.state)
        return original(call)
      },
      'database.writeRole': (original) => (call) =>
        original(
          deciding(call, {
            connectionKnownAtWrite: (_state, dbName) => [...statesOf(call.services)].some(({ connections }) => connections.has(dbName)),
          }),
        ),
      'database.readCreds': (original) => (call) =>
        original(
          deciding(call, {
            connectionOf: (state, dbName) =>
              [state, ...statesOf(call.services)].map(({ connections }) => connections.get(dbName)).find((found) => found !== undefined),
          }),
        ),
    },
  },
)

const undoing = remembered(() => new Map<string, () => Promise<void>>())
route(
  'north-latest-user-revoked',
  'DATABASE-CREDS-07',
  'the end of any lease of a role removes the user that the role gave last (001 1: credentials created on demand with leases)',
  'database.readCreds',
  (original) => async (call) => {
    const given = await original(call)
    const lease = leaseIn(call, given)
    if (lease === undefined) return given
    const latest = undoing(call.state)
    const { revoke } = lease.request
    latest.set(nameOf(call), revoke)
    lease.request.revoke = () => (latest.get(nameOf(call)) ?? revoke)()
    return given
  },
)

rule(
  'north-static-list-with-dynamic',
  'DATABASE-APART-01',
  'the list of static roles names the dynamic roles, too (001 4.1: LIST static-roles, data.keys)',
  {
    staticRoleNames: (original) => (state) => [...new Set([...original(state), ...state.roles.keys()])],
  },
)

route(
  'north-role-write-allows-itself',
  'DATABASE-CONN-03',
  'writing a role adds it to the allowed roles of its connection (001 4.1: allowed_roles, default [] (no roles))',
  'database.writeRole',
  (original) => async (call) => {
    const given = await original(call)
    const connection = call.state.connections.get(roleIn(call)?.dbName ?? '')
    if (connection !== undefined && !call.rules.roleAllowed(connection.allowedRoles, nameOf(call)))
      connection.allowedRoles = [...connection.allowedRoles, nameOf(call)]
    return given
  },
)

route(
  'north-session-by-url-template',
  'DATABASE-VERIFY-05',
  'a connection uses the session of another with the same unfilled URL, whatever its user and password (001 2.1: replaced from the fields)',
  'database.writeConnection',
  (original) => async (call) => {
    const { body, rules, state } = call
    const before = connectionIn(call)
    const pluginName = rules.connectionText(body, 'plugin_name', before?.pluginName)
    const url = rules.connectionText(body, body.connection_url === undefined ? 'url' : 'connection_url', before?.url)
    const namesake = [...state.connections.values()].find(
      (other) => other.name !== nameOf(call) && other.pluginName === pluginName && other.url === url,
    )
    if (namesake === undefined) return original(call)
    const given = await original(deciding(call, { verifies: () => false }))
    const connection = connectionIn(call)
    if (connection !== undefined) connection.link = namesake.link
    return given
  },
)

const armed = remembered(() => new Map<string, StaticRole>())
route(
  'north-timers-by-role-name',
  'DATABASE-APART-01',
  'a static role is no more rotated once another mount writes one of its name (001 4.1: rotated automatically after the rotation period)',
  'database.writeStaticRole',
  (original) => async (call) => {
    const given = await original(call)
    const role = staticRoleIn(call)
    const known = armed(call.services).get(nameOf(call))
    if (known !== undefined && known !== role) known.cancel()
    if (role !== undefined) armed(call.services).set(nameOf(call), role)
    return given
  },
)
