import { type Answer, type Caller, type CheckContext, check } from '../../../harness/checks/index.ts'
import { createToken, creation, inPool, itemsOf, LIST_FORMS, showToken } from '../fixtures.ts'
import { aPool, strangers } from '../pool.ts'

for (const { name, as, reads, status } of [
  { name: 'no-bearer', as: 'none', reads: 'AGENT-TOKENS-AUTH-01', status: ['AGENT-TOKENS-AUTH-02'] },
  { name: 'unknown-bearer', as: 'wrong', reads: 'AGENT-TOKENS-AUTH-03', status: [] },
] satisfies { name: string; as: Caller; reads: string; status: string[] }[]) {
  const who = as === 'none' ? 'without a bearer token' : 'with a bearer nobody was given'

  /** The advised status of a refusal, where one is advised. */
  const decideStatus = async ({ bench, expect }: CheckContext, answers: Answer[]): Promise<void> => {
    for (const clause of status)
      await bench.decide(clause, () => {
        for (const answer of answers) expect(answer).toHaveStatus(401, 404)
      })
  }

  check(`agent-tokens/${name}`, [reads, ...status], `${who} nothing is shown`, { kind: 'security' }, async (context) => {
    const { bench, expect } = context
    const pool = await aPool(bench)
    const list = (query: Record<string, string>) => bench.call('agentTokens.list', { path: { agent_pool_id: pool }, query, as })
    const answers = [await list({})]
    const [{ id }] = [await createToken(bench, pool), await createToken(bench, pool)]
    for (const query of LIST_FORMS) answers.push(await list(query))
    answers.push(await showToken(bench, id, as))
    await bench.decide(reads, () => {
      for (const answer of answers) {
        expect(answer).toBeRefused()
        expect([...itemsOf(answer), ...Object.keys(answer.data)], `${answer.operation} shows nothing`).toEqual([])
      }
    })
    await decideStatus(context, answers)
  })

  check(
    `agent-tokens/${name}-create`,
    ['AGENT-TOKENS-AUTH-05', ...status],
    `${who} nothing is created`,
    { kind: 'security' },
    async (context) => {
      const { bench, expect } = context
      const pool = await aPool(bench)
      const before = await strangers(bench, pool)
      const created = await bench.call('agentTokens.create', { ...inPool(pool, creation(bench.fresh('token'))), as })
      const after = await strangers(bench, pool)
      await bench.decide('AGENT-TOKENS-AUTH-05', () => {
        expect(created).toBeRefused()
        expect(after).toEqual(before)
      })
      await decideStatus(context, [created])
    },
  )

  check(
    `agent-tokens/${name}-destroy`,
    ['AGENT-TOKENS-AUTH-06', ...status],
    `${who} nothing is destroyed`,
    { kind: 'security' },
    async (context) => {
      const { bench, expect } = context
      const { id } = await createToken(bench, await aPool(bench))
      const destroyed = await bench.call('agentTokens.destroy', { path: { id }, as })
      const shown = await showToken(bench, id)
      await bench.decide('AGENT-TOKENS-AUTH-06', () => {
        expect(destroyed).toBeRefused()
        expect(shown, 'the token after the refused destruction').toHaveStatus(200)
      })
      await decideStatus(context, [destroyed])
    },
  )
}

check('agent-tokens/bearer-spelling', 'AGENT-TOKENS-AUTH-07', 'which spellings of the bearer scheme are understood', async ({ bench }) => {
  const pool = await aPool(bench)
  const agent = await createToken(bench, pool)
  const seen: Record<string, number> = {}
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Token']) {
    const headers = { Authorization: `${scheme} ${agent.secret}` }
    seen[scheme] = (await bench.call('agentTokens.list', { path: { agent_pool_id: pool }, headers, observing: true })).status
  }
  bench.observe('AGENT-TOKENS-AUTH-07', seen)
})

check(
  'agent-tokens/get-without-content-type',
  'AGENT-TOKENS-MEDIA-02',
  'whether a request without a body may leave out its Content-Type',
  async ({ bench }) => {
    const path = { agent_pool_id: await aPool(bench) }
    const answer = await bench.call('agentTokens.list', { path, headers: { 'Content-Type': '' }, observing: true })
    bench.observe('AGENT-TOKENS-MEDIA-02', answer.status)
  },
)
