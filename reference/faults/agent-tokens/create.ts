/** Faults in creating tokens. */
import { fault } from '../../core/mutation.ts'
import { agentTokens } from '../../run-management/agent-tokens/index.ts'
import { Refusal } from '../../run-management/documents.ts'

const engine = 'agent-tokens'

export const createFaults = [
  fault(
    agentTokens,
    { id: 'agent-tokens-created-200', engine, title: 'creating answers 200', clauses: ['AGENT-CREATE-01'] },
    {
      rules: { createdStatus: () => () => 200 },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-created-no-route', engine, title: 'the create route is not served', clauses: ['AGENT-VERSION-01'] },
    {
      routes: {
        'agentTokens.create': () => () => {
          throw new Refusal(405, 'POST is not offered here')
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-created-echo', engine, title: 'the create answer holds no attributes of the token', clauses: ['AGENT-CREATE-02'] },
    {
      rules: { describe: () => () => 'agent token' },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-not-stored',
      engine,
      title: 'a created token is not stored',
      clauses: ['AGENT-CREATE-03', 'AGENT-CREATE-04', 'AGENT-MODEL-01'],
    },
    {
      rules: { add: () => () => undefined },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-all-pools', engine, title: 'a pool lists the tokens of all pools', clauses: ['AGENT-CREATE-05'] },
    {
      rules: { tokensOf: () => (world) => [...world.tokens.values()] },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-unknown-pool',
      engine,
      title: 'a pool that does not exist is made on the way',
      clauses: ['AGENT-CREATE-19', 'AGENT-LIST-03'],
    },
    {
      routes: {
        'agentTokens.create': (original) => (call) => {
          call.world.pools.add(call.params.agent_pool_id ?? '')
          return original(call)
        },
        'agentTokens.list': (original) => (call) => {
          call.world.pools.add(call.params.agent_pool_id ?? '')
          return original(call)
        },
      },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-description-unique',
      engine,
      title: 'a description replaces the token that has it already',
      clauses: ['AGENT-CREATE-20'],
    },
    {
      routes: {
        'agentTokens.create': (original) => async (call) => {
          const reply = await original(call)
          const { description } = (reply.body as unknown as { data: { attributes: { description: string } } }).data.attributes
          const same = [...call.world.tokens.values()].filter(
            (token) => token.poolId === call.params.agent_pool_id && token.description === description,
          )
          if (same.length > 1) throw new Refusal(422, 'the description is taken')
          return reply
        },
      },
    },
  ),
]
