/** Agent tokens: list, show, create, destroy. */
import { document, Refusal, readDocument } from '../../run-management/documents.ts'
import type { PartCall, PartRoute } from '../../run-management/part.ts'
import type { AgentToken } from '../../run-management/world.ts'
import { type AgentTokenRules, resourceOf } from './agent-tokens.rules.ts'

type Call = PartCall<AgentTokenRules>

const hidden = (call: Call, kind: string, id: string, exists: boolean): Refusal =>
  new Refusal(call.rules.hiddenStatus(), call.rules.hiddenDetail(kind, id, exists))

const poolOf = (call: Call, allowed: (pool: string) => boolean): string => {
  const pool = call.params.agent_pool_id!
  const exists = call.world.pools.has(pool)
  if (!exists) throw new Refusal(404, call.rules.hiddenDetail('agent pool', pool, false))
  if (!allowed(pool)) throw hidden(call, 'agent pool', pool, true)
  return pool
}

const tokenOf = (call: Call, allowed: (token: AgentToken) => boolean): AgentToken => {
  const id = call.params.id!
  const token = call.world.tokens.get(id)
  if (!token) throw new Refusal(404, call.rules.hiddenDetail('agent token', id, false))
  if (!allowed(token)) throw hidden(call, 'agent token', id, true)
  return token
}

const list: PartRoute<AgentTokenRules>['handle'] = (call) => {
  const { rules } = call
  const pool = poolOf(call, (candidate) => rules.mayUsePool(call.caller, candidate))
  const page = rules.page(call.query, rules.defaultPageSize())
  const tokens = rules.tokensOf(call.world, pool)
  const total = rules.total(tokens, call.world)
  const pages = rules.pages(total, page.size)
  return document(200, {
    data: rules.slice(tokens, page).map((token) => resourceOf(rules, token, 'listed')),
    links: rules.links(call.path, page, pages),
    meta: { pagination: rules.meta(page, pages, total) },
  })
}

const show: PartRoute<AgentTokenRules>['handle'] = (call) => {
  const token = tokenOf(call, (candidate) => call.rules.maySee(call.caller, candidate))
  return document(200, { data: resourceOf(call.rules, token, 'shown') })
}

const create: PartRoute<AgentTokenRules>['handle'] = async (call) => {
  const { rules, caller } = call
  const poolId = poolOf(call, (candidate) => rules.mayManage(caller, candidate))
  const body = readDocument(call.headers, call.body, rules.acceptsMediaType)
  const description = rules.description(body, rules.wantedType)
  const secret = rules.newSecret(call.random, body)
  const token: AgentToken = {
    id: rules.newId(call.random),
    poolId,
    createdBy: caller.kind === 'user' ? caller.user.id : caller.token.createdBy,
    createdAt: call.now(),
    lastUsedAt: null,
    description,
    kept: rules.keep(secret),
  }
  await rules.add(call.world, token)
  return document(rules.createdStatus(), { data: resourceOf(rules, token, 'created', secret) })
}

const destroy: PartRoute<AgentTokenRules>['handle'] = async (call) => {
  const { rules } = call
  const token = tokenOf(call, (candidate) => rules.mayManage(call.caller, candidate.poolId))
  if (!(await rules.remove(call.world, token))) throw new Refusal(404, rules.hiddenDetail('agent token', token.id, false))
  return { status: rules.destroyedStatus() }
}

export const agentTokenRoutes: PartRoute<AgentTokenRules>[] = [
  { id: 'agentTokens.list', method: 'GET', path: 'agent-pools/:agent_pool_id/authentication-tokens', handle: list },
  { id: 'agentTokens.create', method: 'POST', path: 'agent-pools/:agent_pool_id/authentication-tokens', handle: create },
  { id: 'agentTokens.show', method: 'GET', path: 'authentication-tokens/:id', handle: show },
  { id: 'agentTokens.destroy', method: 'DELETE', path: 'authentication-tokens/:id', handle: destroy },
]
