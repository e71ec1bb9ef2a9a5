/** Routes of dynamic roles and their credentials. */

import type { Call, Route } from '../../core/engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { named } from '../../core/named.ts'
import type { Reply } from '../../core/reply.ts'
import type { DatabaseRules } from './rules.ts'
import type { Connection, DatabaseState, Role, UserValues } from './state.ts'

type DatabaseCall = Call<DatabaseState, DatabaseRules>

const write = (call: DatabaseCall): void => {
  const { rules, state, body } = call
  const name = call.params.name ?? ''
  const previous = state.roles.get(name)
  rules.roleComplete(body, previous)
  const role = rules.roleOf(body, previous)
  if (!rules.connectionKnownAtWrite(state, role.dbName)) throw invalid(`no connection ${role.dbName}`)
  state.roles.set(name, role)
}

/** The role and its connection, where the connection allows the role. */
const usable = (call: DatabaseCall): { role: Role; connection: Connection } => {
  const name = call.params.name ?? ''
  const role = call.state.roles.get(name)
  if (role === undefined) throw new ApiError(call.rules.unknownRoleStatus(), `unknown role ${name}`)
  const connection = call.rules.connectionOf(call.state, role.dbName)
  if (connection === undefined) throw invalid(`no connection ${role.dbName}`)
  if (!call.rules.roleAllowed(connection.allowedRoles, name)) throw invalid(`${name} is not an allowed role of ${role.dbName}`)
  if (call.rules.creation(role).length === 0) throw invalid('the role has no creation statements')
  return { role, connection }
}

/** Makes the user; what a failure left of it is removed. */
const create = async (call: DatabaseCall, role: Role, connection: Connection, user: UserValues): Promise<void> => {
  const { rules } = call
  const values = rules.templateValues(user)
  await connection.link.exclusively(async (session) => {
    const open = await session()
    try {
      await open.run(rules.prepared(rules.creation(role), values))
    } catch (error) {
      await open.run(rules.prepared(rules.rollback(role, connection.link.plugin.revocation), values)).catch(() => undefined)
      throw error
    }
  })
}

const credentials = async (call: DatabaseCall): Promise<Reply> => {
  const { rules, services } = call
  const { role, connection } = usable(call)
  const { ttl, maxTtl } = rules.leaseTimes(role, call.mount)
  const user: UserValues = {
    username: rules.username(call.params.name ?? '', services.random),
    password: rules.password(services.random),
    expiresAt: call.now() + ttl,
  }
  await create(call, role, connection, user)
  const run = (statements: string[], values: UserValues): Promise<void> =>
    connection.link.run(rules.prepared(statements, rules.templateValues(values)))
  const lease = services.leases.issue(call, {
    ttl,
    maxTtl,
    renewable: true,
    revoke: () => run(rules.revocation(role, connection.link.plugin.revocation), user),
    renew: (expiresAt) => run(rules.renewal(role, connection.link.plugin.renewal), { ...user, expiresAt }),
  })
  return secret(rules.shownCredential(user), rules.leased() ? lease : undefined)
}

export const roleRoutes: Route<DatabaseState, DatabaseRules>[] = [
  {
    id: 'database.writeRole',
    method: 'POST',
    path: 'roles/:name',
    exists: (call) => call.state.roles.has(call.params.name ?? ''),
    handle(call) {
      write(call)
      return empty()
    },
  },
  {
    id: 'database.readRole',
    method: 'GET',
    path: 'roles/:name',
    handle: (call) => secret(call.rules.shownRole(named(call, call.state.roles, 'role'))),
  },
  {
    id: 'database.listRoles',
    method: 'LIST',
    path: 'roles',
    handle: (call) => call.services.listing(call.rules.roleNames(call.state)),
  },
  {
    id: 'database.deleteRole',
    method: 'DELETE',
    path: 'roles/:name',
    handle(call) {
      if (call.rules.forgetsRole()) call.state.roles.delete(call.params.name ?? '')
      return empty()
    },
  },
  { id: 'database.readCreds', method: 'GET', path: 'creds/:name', handle: credentials },
]
