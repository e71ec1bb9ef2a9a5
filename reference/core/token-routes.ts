/** `auth/token`: creating, looking up, renewing and revoking tokens. */
import { durationOf } from './durations.ts'
import type { Call, Route } from './engine.ts'
import { empty, secret } from './envelope.ts'
import { ApiError, invalid } from './errors.ts'
import { flagOf, integerOf, listOf, textMapOf, textOf } from './fields.ts'
import type { JsonObject } from './json.ts'
import type { Reply } from './reply.ts'
import type { CoreRules } from './rules.ts'
import type { Server } from './server.ts'
import type { Token } from './tokens.ts'

type CoreCall = Call<Server, CoreRules>

const authOf = (token: Token): JsonObject => ({
  client_token: token.id,
  accessor: token.accessor,
  policies: token.policies,
  token_policies: token.policies,
  metadata: token.meta,
  lease_duration: Math.floor(token.ttl),
  renewable: token.renewable,
  entity_id: '',
  token_type: 'service',
  orphan: token.parent === undefined,
})

const shown = (call: CoreCall, token: Token): Reply =>
  secret({
    id: token.id,
    accessor: token.accessor,
    policies: token.policies,
    display_name: token.displayName,
    meta: token.meta,
    creation_time: Math.floor(token.createdAt),
    creation_ttl: Math.floor(token.ttl),
    expire_time: token.expiresAt === undefined ? null : new Date(token.expiresAt * 1000).toISOString(),
    ttl: token.expiresAt === undefined ? 0 : Math.max(0, Math.floor(token.expiresAt - call.now())),
    renewable: token.renewable,
    num_uses: token.usesLeft,
    orphan: token.parent === undefined,
    path: 'auth/token/create',
    entity_id: '',
    type: 'service',
    namespace_path: token.namespace,
  })

/** A child's policies are a subset of its parent's, unless the parent is root. */
const policiesOf = (call: CoreCall, parent: Token): string[] => {
  const isRoot = parent.policies.includes('root')
  const wanted = listOf(call.body, 'policies', parent.policies).map((name) => name.toLowerCase())
  if (wanted.includes('root') && isRoot) return ['root']
  const beyond = wanted.find((name) => name !== 'default' && !parent.policies.includes(name))
  if (beyond !== undefined && !isRoot) throw invalid("child policies must be a subset of the parent's")
  const names = flagOf(call.body, 'no_default_policy', false) ? wanted : ['default', ...wanted]
  return [...new Set(names)].sort()
}

const create = (call: CoreCall): Reply => {
  const { state: server, body } = call
  const parent = call.token as Token
  const policies = policiesOf(call, parent)
  const name = textOf(body, 'display_name')
  const maxTtl = durationOf(body.explicit_max_ttl, 'explicit_max_ttl', 0) || server.maxLeaseTtl
  const asked = durationOf(body.ttl, 'ttl', 0) || durationOf(body.period, 'period', 0)
  const ttl = Math.min(asked || (policies.includes('root') ? 0 : server.defaultLeaseTtl), maxTtl)
  const id = textOf(body, 'id')
  if (id && server.tokens.find(id)) throw invalid('cannot create a token with a duplicate id')
  const token = server.tokens.create({
    namespace: call.mount.namespace,
    policies,
    displayName: name ? `token-${name}` : 'token',
    meta: textMapOf(body, 'meta'),
    parent: flagOf(body, 'no_parent', false) ? undefined : parent.id,
    ttl,
    maxTtl,
    renewable: flagOf(body, 'renewable', true),
    uses: integerOf(body, 'num_uses', 0),
    ...(id ? { id } : {}),
  })
  return secret(null, undefined, { auth: authOf(token) })
}

/** The token that a body names by itself or by its accessor, in this namespace or below. */
const named = (call: CoreCall, status: number, by: 'token' | 'accessor' = 'token'): Token => {
  const { tokens } = call.state
  const name = textOf(call.body, by)
  const token = by === 'token' ? tokens.find(name) : tokens.findByAccessor(name)
  if (!token?.namespace.startsWith(call.mount.namespace)) throw new ApiError(status, 'bad token')
  return token
}

const renew = (call: CoreCall, token: Token): Reply => {
  if (!token.renewable || token.expiresAt === undefined) throw invalid('token is not renewable')
  call.state.tokens.renew(token, durationOf(call.body.increment, 'increment', 0) || token.ttl)
  return secret(null, undefined, { auth: authOf(token) })
}

const revoke = async (call: CoreCall, token: Token): Promise<Reply> => {
  await call.state.tokens.revoke(token.id)
  return empty()
}

export const tokenRoutes: Route<Server, CoreRules>[] = [
  { id: 'token.create', method: 'POST', path: 'auth/token/create', handle: create },
  { id: 'token.lookupSelf', method: 'GET', path: 'auth/token/lookup-self', handle: (call) => shown(call, call.token as Token) },
  { id: 'token.lookup', method: 'POST', path: 'auth/token/lookup', handle: (call) => shown(call, named(call, 403)) },
  {
    id: 'token.lookupAccessor',
    method: 'POST',
    path: 'auth/token/lookup-accessor',
    handle: (call) => shown(call, named(call, 403, 'accessor')),
  },
  {
    id: 'token.revokeAccessor',
    method: 'POST',
    path: 'auth/token/revoke-accessor',
    handle: (call) => revoke(call, named(call, 400, 'accessor')),
  },
  { id: 'token.revoke', method: 'POST', path: 'auth/token/revoke', handle: (call) => revoke(call, named(call, 400)) },
  { id: 'token.revokeSelf', method: 'POST', path: 'auth/token/revoke-self', handle: (call) => revoke(call, call.token as Token) },
  { id: 'token.renewSelf', method: 'POST', path: 'auth/token/renew-self', handle: (call) => renew(call, call.token as Token) },
  { id: 'token.renew', method: 'POST', path: 'auth/token/renew', handle: (call) => renew(call, named(call, 403)) },
]
