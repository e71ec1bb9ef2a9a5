/** Routes of static roles: one fixed database user each, whose password is rotated. */
import type { Call, Route } from '../../core/engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { named } from '../../core/named.ts'
import { rotate, schedule } from './rotation.ts'
import type { DatabaseRules } from './rules.ts'
import type { DatabaseState, StaticRole } from './state.ts'

type DatabaseCall = Call<DatabaseState, DatabaseRules>

const roleToActOn = (call: DatabaseCall): StaticRole => {
  const role = call.state.staticRoles.get(call.params.name ?? '')
  if (role === undefined) throw new ApiError(call.rules.unknownNameStatus(), `no static role ${call.params.name}`)
  return role
}

const notAllowed = (name: string, connection: string): ApiError => invalid(`${name} is not an allowed role of ${connection}`)

const write = async (call: DatabaseCall): Promise<void> => {
  const { rules, state, body } = call
  const name = call.params.name ?? ''
  const previous = state.staticRoles.get(name)
  rules.staticRoleComplete(body, previous)
  const fields = rules.staticRoleOf(body, previous)
  if (!rules.periodAllowed(fields.period)) throw invalid('rotation_period must be 5 seconds or more')
  const connection = rules.connectionOf(state, fields.dbName)
  if (connection === undefined) throw invalid(`no connection ${fields.dbName}`)
  if (!rules.staticRoleAllowed(connection.allowedRoles, name)) throw notAllowed(name, fields.dbName)
  if (previous === undefined) {
    if (!rules.userAvailable(state, fields.dbName, fields.username)) throw invalid(`${fields.username} belongs to another static role`)
    const role: StaticRole = { ...fields, password: '', rotatedAt: 0, cancel: () => {}, busy: Promise.resolve() }
    await rotate(call, role, rules.rotatedAt)
    state.staticRoles.set(name, role)
    schedule(call, role)
    return
  }
  if (fields.username !== previous.username) throw invalid('the user of a static role cannot be changed')
  Object.assign(previous, fields)
  schedule(call, previous)
}

const remove = async (call: DatabaseCall): Promise<void> => {
  const { rules, state } = call
  const role = state.staticRoles.get(call.params.name ?? '')
  if (role === undefined) return
  role.cancel()
  if (rules.forgetsStaticRole()) state.staticRoles.delete(call.params.name ?? '')
  await role.busy.catch(() => undefined)
  const connection = rules.connectionOf(state, role.dbName)
  if (connection === undefined || !rules.revokesStaticUser()) return
  const values = rules.templateValues({ username: role.username, password: role.password, expiresAt: call.now() })
  await connection.link.run(rules.prepared(connection.link.plugin.revocation, values))
}

export const staticRoleRoutes: Route<DatabaseState, DatabaseRules>[] = [
  {
    id: 'database.writeStaticRole',
    method: 'POST',
    path: 'static-roles/:name',
    exists: (call) => call.state.staticRoles.has(call.params.name ?? ''),
    async handle(call) {
      await write(call)
      return empty()
    },
  },
  {
    id: 'database.readStaticRole',
    method: 'GET',
    path: 'static-roles/:name',
    handle: (call) => secret(call.rules.shownStaticRole(named(call, call.state.staticRoles, 'static role'))),
  },
  {
    id: 'database.listStaticRoles',
    method: 'LIST',
    path: 'static-roles',
    handle: (call) => call.services.listing(call.rules.staticRoleNames(call.state)),
  },
  {
    id: 'database.deleteStaticRole',
    method: 'DELETE',
    path: 'static-roles/:name',
    async handle(call) {
      await remove(call)
      return empty()
    },
  },
  {
    id: 'database.readStaticCreds',
    method: 'GET',
    path: 'static-creds/:name',
    handle(call) {
      const role = roleToActOn(call)
      const { rules, state } = call
      const connection = rules.connectionOf(state, role.dbName)
      const name = call.params.name ?? ''
      if (connection !== undefined && !rules.staticRoleAllowed(connection.allowedRoles, name)) throw notAllowed(name, role.dbName)
      return secret(rules.shownStaticCredential(role, rules.staticTtl(role, call.now()), rules.shownTime(role.rotatedAt)))
    },
  },
  {
    id: 'database.rotateRole',
    method: 'POST',
    path: 'rotate-role/:name',
    async handle(call) {
      const role = roleToActOn(call)
      await rotate(call, role, call.rules.rotatedByHandAt)
      schedule(call, role)
      return empty()
    },
  },
]
