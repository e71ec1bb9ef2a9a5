import { check, neverShown } from '../../harness/checks/index.ts'
import { allIds, attributesOf, createToken, itemsOf, pagesOf, showToken } from './fixtures.ts'
import { aPool, settled } from './pool.ts'

check(
  'agent-tokens/used-token',
  [
    'AGENT-TOKENS-HIDE-02',
    'AGENT-TOKENS-HIDE-04',
    'AGENT-TOKENS-SHOW-01',
    'AGENT-TOKENS-SECRET-02',
    'AGENT-TOKENS-SECRET-03',
    'AGENT-TOKENS-DESTROY-01',
    'AGENT-TOKENS-DESTROY-02',
    'AGENT-TOKENS-DESTROY-04',
    'AGENT-TOKENS-LIST-04',
  ],
  'a token that was used is hidden, shown and destroyed as one that was not',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const { id, secret } = await createToken(bench, pool)
    if (secret === '') bench.blocked('the create answer has no secret', 'see agent-tokens/create')
    await settled(bench, pool)
    const agent = { name: 'agent', token: secret }
    // What an agent may do is not shown: whatever it is answered, its token was used.
    await bench.call('agentTokens.list', { path: { agent_pool_id: pool }, as: agent })
    await showToken(bench, id, agent)
    const destroy = (as = bench.named('root')) => bench.call('agentTokens.destroy', { path: { id }, as })
    for (const caller of ['stranger', 'reader']) {
      const as = bench.named(caller)
      const [hidden, kept] = [await showToken(bench, id, as), await destroy(as)]
      await bench.decide('AGENT-TOKENS-HIDE-02', () => expect(hidden, `a used token shown to a ${caller}`).toHaveStatus(404))
      await bench.decide('AGENT-TOKENS-HIDE-04', () => expect(kept, `a used token destroyed by a ${caller}`).toHaveStatus(404))
    }
    const [shown, pages] = [await showToken(bench, id), await pagesOf(bench, pool, 20)]
    await bench.decide('AGENT-TOKENS-SHOW-01', () => expect(shown, 'a used token').toHaveStatus(200))
    await bench.decide('AGENT-TOKENS-SECRET-02', () => {
      expect(attributesOf(shown.data).token ?? null).toBeNull()
      neverShown({ expect }, [shown], [secret])
    })
    await bench.decide('AGENT-TOKENS-SECRET-03', () => {
      expect(pages.flatMap(itemsOf).filter((token) => typeof attributesOf(token).token === 'string')).toEqual([])
      neverShown({ expect }, pages, [secret])
    })
    const [destroyed, gone, again] = [await destroy(), await showToken(bench, id), await destroy()]
    await bench.decide('AGENT-TOKENS-DESTROY-01', () => expect(destroyed, 'the destruction of a used token').toHaveStatus(204))
    await bench.decide('AGENT-TOKENS-DESTROY-02', () => expect(gone, 'a used token that was destroyed').toHaveStatus(404))
    await bench.decide('AGENT-TOKENS-DESTROY-04', () => expect(again, 'the second destruction of a used token').toHaveStatus(404))
    await settled(bench, pool)
    const ids = await allIds(bench, pool)
    await bench.decide('AGENT-TOKENS-LIST-04', () => expect(ids, 'the list without a used token that was destroyed').not.toContain(id))
  },
)
