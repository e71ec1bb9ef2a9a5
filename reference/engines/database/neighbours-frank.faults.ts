/** Faults of what stands beside: similar names, namesakes, other credentials, other mounts. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered, sharedWithinSecond } from '../../mutations/remembering.ts'
import { databaseEngine } from './engine.ts'
import { type DatabaseCall, dataOf, nameOf, withLeases, withRules } from './frank-help.ts'
import type { DatabaseState } from './state.ts'

const { rule, route } = faultsOf(databaseEngine)
const core = faultsOf(coreEngine, 'database')

route(
  'frank-connections-deleted-by-prefix',
  'CORE-NAME-01',
  'deleting a connection deletes those whose names begin with its name, too (001 4.1: DELETE /database/config/:name)',
  'database.deleteConnection',
  (original) => async (call) => {
    const { connections } = call.state
    const alike = [...connections.values()].filter(({ name }) => name !== nameOf(call) && name.startsWith(nameOf(call)))
    const given = await original(call)
    for (const connection of alike) {
      connections.delete(connection.name)
      await connection.link.close()
    }
    return given
  },
)

route(
  'frank-static-namesake-deleted',
  'DATABASE-APART-01',
  'deleting a dynamic role forgets the static role of the same name (001 4.1: DELETE /database/roles/:name)',
  'database.deleteRole',
  (original) => (call) => {
    call.state.staticRoles.get(nameOf(call))?.cancel()
    call.state.staticRoles.delete(nameOf(call))
    return original(call)
  },
)

rule(
  'frank-static-roles-among-roles',
  'DATABASE-APART-01',
  'the listing of roles names static roles as well (001 4.1: LIST /database/roles)',
  {
    roleNames: (original) => (state) => [...new Set([...original(state), ...state.staticRoles.keys()])],
  },
)

route(
  'frank-rotation-restarts-other-ttls',
  'DATABASE-APART-01',
  'rotating a static role by hand resets the TTL of all static roles at its connection (001 4.1: rotate-role resets its TTL)',
  'database.rotateRole',
  (original) => async (call) => {
    const given = await original(call)
    const { staticRoles } = call.state
    const rotated = staticRoles.get(nameOf(call))
    for (const role of staticRoles.values()) if (role.dbName === rotated?.dbName) role.rotatedAt = rotated.rotatedAt
    return given
  },
)

const undoing = remembered(() => new Map<string, () => Promise<void>>())

route(
  'frank-older-sibling-revoked-along',
  'DATABASE-CREDS-06',
  'when a lease ends, the credential that the role gave just before it is revoked as well (001 1: credentials created on demand with leases)',
  'database.readCreds',
  (original) => (call) =>
    original(
      withLeases(call, (request) => {
        const older = undoing(call.state).get(nameOf(call))
        undoing(call.state).set(nameOf(call), request.revoke)
        return {
          ...request,
          async revoke() {
            await request.revoke()
            await older?.().catch(() => undefined)
          },
        }
      }),
    ),
)

core.rule(
  'frank-roles-shared-by-mounts',
  'DATABASE-ROLE-05',
  'a second mount has the roles of the first (001 intro: mounts; 4.1: LIST /database/roles)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      if (engine.type !== 'database') return state
      const other = others.find((mount) => mount.engine.type === 'database' && mount.namespace === place.namespace)
      return other ? { ...(state as DatabaseState), roles: (other.state as DatabaseState).roles } : state
    },
  },
)

route(
  'frank-credential-shared-within-second',
  'DATABASE-CREDS-02',
  'two requests for credentials of a role within a second get the same user and lease (001 1: credentials created on demand)',
  'database.readCreds',
  sharedWithinSecond<DatabaseCall>((call) => call.state.roles.get(nameOf(call))),
)

route(
  'frank-deletion-stops-other-schedules',
  'DATABASE-ROTATE-01',
  'deleting a static role ends the automatic rotation of the others at its connection (001 4.1: rotated automatically after the period)',
  'database.deleteStaticRole',
  (original) => async (call) => {
    const { staticRoles } = call.state
    const deleted = staticRoles.get(nameOf(call))
    const given = await original(call)
    for (const role of staticRoles.values()) if (role.dbName === deleted?.dbName) role.cancel()
    return given
  },
)

route(
  'frank-roles-go-with-connection',
  'DATABASE-CONN-07',
  'deleting a connection deletes the dynamic roles that name it (001 4.1: DELETE /database/config/:name deletes the connection)',
  'database.deleteConnection',
  (original) => async (call) => {
    const given = await original(call)
    for (const [name, role] of call.state.roles) if (role.dbName === nameOf(call)) call.state.roles.delete(name)
    return given
  },
)

rule(
  'frank-user-taken-at-any-connection',
  'DATABASE-STATIC-24',
  'a user name that has a static role at one connection can have none at another (001 4.1: 1-to-1 map of a role to a database user)',
  {
    userAvailable: () => (state, _dbName, username) => [...state.staticRoles.values()].every((role) => role.username !== username),
  },
)

const latestValues = remembered(() => new Map<string, Record<string, string>>())

route(
  'frank-rollback-of-user-before',
  'DATABASE-STMT-10',
  'a failed creation rolls back the user that the role made before (001 4.1: `rollback_statements`, run to roll back a failed create)',
  'database.readCreds',
  (original) => async (call) => {
    const latest = latestValues(call.state)
    let isRollback = false
    const given = await original(
      withRules(call, {
        rollback(role, standard) {
          isRollback = true
          return call.rules.rollback(role, standard)
        },
        prepared(statements, values) {
          const chosen = isRollback ? (latest.get(nameOf(call)) ?? values) : values
          isRollback = false
          return call.rules.prepared(statements, chosen)
        },
      }),
    )
    const { username, password } = dataOf(given)
    const user = { username: String(username), password: String(password), expiresAt: call.now() }
    latest.set(nameOf(call), call.rules.templateValues(user))
    return given
  },
)
