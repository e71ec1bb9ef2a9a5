/** Faults of the database engine: effects on what stands next to it. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { databaseEngine } from './engine.ts'
import { afterwards, leaseOf, nameOf, withRules } from './haze-help.ts'
import type { Connection, UserValues } from './state.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')

route(
  'haze-role-delete-takes-static',
  'DATABASE-APART-01',
  'deleting a role takes the static role of the same name along (001 4.1: DELETE roles/:name deletes the role)',
  'database.deleteRole',
  afterwards((call) => {
    call.state.staticRoles.get(nameOf(call))?.cancel()
    call.state.staticRoles.delete(nameOf(call))
  }),
)

const revocations = remembered(() => new Map<string, string[]>())
change(
  'haze-revocation-of-other-role',
  'DATABASE-STMT-07',
  'a role without revocation statements takes those written last for its connection (001 4.1: `revocation_statements` default [])',
  {
    routes: {
      'database.writeRole': afterwards((call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role && role.revocation.length > 0) revocations(call.state).set(role.dbName, role.revocation)
      }),
      'database.readCreds': (original) => (call) =>
        original(
          withRules(call, {
            revocation: (role, standard) => {
              const found = role.revocation.length > 0 ? role.revocation : (revocations(call.state).get(role.dbName) ?? [])
              return call.rules.revocation({ ...role, revocation: found }, standard)
            },
          }),
        ),
    },
  },
)

route(
  'haze-rotation-resets-others',
  'DATABASE-APART-01',
  'rotating a static role by hand resets the TTL of all static roles of its connection (001 4.1: rotate-role/:name resets its TTL)',
  'database.rotateRole',
  afterwards((call) => {
    const rotated = call.state.staticRoles.get(nameOf(call))
    for (const role of call.state.staticRoles.values())
      if (rotated && role.dbName === rotated.dbName) role.rotatedAt = Math.max(role.rotatedAt, rotated.rotatedAt)
  }),
)

const byName = remembered(() => new Map<string, Connection>())
change(
  'haze-connections-across-mounts',
  'DATABASE-APART-01',
  'of connections with one name in two mounts the one written last serves both (001 introduction and 4.1: a mount has its own `config/:name`)',
  {
    routes: {
      'database.writeConnection': afterwards((call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection) byName(call.services).set(connection.name, connection)
      }),
      'database.deleteConnection': afterwards((call) => {
        byName(call.services).delete(nameOf(call))
      }),
      'database.readCreds': (original) => (call) =>
        original(
          withRules(call, {
            connectionOf: (state, dbName) => {
              const own = call.rules.connectionOf(state, dbName)
              return own && (byName(call.services).get(dbName) ?? own)
            },
          }),
        ),
    },
  },
)

const newest = remembered(() => new Map<string, () => Promise<void>>())
route(
  'haze-revokes-newest-user',
  'DATABASE-CREDS-07',
  'the end of a lease removes the user that its role issued last instead of its own (001 1: credentials created on demand with leases)',
  'database.readCreds',
  afterwards((call, reply) => {
    const lease = leaseOf(call, reply)
    if (lease === undefined) return
    const own = lease.request.revoke
    newest(call.state).set(nameOf(call), own)
    lease.request = { ...lease.request, revoke: () => (newest(call.state).get(nameOf(call)) ?? own)() }
  }),
)

route(
  'haze-static-password-of-connection',
  'DATABASE-STATIC-23',
  'static credentials show the password that was set last on their connection (001 2.1: static credentials have the password of their user)',
  'database.readStaticCreds',
  (original) => (call) =>
    original(
      withRules(call, {
        shownStaticCredential: (role, ttl, rotatedAt) => {
          const beside = [...call.state.staticRoles.values()].filter(({ dbName }) => dbName === role.dbName)
          const last = beside.sort((one, other) => other.rotatedAt - one.rotatedAt)[0] ?? role
          return call.rules.shownStaticCredential({ ...role, password: last.password }, ttl, rotatedAt)
        },
      }),
    ),
)

route(
  'haze-static-delete-ends-leases',
  'DATABASE-APART-01',
  'deleting a static role revokes the credentials of the dynamic role of the same name (001 4.1: it revokes the database user of the static role)',
  'database.deleteStaticRole',
  afterwards((call) => call.services.leases.revokePrefix(`${call.mount.namespace}${call.mount.path}creds/${nameOf(call)}/`)),
)

core.rule(
  'haze-namespaces-share-mounts',
  'DATABASE-APART-01',
  'database mounts of one path in two namespaces share their roles and connections (000 2.2: the namespace is part of the effective path)',
  {
    stateOf: (original) => (engine, others, place) =>
      (engine.type === 'database'
        ? others.find((mount) => mount.engine.type === 'database' && mount.path === place.path && mount.namespace !== place.namespace)
            ?.state
        : undefined) ?? original(engine, others, place),
  },
)

rule(
  'haze-refused-update-allows',
  'DATABASE-VERIFY-04',
  'a refused update of a connection has changed its `allowed_roles` all the same (000 7: 400 is an invalid request; 001 4.1: verified at configuration time)',
  {
    allowedRolesOf: (original) => (body, previous) => {
      const next = [...original(body, previous)]
      previous?.splice(0, previous.length, ...next)
      return previous ?? next
    },
  },
)

route(
  'haze-static-delete-elsewhere',
  'DATABASE-STATIC-24',
  'deleting a static role revokes the user of that name on other connections, too (001 4.1: a static role is a 1-to-1 map to a database user)',
  'database.deleteStaticRole',
  (original) => async (call) => {
    const { state, rules } = call
    const role = state.staticRoles.get(nameOf(call))
    const reply = await original(call)
    for (const other of state.staticRoles.values()) {
      if (role === undefined || other.username !== role.username || other.dbName === role.dbName) continue
      const link = rules.connectionOf(state, other.dbName)?.link
      const values = rules.templateValues({ username: other.username, password: other.password, expiresAt: call.now() })
      await link?.run(rules.prepared(link.plugin.revocation, values)).catch(() => undefined)
    }
    return reply
  },
)

const users = remembered(() => new Map<string, Record<string, string>>())
route(
  'haze-rollback-of-earlier-user',
  'DATABASE-STMT-10',
  'the rollback of a failed creation removes the user that its connection got before (001 4.1: `rollback_statements` roll back the failed create)',
  'database.readCreds',
  (original) => async (call) => {
    const dbName = call.state.roles.get(nameOf(call))?.dbName ?? ''
    const before = users(call.state).get(dbName)
    let undoing: string[] | undefined
    const reply = await original(
      withRules(call, {
        rollback: (role, standard) => {
          undoing = [...call.rules.rollback(role, standard)]
          return undoing
        },
        prepared: (statements, values) => call.rules.prepared(statements, statements === undoing ? (before ?? values) : values),
      }),
    )
    const { data } = reply.body as unknown as { data: UserValues }
    users(call.state).set(dbName, call.rules.templateValues({ ...data, expiresAt: call.now() }))
    return reply
  },
)
