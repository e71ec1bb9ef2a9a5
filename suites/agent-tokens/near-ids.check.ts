import { type Answer, check, nearIds } from '../../harness/checks/index.ts'
import { createToken, creation, idsOf, inPool, pageQuery, showToken, wholePool } from './fixtures.ts'
import { aPool, settled, strangers } from './pool.ts'

check(
  'agent-tokens/near-ids',
  ['AGENT-TOKENS-SHOW-03', 'AGENT-TOKENS-DESTROY-03'],
  'an id that is near to that of a token shows and destroys nothing',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const { id } = await createToken(bench, await aPool(bench))
    for (const [how, near, open] of nearIds(bench, id)) {
      const shown = await showToken(bench, near)
      // Somebody's token has this very id, or it is another spelling of the same one.
      if (shown.ok && (shown.data.id === near || (open && shown.data.id === id))) continue
      await bench.decide('AGENT-TOKENS-SHOW-03', () => expect(shown, `the id of a token ${how}`).toBeRefused())
      const destroyed = await bench.call('agentTokens.destroy', { path: { id: near } })
      const after = await showToken(bench, id)
      await bench.decide('AGENT-TOKENS-DESTROY-03', () => {
        expect(destroyed, `the id of a token ${how}`).toBeRefused()
        expect(after, `the token after its id was named ${how}`).toHaveStatus(200)
      })
    }
  },
)

check(
  'agent-tokens/near-pools',
  ['AGENT-TOKENS-LIST-03', 'AGENT-TOKENS-CREATE-19'],
  'an id that is near to that of a pool lists nothing, and nothing is created there',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const [{ id }] = [await createToken(bench, pool), await createToken(bench, pool)]
    await settled(bench, pool)
    const before = await strangers(bench, pool)
    for (const [how, near, open] of nearIds(bench, pool)) {
      const listed = await bench.call('agentTokens.list', { path: { agent_pool_id: near } })
      // Somebody has a pool with this very id, or it is another spelling of the same one: nothing is created there.
      if (listed.ok && (open || !idsOf(listed).includes(id))) continue
      const behind = await bench.call('agentTokens.list', { path: { agent_pool_id: near }, query: pageQuery(2, 1) })
      await bench.decide('AGENT-TOKENS-LIST-03', () => {
        for (const answer of [listed, behind]) expect(answer, `the id of a pool ${how}`).toBeRefused()
      })
      const created = await bench.call('agentTokens.create', inPool(near, creation(bench.fresh('token'))))
      const after = await strangers(bench, pool)
      await bench.decide('AGENT-TOKENS-CREATE-19', () => {
        expect(created, `the id of a pool ${how}`).toBeRefused()
        expect(after, `tokens of the pool after its id was named ${how}`).toEqual(before)
      })
    }
  },
)

check(
  'agent-tokens/ids-of-another-kind',
  ['AGENT-TOKENS-SHOW-03', 'AGENT-TOKENS-DESTROY-03', 'AGENT-TOKENS-LIST-03', 'AGENT-TOKENS-CREATE-19'],
  'the id of a pool is none of a token, nor that of a token one of a pool',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const { id } = await createToken(bench, pool)
    await createToken(bench, pool)
    await settled(bench, pool)
    const before = await wholePool(bench, pool)
    const answers: [clause: string, answer: Answer][] = [
      ['AGENT-TOKENS-SHOW-03', await showToken(bench, pool)],
      ['AGENT-TOKENS-DESTROY-03', await bench.call('agentTokens.destroy', { path: { id: pool } })],
      ['AGENT-TOKENS-LIST-03', await bench.call('agentTokens.list', { path: { agent_pool_id: id } })],
      ['AGENT-TOKENS-CREATE-19', await bench.call('agentTokens.create', inPool(id, creation(bench.fresh('token'))))],
    ]
    for (const [clause, answer] of answers)
      await bench.decide(clause, () => expect(answer, `${answer.operation} by the id of another kind`).toHaveStatus(404))
    const after = await wholePool(bench, pool)
    for (const clause of ['AGENT-TOKENS-DESTROY-03', 'AGENT-TOKENS-CREATE-19'])
      await bench.decide(clause, () => expect(after, 'the pool afterwards').toEqual(before))
  },
)
