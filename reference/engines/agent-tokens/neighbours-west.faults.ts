import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { AgentToken } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'
import { poolTokens } from './west-help.ts'

const { rule, route } = faultsOf(agentTokens)

rule(
  'west-destroy-takes-namesakes',
  'AGENT-TOKENS-DESTROY-01',
  'tokens of the pool with the same description are destroyed together (002 4: DELETE, destroy)',
  {
    remove: (original) => async (world, token) => {
      const removed = await original(world, token)
      for (const other of poolTokens(world, token.poolId)) if (other.description === token.description) await original(world, other)
      return removed
    },
  },
)

rule(
  'west-destroy-cuts-tail',
  'AGENT-TOKENS-LIST-04',
  'destroying a token takes those of its pool that were created after it (002 4: DELETE, destroy)',
  {
    remove: (original) => async (world, token) => {
      const all = poolTokens(world, token.poolId)
      for (const later of all.slice(all.indexOf(token) + 1)) await original(world, later)
      return original(world, token)
    },
  },
)

rule(
  'west-empty-pool-lists-all',
  'AGENT-TOKENS-LIST-06',
  'a pool without tokens lists those of all pools (002 4: GET agent-pools/:agent_pool_id/…, list)',
  {
    tokensOf: (original) => (world, pool) => {
      const own = original(world, pool)
      return own.length > 0 ? own : [...world.tokens.values()]
    },
  },
)

rule('west-total-over-pools', 'AGENT-TOKENS-PAGE-15', 'total-count counts the tokens of all pools (002 2.3: meta.pagination)', {
  total: () => (_tokens, world) => world.tokens.size,
})

const peers = new WeakMap<AgentToken, AgentToken[]>()

rule(
  'west-use-marks-pool',
  'AGENT-TOKENS-FIELD-09',
  'the use of one token counts as a use of all of its pool (002 2.2: last-used-at, null until used)',
  {
    caller: (original) => (world, bearer, recognises) => {
      const found = original(world, bearer, recognises)
      if (found?.kind === 'agent') peers.set(found.token, poolTokens(world, found.token.poolId))
      return found
    },
    used: (original) => (token, now) => {
      for (const peer of peers.get(token) ?? [token]) original(peer, now)
    },
  },
)

rule(
  'west-same-description-replaces',
  'AGENT-TOKENS-CREATE-20',
  'a token takes the place of one of its pool with the same description (002 4: POST, create)',
  {
    add: (original) => (world, token) => {
      for (const older of poolTokens(world, token.poolId)) if (older.description === token.description) world.tokens.delete(older.id)
      return original(world, token)
    },
  },
)

rule(
  'west-case-variant-refused',
  'AGENT-TOKENS-CREATE-01',
  'a description that differs from another of the pool by case alone is refused (002 7: create, 201)',
  {
    add: (original) => (world, token) => {
      const { description } = token
      const clash = poolTokens(world, token.poolId).some(
        (other) => other.description !== description && other.description.toLowerCase() === description.toLowerCase(),
      )
      if (clash) throw new Refusal(422, 'the description is taken', '/data/attributes/description')
      return original(world, token)
    },
  },
)

route(
  'west-id-in-any-case',
  'AGENT-TOKENS-SHOW-03',
  'a token is shown for its id in another letter case (002 7: show, 404 token not found)',
  'agentTokens.show',
  (original) => (call) => {
    const wanted = call.params.id!
    const id = call.world.tokens.has(wanted)
      ? wanted
      : [...call.world.tokens.keys()].find((known) => known.toLowerCase() === wanted.toLowerCase())
    return original({ ...call, params: { ...call.params, id: id ?? wanted } })
  },
)

route(
  'west-destroy-by-prefix',
  'AGENT-TOKENS-DESTROY-03',
  'the beginning of an id is enough to destroy the only token that has it (002 7: destroy, 404 token not found)',
  'agentTokens.destroy',
  (original) => (call) => {
    const wanted = call.params.id!
    const fitting = [...call.world.tokens.keys()].filter((known) => known.startsWith(wanted))
    return original({ ...call, params: { ...call.params, id: fitting.length === 1 ? fitting[0]! : wanted } })
  },
)

const newest = remembered(() => new Map<string, { description: string }>())
const newestBeside = new WeakMap<AgentToken, { description: string }>()

rule(
  'west-show-describes-newest',
  'AGENT-TOKENS-CREATE-20',
  'a token is shown with the description of the newest one of its pool (002 2.2: description)',
  {
    add: (original) => (world, token) => {
      const record = newest(world).get(token.poolId) ?? { description: '' }
      record.description = token.description
      newest(world).set(token.poolId, record)
      newestBeside.set(token, record)
      return original(world, token)
    },
    extras: (original) => (token, occasion) => {
      const record = newestBeside.get(token)
      return { ...original(token, occasion), ...(occasion === 'shown' && record ? { description: record.description } : {}) }
    },
  },
)

rule('west-links-of-first-pool', 'AGENT-TOKENS-PAGE-11', 'links lead to the pool that was listed first (002 2.3: links)', {
  links: (original) => {
    let first: string | undefined
    return (path, page, pages) => {
      first ??= path
      return original(first, page, pages)
    }
  },
})
