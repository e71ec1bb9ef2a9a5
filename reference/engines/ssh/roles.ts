/** Routes of named keys and roles. */

import type { Call, Route } from '../../core/engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import { ApiError, invalid, notFound } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { Reply } from '../../core/reply.ts'
import { roleOf } from './role-parameters.ts'
import type { SshRules } from './rules.ts'
import type { Role, SshState } from './state.ts'

type SshCall = Call<SshState, SshRules>

const nameOf = (call: SshCall): string => {
  const name = call.params.name ?? ''
  if (name.length > call.rules.longestName()) throw invalid('the name is too long')
  return name
}

/** The role that the path names. Throws `status` where there is none. */
export const roleNamed = (call: SshCall, status: number): Role => {
  const role = call.state.roles.get(call.params.name ?? '')
  if (!role) throw new ApiError(status, 'unknown role')
  return role
}

const deleted = (call: SshCall, existed: boolean): Reply => {
  const status = existed ? 204 : call.rules.deleteAbsentStatus()
  if (status >= 400) throw new ApiError(status)
  return empty()
}

export const roleRoutes: Route<SshState, SshRules>[] = [
  {
    id: 'ssh.writeKey',
    method: 'POST',
    path: 'keys/:name',
    exists: (call) => call.state.keys.has(call.params.name ?? ''),
    handle(call) {
      const name = nameOf(call)
      const key = textOf(call.body, 'key')
      if (key === '') throw invalid('missing key')
      call.rules.checkNamedKey(key)
      call.rules.registerKey(call.state.keys, name, key)
      return empty()
    },
  },
  {
    id: 'ssh.deleteKey',
    method: 'DELETE',
    path: 'keys/:name',
    handle: (call) => deleted(call, call.rules.deleteKey(call.state.keys, call.params.name ?? '')),
  },
  {
    id: 'ssh.writeRole',
    method: 'POST',
    path: 'roles/:name',
    exists: (call) => call.state.roles.has(call.params.name ?? ''),
    handle(call) {
      const name = nameOf(call)
      call.state.roles.set(name, roleOf(call, name))
      return empty()
    },
  },
  {
    id: 'ssh.readRole',
    method: 'GET',
    path: 'roles/:name',
    handle(call) {
      const role = call.state.roles.get(call.params.name ?? '')
      if (!role) throw notFound()
      return secret(call.rules.readRole(role))
    },
  },
  {
    id: 'ssh.deleteRole',
    method: 'DELETE',
    path: 'roles/:name',
    handle: (call) => deleted(call, call.rules.deleteRole(call.state.roles, call.params.name ?? '')),
  },
  {
    id: 'ssh.listRoles',
    method: 'LIST',
    path: 'roles',
    handle(call) {
      const info = Object.fromEntries([...call.state.roles].map(([name, role]) => [name, call.rules.keyInfo(role)]))
      return call.services.listing(call.state.roles.keys(), { key_info: info })
    },
  },
]
