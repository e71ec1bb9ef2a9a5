import { check, nearTokens } from '../../../harness/checks/index.ts'
import { createToken, creation, inPool, itemsOf, pageQuery, wholePool } from '../fixtures.ts'
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
      // Nothing says that a reader of runs may not write here: where it may, no refusal can be judged.
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
    const [{ id }] = [await createToken(bench, pool), await createToken(bench, pool)]
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
        await bench.call('agentTokens.list', { path: { agent_pool_id: pool }, query: pageQuery(2, 1), ...input }),
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

check(
  'agent-tokens/near-bearers',
  ['AGENT-TOKENS-AUTH-01', 'AGENT-TOKENS-AUTH-03', 'AGENT-TOKENS-AUTH-05', 'AGENT-TOKENS-AUTH-06'],
  'neither an empty bearer nor one that is near to a good one shows or does anything',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const { id, secret, description } = await createToken(bench, pool)
    if (secret === '') bench.blocked('the create answer has no secret', 'see agent-tokens/create')
    await settled(bench, pool)
    const path = { agent_pool_id: pool }
    const [user, agent] = [
      { name: 'root', token: bench.named('root').token },
      { name: 'agent', token: secret },
    ]
    // What an agent may do is not shown: it only makes its secret known to the server, here and below.
    await bench.call('agentTokens.list', { path, as: agent })
    // Without the time of use, which the servers may note late.
    const ids = async () => [await strangers(bench, pool), Object.keys(await wholePool(bench, pool)).sort()]
    const before = await ids()
    const callers = [
      ...['Bearer', 'Bearer ', 'bearer'].map((header) => ({ clause: 'AGENT-TOKENS-AUTH-01', name: `the header ${header}`, header })),
      ...[user, agent].flatMap((good) =>
        nearTokens(bench, good).map((as) => ({ clause: 'AGENT-TOKENS-AUTH-03', name: `${as.name}, of the ${good.name}`, as, good })),
      ),
      // The name of a token is not secret.
      { clause: 'AGENT-TOKENS-AUTH-03', name: 'the id of a token', as: { name: 'id', token: id } },
      { clause: 'AGENT-TOKENS-AUTH-03', name: 'the description of a token', as: { name: 'description', token: description } },
    ]
    for (const caller of callers) {
      if ('good' in caller) await bench.call('agentTokens.show', { path: { id }, as: caller.good })
      const input = 'as' in caller ? { as: caller.as } : ({ as: 'none', headers: { Authorization: caller.header } } as const)
      const reads = [
        await bench.call('agentTokens.list', { path, ...input }),
        await bench.call('agentTokens.show', { path: { id }, ...input }),
      ]
      const created = await bench.call('agentTokens.create', { ...inPool(pool, creation(bench.fresh('token'))), ...input })
      const destroyed = await bench.call('agentTokens.destroy', { path: { id }, ...input })
      for (const [clause, answers] of [
        [caller.clause, reads],
        ['AGENT-TOKENS-AUTH-05', [created]],
        ['AGENT-TOKENS-AUTH-06', [destroyed]],
      ] as const) {
        await bench.decide(clause, () => {
          for (const answer of answers) {
            expect(answer, `${answer.operation} by ${caller.name}`).toBeRefused()
            expect([...itemsOf(answer), ...Object.keys(answer.data)], `${answer.operation} shows nothing`).toEqual([])
          }
        })
      }
    }
    const after = await ids()
    for (const clause of ['AGENT-TOKENS-AUTH-05', 'AGENT-TOKENS-AUTH-06']) {
      await bench.decide(clause, () => expect(after, 'the pool after the refusals').toEqual(before))
    }
  },
)
