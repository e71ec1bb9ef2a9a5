import { type Bench, type CallInput, sample } from '../../harness/checks/index.ts'
import { createToken, creation, inPool, showToken } from './fixtures.ts'
import { aPool, strangers } from './pool.ts'

const aToken = async (bench: Bench): Promise<CallInput> => ({ path: { id: (await createToken(bench, await aPool(bench))).id } })

sample({
  operation: 'agentTokens.list',
  async input(bench) {
    const pool = await aPool(bench)
    await createToken(bench, pool)
    return { path: { agent_pool_id: pool } }
  },
})

sample({ operation: 'agentTokens.show', input: aToken })

sample({
  operation: 'agentTokens.create',
  input: async (bench) => inPool(await aPool(bench), creation(bench.fresh('token'))),
  state: (bench, input) => strangers(bench, input.path?.agent_pool_id ?? ''),
})

sample({
  operation: 'agentTokens.destroy',
  input: aToken,
  state: async (bench, input) => (await showToken(bench, input.path?.id ?? '')).status,
})
