/** Faults in which a near id is taken for another, a body for the truth, and a description for what tells tokens apart. */
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { objectIn } from '../../run-management/answer-changes.ts'
import { agentTokens } from './engine.ts'

const { rule, route } = faultsOf(agentTokens)

type Call = Parameters<(typeof agentTokens.routes)[number]['handle']>[0]

const dataIn = ({ body }: Call): JsonObject => {
  try {
    return objectIn({ document: JSON.parse(new TextDecoder().decode(body)) as Json }, 'document').data as JsonObject
  } catch {
    return {}
  }
}

const attributesIn = (call: Call): JsonObject => objectIn(dataIn(call) ?? {}, 'attributes')

/** The call with the only known name that holds the one asked for, or that it holds. */
const nearest = (call: Call, parameter: 'id' | 'agent_pool_id', known: Iterable<string>): Call => {
  const asked = call.params[parameter] ?? ''
  const found = [...known].filter((name) => asked.includes(name) || (asked.length > 8 && name.includes(asked)))
  return { ...call, params: { ...call.params, [parameter]: found[0] ?? asked } }
}

route(
  'otherwise-near-destroyed',
  'AGENT-TOKENS-DESTROY-03',
  'a part of an id, or more than it, destroys the token',
  'agentTokens.destroy',
  (original) => (call) => original(nearest(call, 'id', call.world.tokens.keys())),
)

route(
  'otherwise-near-pool-created',
  'AGENT-TOKENS-CREATE-19',
  "a token is created in a pool by a part of the pool's id, or more than it",
  'agentTokens.create',
  (original) => (call) => original(nearest(call, 'agent_pool_id', call.world.pools)),
)

const timesOfBody = (member: string, change: (token: { createdAt: number; lastUsedAt: number | null }, seconds: number) => void) =>
  ((original) => async (call) => {
    const given = attributesIn(call)[member]
    const { add } = call.rules
    if (typeof given !== 'string') return original(call)
    const rules: typeof call.rules = {
      ...call.rules,
      add: (world, token) => {
        change(token, Date.parse(given) / 1000)
        return add(world, token)
      },
    }
    return original({ ...call, rules })
  }) satisfies Parameters<typeof route>[4]

route(
  'otherwise-created-at-of-body',
  'AGENT-TOKENS-FIELD-08',
  'created-at is what the request says',
  'agentTokens.create',
  timesOfBody('created-at', (token, seconds) => {
    token.createdAt = seconds
  }),
)

route(
  'otherwise-last-use-of-body',
  'AGENT-TOKENS-FIELD-09',
  'last-used-at is what the request says',
  'agentTokens.create',
  timesOfBody('last-used-at', (token, seconds) => {
    token.lastUsedAt = seconds
  }),
)

route(
  'otherwise-pool-of-body',
  'AGENT-TOKENS-CREATE-04',
  'a token is created in the pool that the request body names',
  'agentTokens.create',
  (original) => (call) => {
    const { id } = objectIn(objectIn(objectIn(dataIn(call) ?? {}, 'relationships'), 'agent-pool'), 'data')
    const pool = typeof id === 'string' && call.world.pools.has(id) ? id : call.params.agent_pool_id!
    return original({ ...call, params: { ...call.params, agent_pool_id: pool } })
  },
)

rule(
  'otherwise-namesakes-everywhere',
  'AGENT-TOKENS-DESTROY-05',
  'destroying a token takes those of other pools along that have its description',
  {
    remove: (original) => (world, token) => {
      for (const other of world.tokens.values())
        if (other.poolId !== token.poolId && other.description === token.description) world.tokens.delete(other.id)
      return original(world, token)
    },
  },
)

rule('otherwise-moved-by-namesake', 'AGENT-TOKENS-CREATE-20', 'a token whose description one of another pool has replaces it there', {
  add: (original) => (world, token) => {
    for (const other of world.tokens.values())
      if (other.poolId !== token.poolId && other.description === token.description) world.tokens.delete(other.id)
    return original(world, token)
  },
})
