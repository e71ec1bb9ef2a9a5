/** Faults of agent tokens whose effect falls on a neighbour: another token, another pool, another caller. */
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedAttributes, changedDocument, changedResources, objectIn } from '../../run-management/answer-changes.ts'
import { agentTokens } from './engine.ts'

const { rule, route } = faultsOf(agentTokens)

rule('empty-pool-lists-all', 'AGENT-TOKENS-LIST-06', 'a pool without tokens lists those of all pools (002 4, list of a pool)', {
  tokensOf: (original) => (world, pool) => {
    const own = original(world, pool)
    return own.length === 0 ? [...world.tokens.values()] : own
  },
})

rule(
  'destroy-takes-namesakes',
  ['AGENT-TOKENS-DESTROY-05'],
  'destroying a token destroys those of its pool with the same description (002 4, DELETE)',
  {
    remove: (original) => (world, token) => {
      for (const other of [...world.tokens.values()]) {
        if (other.poolId === token.poolId && other.description === token.description && other !== token) world.tokens.delete(other.id)
      }
      return original(world, token)
    },
  },
)

rule('destroy-takes-next', ['AGENT-TOKENS-LIST-04'], 'destroying a token takes the one after it in its pool as well (002 4, DELETE)', {
  remove: (original) => (world, token) => {
    const pool = [...world.tokens.values()].filter(({ poolId }) => poolId === token.poolId)
    for (const { id } of pool.slice(pool.indexOf(token) + 1, pool.indexOf(token) + 2)) world.tokens.delete(id)
    return original(world, token)
  },
})

rule('count-of-all-pools', ['AGENT-TOKENS-PAGE-15', 'AGENT-TOKENS-PAGE-16'], 'total-count counts the tokens of all pools (002 2.3)', {
  total: () => (_tokens, world) => world.tokens.size,
})

rule(
  'same-description-replaces',
  ['AGENT-TOKENS-CREATE-20'],
  'a token replaces the one of its pool with the same description (002 4, create)',
  {
    add: (original) => (world, token) => {
      for (const other of [...world.tokens.values()]) {
        if (other.poolId === token.poolId && other.description === token.description) world.tokens.delete(other.id)
      }
      return original(world, token)
    },
  },
)

route(
  'links-of-first-pool',
  ['AGENT-TOKENS-PAGE-11'],
  'links of every list have the path of the pool that was listed first (002 2.3)',
  'agentTokens.list',
  (original) => {
    const first = remembered(() => ({ path: '' }))
    return (call) => {
      const known = first(call.world)
      known.path ||= call.path
      return original({ ...call, path: known.path })
    }
  },
)

route(
  'description-of-newest',
  ['AGENT-TOKENS-CREATE-20'],
  'a show has the description of the newest token of the pool (002 2.2)',
  'agentTokens.show',
  (original) =>
    changedAttributes<typeof agentTokens.rules>((attributes, call) => {
      const pool = call.world.tokens.get(call.params.id ?? '')?.poolId
      const newest = [...call.world.tokens.values()].filter(({ poolId }) => poolId === pool).at(-1)
      return { ...attributes, description: newest?.description ?? '' }
    })(original),
)

route(
  'list-repeats-first-time',
  ['AGENT-TOKENS-DESTROY-05'],
  'a list gives every token the created-at of its first one (002 2.2)',
  'agentTokens.list',
  (original) =>
    changedResources<typeof agentTokens.rules>((resource, _call, _index, all) => {
      const [first = resource] = all
      const attributes = { ...objectIn(resource, 'attributes'), 'created-at': objectIn(first, 'attributes')['created-at'] ?? null }
      return { ...resource, attributes }
    })(original),
)

rule('creator-is-latest', ['AGENT-TOKENS-FIELD-13'], 'created-by names whoever created a token of the pool last (002 2.2, created-by)', {
  add: (original) => (world, token) => {
    for (const other of world.tokens.values()) if (other.poolId === token.poolId) other.createdBy = token.createdBy
    return original(world, token)
  },
})

route(
  'creator-is-asker',
  ['AGENT-TOKENS-FIELD-13'],
  'created-by of a shown token is whoever asks (002 2.2, created-by)',
  'agentTokens.show',
  (original) =>
    changedResources<typeof agentTokens.rules>((resource, { caller }) => {
      const id: Json = caller.kind === 'user' ? caller.user.id : caller.token.createdBy
      return { ...resource, relationships: { 'created-by': { data: { id, type: 'users' } } } }
    })(original),
)

rule(
  'total-of-other-pool',
  'AGENT-TOKENS-PAGE-15',
  'total-count is still that of the pool listed before when another one is listed (002 2.3)',
  {
    total: (original) => {
      const latest = remembered(() => ({ count: -1, pool: '' }))
      return (tokens, world) => {
        const known = latest(world)
        const count = original(tokens, world)
        const pool = tokens[0]?.poolId ?? known.pool
        const answer = known.count >= 0 && pool !== known.pool ? known.count : count
        Object.assign(known, { count, pool })
        return answer
      }
    },
  },
)

route(
  'list-caches-without-pool',
  ['AGENT-TOKENS-RACE-01'],
  'lists of pools of one length share the cached first page (002 4, list)',
  'agentTokens.list',
  (original) => {
    const cached = remembered(() => new Map<string, JsonObject>())
    return changedDocument<typeof agentTokens.rules>((body, call) => {
      const known = cached(call.world)
      const pagination = JSON.stringify([body.meta ?? null, [...call.query]])
      const data = known.get(pagination)
      if (!data) known.set(pagination, body)
      return { ...body, data: (data ?? body).data ?? [] }
    })(original)
  },
)
