import { check, comparable } from '../../../harness/checks/index.ts'
import { createToken, creation, inPool, otherId, showToken } from '../fixtures.ts'
import { aPool, strangers } from '../pool.ts'

check(
  'agent-tokens/hidden-pool',
  ['AGENT-TOKENS-HIDE-01', 'AGENT-TOKENS-HIDE-06'],
  'to a stranger the list of a pool is that of one that does not exist',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    await createToken(bench, pool)
    const missing = otherId(bench, pool)
    const list = (agent_pool_id: string) => bench.call('agentTokens.list', { path: { agent_pool_id }, as: bench.named('stranger') })
    const missingList = await list(missing)
    const hiddenList = await list(pool)
    await bench.decide('AGENT-TOKENS-HIDE-01', () => expect(hiddenList).toHaveStatus(404))
    await bench.decide('AGENT-TOKENS-HIDE-06', () => expect(comparable(hiddenList, pool)).toEqual(comparable(missingList, missing)))
  },
)

check(
  'agent-tokens/hidden-pool-create',
  ['AGENT-TOKENS-HIDE-03', 'AGENT-TOKENS-HIDE-06'],
  'a stranger creates nothing in a pool, and is told what is told of one that does not exist',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const missing = otherId(bench, pool)
    const as = bench.named('stranger')
    const create = (id: string) => bench.call('agentTokens.create', { ...inPool(id, creation(bench.fresh('token'))), as })
    const before = await strangers(bench, pool)
    const missingCreate = await create(missing)
    const hiddenCreate = await create(pool)
    const after = await strangers(bench, pool)
    await bench.decide('AGENT-TOKENS-HIDE-03', () => {
      expect(hiddenCreate).toHaveStatus(404)
      expect(after, 'tokens of the pool after a stranger asked for one').toEqual(before)
    })
    await bench.decide('AGENT-TOKENS-HIDE-06', () => expect(comparable(hiddenCreate, pool)).toEqual(comparable(missingCreate, missing)))
  },
)

check(
  'agent-tokens/hidden-pool-malformed',
  ['AGENT-TOKENS-HIDE-06', 'AGENT-TOKENS-HIDE-07'],
  'a malformed request does not show a stranger that there is a pool',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const missing = otherId(bench, pool)
    const create = (id: string) =>
      bench.call('agentTokens.create', { ...inPool(id, { data: {} }), as: bench.named('stranger'), invalid: true })
    const [hidden, unknown] = [await create(pool), await create(missing)]
    await bench.decide('AGENT-TOKENS-HIDE-07', () => expect(hidden).toHaveStatus(404))
    await bench.decide('AGENT-TOKENS-HIDE-06', () => expect(comparable(hidden, pool)).toEqual(comparable(unknown, missing)))
  },
)

check(
  'agent-tokens/hidden-token',
  ['AGENT-TOKENS-HIDE-02', 'AGENT-TOKENS-HIDE-04', 'AGENT-TOKENS-HIDE-05'],
  'a stranger cannot tell a token from one that does not exist, and does not destroy it',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const { id } = await createToken(bench, await aPool(bench))
    const as = bench.named('stranger')
    const missing = otherId(bench, id)
    const destroy = (target: string) => bench.call('agentTokens.destroy', { path: { id: target }, as })
    const missingShow = await showToken(bench, missing, as)
    const hiddenShow = await showToken(bench, id, as)
    await bench.decide('AGENT-TOKENS-HIDE-02', () => expect(hiddenShow).toHaveStatus(404))
    await bench.decide('AGENT-TOKENS-HIDE-05', () => expect(comparable(hiddenShow, id)).toEqual(comparable(missingShow, missing)))
    const missingDestroy = await destroy(missing)
    const hiddenDestroy = await destroy(id)
    await bench.decide('AGENT-TOKENS-HIDE-04', () => expect(hiddenDestroy).toHaveStatus(404))
    await bench.decide('AGENT-TOKENS-HIDE-05', () => expect(comparable(hiddenDestroy, id)).toEqual(comparable(missingDestroy, missing)))
    const after = await showToken(bench, id)
    await bench.decide('AGENT-TOKENS-HIDE-04', () => expect(after, 'the token after a stranger asked to destroy it').toHaveStatus(200))
  },
)
