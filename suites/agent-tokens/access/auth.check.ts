import { type Caller, check } from '../../../harness/checks/index.ts'
import { createToken, creation, inPool, itemsOf, showToken } from '../fixtures.ts'
import { aPool, strangers } from '../pool.ts'

for (const { name, as, clauses } of [
  { name: 'no-bearer', as: 'none', clauses: ['AGENT-AUTH-01', 'AGENT-AUTH-02', 'AGENT-AUTH-05', 'AGENT-AUTH-06'] },
  { name: 'unknown-bearer', as: 'wrong', clauses: ['AGENT-AUTH-03', 'AGENT-AUTH-05', 'AGENT-AUTH-06'] },
] satisfies { name: string; as: Caller; clauses: string[] }[]) {
  const [refused, status] = clauses as [string, string]
  const title =
    as === 'none' ? 'without a bearer token nothing is shown or done' : 'with a bearer nobody was given nothing is shown or done'
  check(`agent-tokens/${name}`, clauses, title, { kind: 'security' }, async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const { id } = await createToken(bench, pool)
    const before = await strangers(bench, pool)
    const reads = [await bench.call('agentTokens.list', { path: { agent_pool_id: pool }, as }), await showToken(bench, id, as)]
    const created = await bench.call('agentTokens.create', { ...inPool(pool, creation(bench.fresh('token'))), as })
    const between = await strangers(bench, pool)
    const destroyed = await bench.call('agentTokens.destroy', { path: { id }, as })
    const shown = await showToken(bench, id)
    await bench.decide(refused, () => {
      for (const answer of reads) {
        expect(answer).toBeRefused()
        expect([...itemsOf(answer), ...Object.keys(answer.data)], `${answer.operation} shows nothing`).toEqual([])
      }
    })
    if (as === 'none') {
      await bench.decide(status, () => {
        for (const answer of [...reads, created, destroyed]) expect(answer).toHaveStatus(401, 404)
      })
    }
    await bench.decide('AGENT-AUTH-05', () => {
      expect(created).toBeRefused()
      expect(between).toEqual(before)
    })
    await bench.decide('AGENT-AUTH-06', () => {
      expect(destroyed).toBeRefused()
      expect(shown, 'the token after the refused destruction').toHaveStatus(200)
    })
  })
}

check('agent-tokens/bearer-spelling', 'AGENT-AUTH-07', 'which spellings of the bearer scheme are understood', async ({ bench }) => {
  const pool = await aPool(bench)
  const agent = await createToken(bench, pool)
  const seen: Record<string, number> = {}
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Token']) {
    const headers = { Authorization: `${scheme} ${agent.secret}` }
    seen[scheme] = (await bench.call('agentTokens.list', { path: { agent_pool_id: pool }, headers })).status
  }
  bench.observe('AGENT-AUTH-07', seen)
})

check(
  'agent-tokens/get-without-content-type',
  'AGENT-MEDIA-02',
  'whether a request without a body may leave out its Content-Type',
  async ({ bench }) => {
    const path = { agent_pool_id: await aPool(bench) }
    const answer = await bench.call('agentTokens.list', { path, headers: { 'Content-Type': '' } })
    bench.observe('AGENT-MEDIA-02', answer.status)
  },
)
