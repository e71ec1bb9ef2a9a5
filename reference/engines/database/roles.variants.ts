/** Legal alternatives of dynamic roles and their credentials. */
import { ApiError, invalid, notFound } from '../../core/errors.ts'
import { variantsOf } from '../../faults/declare.ts'
import { refusalStatus } from '../../faults/wrappers.ts'
import { type DatabaseRoute, databaseEngine } from './engine.ts'

const { rule, route, change, declared } = variantsOf(databaseEngine)

type Handle = DatabaseRoute['handle']

const strictly =
  (known: (call: Parameters<Handle>[0]) => boolean) =>
  (original: Handle): Handle =>
  (call) => {
    if (!known(call)) throw notFound('nothing of that name')
    return original(call)
  }

rule('max-ttl-refused', 'refused or the lease is capped', 'a default above the maximum is refused when the role is written', {
  roleOf: (original) => (body, previous) => {
    const role = original(body, previous)
    if (role.maxTtl > 0 && role.defaultTtl > role.maxTtl) throw invalid('default_ttl is above max_ttl')
    return role
  },
})
route(
  'mount-max-refused',
  'refused or the lease is capped',
  'a maximum above the one of the mount is refused',
  'database.writeRole',
  (original) => (call) => {
    if (Number(call.body.max_ttl) > call.mount.maxLeaseTtl) throw invalid('max_ttl is above the maximum of the mount')
    return original(call)
  },
)
rule('connection-later', 'unknown db_name: refused at write or at creds', 'a role may be written before its connection', {
  connectionKnownAtWrite: () => () => true,
})
rule('creation-later', 'refused at write or at creds', 'a role without creation statements is refused at creds only', {
  roleComplete: (original) => (body, previous) => original({ creation_statements: ['none'], ...body }, previous),
})
rule('unknown-role-404', 'unknown role in an action: 400 or 404', 'asking an unknown role for credentials gives 404', {
  unknownRoleStatus: () => () => 404,
})
route(
  'failure-400',
  'a failing backend: 4xx, 500 or 502',
  'a refusal of the database gives 400',
  ['database.readCreds', 'database.rotateRoot', 'database.rotateRole'],
  refusalStatus(400, ({ status }) => status === 500),
)
change('delete-absent-404', 'deleting what is absent: 204, 200 or 404', 'deleting what is absent gives 404', {
  routes: {
    'database.deleteConnection': strictly((call) => call.state.connections.has(call.params.name ?? '')),
    'database.deleteRole': strictly((call) => call.state.roles.has(call.params.name ?? '')),
    'database.deleteStaticRole': strictly((call) => call.state.staticRoles.has(call.params.name ?? '')),
  },
})
route(
  'role-delete-revokes',
  'effect of a deletion on leases: open',
  'deleting a role revokes what it issued',
  'database.deleteRole',
  (original) => async (call) => {
    const { services, mount, params } = call
    await services.leases.revokePrefix(`${mount.namespace}${mount.path}creds/${params.name}/`).catch(() => undefined)
    return original(call)
  },
)
rule('expiration-margin', 'a margin within a minute', 'the database ends a user some seconds after its lease', {
  part: 'expiration',
  templateValues: (original) => (user) => original({ ...user, expiresAt: user.expiresAt + 5 }),
})
rule('name-left', 'what the name is of: advised', 'the template of the name is left as it is', {
  part: 'name',
  templateValues: (original) => (user) => ({ ...original(user), name: '{{name}}' }),
})
rule('expiration-late', 'what expires is not said: advised', 'the time in statements is a day after the end of the lease', {
  part: 'expiration',
  templateValues: (original) => (user) => original({ ...user, expiresAt: user.expiresAt + 86_400 }),
})
change('connection-later-500', 'credentials of an unknown connection: not 2xx', 'a role of an unknown connection fails with 500 at creds', {
  rules: { connectionKnownAtWrite: () => () => true },
  routes: {
    'database.readCreds': (original) => async (call) => {
      const role = call.state.roles.get(call.params.name ?? '')
      if (role !== undefined && !call.state.connections.has(role.dbName)) throw new ApiError(500, 'internal error')
      return original(call)
    },
  },
})

export const variants = declared
