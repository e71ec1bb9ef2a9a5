/** Faults whose effect is on a neighbour: another connection, role, caller, mount or namespace. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered, sharedWithinSecond } from '../../mutations/remembering.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { afterwards, byRules } from './anew-help.ts'
import { databaseEngine } from './engine.ts'
import type { DatabaseState } from './state.ts'
import { type DatabaseCall, nameOf } from './wrappers.ts'

const { rule, route } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')

core.rule(
  'anew-same-path-in-other-namespace',
  ['DATABASE-APART-01'],
  'mounts at one path of two namespaces share all they know (000 2.2: "the header value followed by the request path")',
  {
    stateOf: (original) => (engine, others, place) => {
      const like = others.find((mount) => mount.engine.type === 'database' && mount.path === place.path)
      return engine.type === 'database' && like !== undefined ? like.state : original(engine, others, place)
    },
  },
)

core.rule(
  'anew-mounts-share-roles',
  ['DATABASE-ROLE-05'],
  'a second database mount has the roles of the first one, too (000 conventions: "Engines can be mounted at any path")',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const first = others.find((mount) => mount.engine.type === 'database' && mount.namespace === place.namespace)
      if (engine.type !== 'database' || first === undefined) return state
      return { ...(state as DatabaseState), roles: (first.state as DatabaseState).roles }
    },
  },
)

route(
  'anew-deletion-by-prefix',
  ['CORE-NAME-01'],
  'deleting the connection app deletes app-2 as well (001 4.1: DELETE config/:name "delete connection")',
  'database.deleteConnection',
  afterwards(async ({ state, params }) => {
    for (const [name, connection] of [...state.connections]) {
      if (!name.startsWith(params.name ?? '')) continue
      state.connections.delete(name)
      await connection.link.close()
    }
  }),
)

const preparedFor = remembered(() => new Map<string, string[]>())

route(
  'anew-creation-cached-by-connection',
  ['DATABASE-CREDS-11'],
  'a role creates its users by the statements of the role that used the connection first (001 4.1: "creation_statements")',
  'database.readCreds',
  byRules((call) => ({
    creation: (role) => {
      const known = preparedFor(call.state)
      const statements = known.get(role.dbName) ?? call.rules.creation(role)
      if (statements.length > 0) known.set(role.dbName, statements)
      return statements
    },
  })),
)

route(
  'anew-callers-share-credential',
  ['DATABASE-CREDS-02'],
  'two callers who ask for credentials of a role within a second get the same user (001 1: "credentials created on demand")',
  'database.readCreds',
  sharedWithinSecond((call: DatabaseCall) => call.state.roles.get(nameOf(call))),
)

route(
  'anew-rotation-resets-siblings',
  ['DATABASE-APART-01'],
  'a manual rotation also resets ttl and last rotation of the other static roles of the connection (001 4.1: "resets its TTL")',
  'database.rotateRole',
  afterwards(({ state, params, now }) => {
    const rotated = state.staticRoles.get(params.name ?? '')
    for (const role of state.staticRoles.values()) if (role.dbName === rotated?.dbName) role.rotatedAt = now()
  }),
)

route(
  'anew-sessions-pooled-by-template',
  ['DATABASE-VERIFY-01'],
  'connections with one connection_url work as the first of their root users (001 2.1: "replaced from the username and password fields")',
  'database.writeConnection',
  (original) => async (call) => {
    const { state, body } = call
    const like = [...state.connections.values()].find(({ name, url }) => name !== nameOf(call) && url === body.connection_url)
    if (like === undefined) return original(call)
    const given = await original({ ...call, body: { ...body, verify_connection: false } })
    const written = state.connections.get(nameOf(call))
    if (written !== undefined) written.link = like.link
    return given
  },
)

rule(
  'anew-role-list-holds-static-roles',
  ['DATABASE-APART-01'],
  'LIST roles names the static roles, too (001 4.1: roles and static-roles are listed by rows of their own)',
  { roleNames: (original) => (state) => [...new Set([...original(state), ...state.staticRoles.keys()])] },
)

rule(
  'anew-user-name-taken-on-other-database',
  ['DATABASE-STATIC-24'],
  'a static role is refused when a user of that name on another connection has one (001 4.1: "1-to-1 map of a role to a database user")',
  {
    userAvailable: (original) => (state, dbName, username) =>
      original(state, dbName, username) && ![...state.staticRoles.values()].some((role) => role.username === username),
  },
)

route(
  'anew-deletion-stops-rotation-of-siblings',
  ['DATABASE-ROTATE-01'],
  'deleting a static role ends the rotation of the others of its connection (001 4.1: "rotated automatically after the rotation period")',
  'database.deleteStaticRole',
  (original) => async (call) => {
    const dbName = call.state.staticRoles.get(nameOf(call))?.dbName
    const given = await original(call)
    for (const role of call.state.staticRoles.values()) if (role.dbName === dbName) role.cancel()
    return given
  },
)

route(
  'anew-allowed-by-any-connection',
  ['DATABASE-ALLOWED-04'],
  'a role gets credentials when any connection of the mount allows it, not its own (001 4.1: allowed_roles, default "[] (no roles)")',
  'database.readCreds',
  byRules(({ state, rules }) => ({
    roleAllowed: (_allowed, role) => [...state.connections.values()].some(({ allowedRoles }) => rules.roleAllowed(allowedRoles, role)),
  })),
)

const OPTIONAL = ['revocation_statements', 'rollback_statements', 'renew_statements']
const decoder = remembered(() => ({ fields: {} as JsonObject }))

route(
  'anew-role-decoded-into-last-role',
  ['DATABASE-ROLE-06'],
  'a new role takes optional statements that it leaves out from the role written before it (001 4.1: "default []")',
  'database.writeRole',
  requestBody((body, call: DatabaseCall) => {
    const last = decoder(call.state)
    const given = call.state.roles.has(nameOf(call)) ? body : { ...last.fields, ...body }
    last.fields = Object.fromEntries(Object.entries(given).filter(([field]) => OPTIONAL.includes(field)))
    return given
  }),
)
