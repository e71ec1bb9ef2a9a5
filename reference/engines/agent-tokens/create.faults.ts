/** Faults in creating tokens. */

import { faultsOf } from '../../mutations/declare.ts'
import { Refusal } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'
import { uniqueDescriptions } from './unique-descriptions.ts'

const { rule, route } = faultsOf(agentTokens)

rule('created-200', 'AGENT-TOKENS-CREATE-01', 'creating answers 200', { createdStatus: () => () => 200 })
route('created-no-route', 'AGENT-TOKENS-VERSION-01', 'the create route is not served', 'agentTokens.create', () => () => {
  throw new Refusal(405, 'POST is not offered here')
})
rule('created-echo', 'AGENT-TOKENS-CREATE-02', 'the create answer holds no attributes of the token', {
  describe: () => () => 'agent token',
})
rule('not-stored', ['AGENT-TOKENS-CREATE-03', 'AGENT-TOKENS-CREATE-04', 'AGENT-TOKENS-MODEL-01'], 'a created token is not stored', {
  add: () => () => undefined,
})
rule('all-pools', 'AGENT-TOKENS-CREATE-05', 'a pool lists the tokens of all pools', {
  tokensOf: () => (world) => [...world.tokens.values()],
})
route(
  'unknown-pool',
  ['AGENT-TOKENS-CREATE-19', 'AGENT-TOKENS-LIST-03'],
  'a pool that does not exist is made on the way',
  ['agentTokens.create', 'agentTokens.list'],
  (original) => (call) => {
    call.world.pools.add(call.params.agent_pool_id ?? '')
    return original(call)
  },
)
route(
  'description-unique',
  'AGENT-TOKENS-CREATE-20',
  'a description that a token of the pool has is refused',
  'agentTokens.create',
  uniqueDescriptions,
)
route(
  'description-replaces',
  'AGENT-TOKENS-MODEL-01',
  'a token replaces one of the same description in its pool',
  'agentTokens.create',
  (original) => async (call) => {
    const reply = await original(call)
    const { id, attributes } = (reply.body as unknown as { data: { id: string; attributes: { description: string } } }).data
    for (const token of call.world.tokens.values())
      if (token.id !== id && token.poolId === call.params.agent_pool_id && token.description === attributes.description)
        call.world.tokens.delete(token.id)
    return reply
  },
)
