import { check } from '../../../harness/checks/index.ts'
import { createToken, creation, inPool, itemsOf, wholePool } from '../fixtures.ts'
import { aPool, settled, strangers } from '../pool.ts'

check(
  'agent-tokens/refused-writes',
  'AGENT-TOKENS-HIDE-08',
  'what a reader, a stranger or nobody was refused has not been done',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const { id } = await createToken(bench, pool)
    await createToken(bench, pool)
    await settled(bench, pool)
    for (const as of [bench.named('reader'), bench.named('stranger'), 'none', 'wrong'] as const) {
      const who = typeof as === 'string' ? as : as.name
      const before = await wholePool(bench, pool)
      const answers = [
        await bench.call('agentTokens.create', { ...inPool(pool, creation(bench.fresh('token'))), as }),
        await bench.call('agentTokens.destroy', { path: { id }, as }),
      ]
      // Nothing says that a reader of runs may not write here: where it may, there is no refusal to judge.
      if (answers.some(({ ok }) => ok)) continue
      expect(await wholePool(bench, pool), `the pool after refusals to ${who}`).toEqual(before)
    }
  },
)

check(
  'agent-tokens/other-carriers',
  'AGENT-TOKENS-AUTH-10',
  'a token that is not sent as a bearer opens nothing',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const { id } = await createToken(bench, pool)
    await settled(bench, pool)
    const colleague = bench.named('colleague')
    await bench.given('agentTokens.show', { path: { id }, as: colleague })
    const before = [await strangers(bench, pool), await wholePool(bench, pool)]
    const basic = Buffer.from(`assay:${colleague.token}`).toString('base64')
    for (const [how, Authorization] of [
      ['bare', colleague.token],
      ['as Basic', `Basic ${basic}`],
      ['as Basic, not encoded', `Basic ${colleague.token}`],
    ] as const) {
      const input = { as: 'none', headers: { Authorization } } as const
      const answers = [
        await bench.call('agentTokens.list', { path: { agent_pool_id: pool }, ...input }),
        await bench.call('agentTokens.show', { path: { id }, ...input }),
        await bench.call('agentTokens.create', { ...inPool(pool, creation(bench.fresh('token'))), ...input }),
        await bench.call('agentTokens.destroy', { path: { id }, ...input }),
      ]
      for (const answer of answers) {
        expect(answer, `a token sent ${how}`).toBeRefused()
        expect([...itemsOf(answer), ...Object.keys(answer.data)], `${answer.operation} shows nothing`).toEqual([])
      }
    }
    expect([await strangers(bench, pool), await wholePool(bench, pool)], 'the pool after the refusals').toEqual(before)
  },
)
