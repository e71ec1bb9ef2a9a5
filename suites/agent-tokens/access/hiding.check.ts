import { type Answer, check, comparable } from '../../../harness/checks/index.ts'
import { ASKED_ANEW, createToken, creation, inPool, itemsOf, LIST_FORMS, otherId, showToken, wholePool } from '../fixtures.ts'
import { aPool, settled, strangers } from '../pool.ts'

type Attempt = [clause: string, attempt: () => Promise<Answer>]

/** Callers without permission on any pool: one with no rights at all, and one with rights on runs alone. */
for (const { caller, who, suffix } of [
  { caller: 'stranger', who: 'a stranger', suffix: '' },
  { caller: 'reader', who: 'a reader of runs', suffix: '-by-reader' },
]) {
  check(
    `agent-tokens/hidden-pool${suffix}`,
    ['AGENT-TOKENS-HIDE-01', 'AGENT-TOKENS-HIDE-06'],
    `to ${who} the list of a pool is that of one that does not exist`,
    { kind: 'security' },
    async ({ bench, expect }) => {
      const pool = await aPool(bench)
      const missing = otherId(bench, pool)
      const as = bench.named(caller)
      const list = (agent_pool_id: string, query: Record<string, string>) =>
        bench.call('agentTokens.list', { path: { agent_pool_id }, query, as })
      const decide = async (about: string, forms = [{}]): Promise<void> => {
        for (const query of forms) {
          const [missingList, hiddenList] = [await list(missing, query), await list(pool, query)]
          const what = `the list of a pool ${about}, asked for with ${JSON.stringify(query)}`
          await bench.decide('AGENT-TOKENS-HIDE-01', () => expect(hiddenList, what).toHaveStatus(404))
          await bench.decide('AGENT-TOKENS-HIDE-06', () =>
            expect(comparable(hiddenList, pool), what).toEqual(comparable(missingList, missing)),
          )
        }
      }
      await decide('without tokens')
      const ids = [await createToken(bench, pool), await createToken(bench, pool)].map(({ id }) => id)
      await settled(bench, pool)
      await decide('with tokens', LIST_FORMS)
      for (const query of ASKED_ANEW) {
        const answer = await bench.call('agentTokens.list', { path: { agent_pool_id: pool }, query, as, invalid: true })
        await bench.decide('AGENT-TOKENS-HIDE-01', () => {
          expect(answer, `the list of a pool, asked for with ${JSON.stringify(query)}`).toBeRefused()
          expect(itemsOf(answer), 'tokens in the refusal').toEqual([])
        })
      }
      for (const id of ids) await bench.given('agentTokens.destroy', { path: { id } })
      await settled(bench, pool)
      await decide('without tokens any more')
    },
  )

  check(
    `agent-tokens/hidden-pool-create${suffix}`,
    ['AGENT-TOKENS-HIDE-03', 'AGENT-TOKENS-HIDE-06'],
    `${who} creates nothing in a pool, and is told what is told of one that does not exist`,
    { kind: 'security' },
    async ({ bench, expect }) => {
      const pool = await aPool(bench)
      const missing = otherId(bench, pool)
      const as = bench.named(caller)
      const create = (id: string) => bench.call('agentTokens.create', { ...inPool(id, creation(bench.fresh('token'))), as })
      const before = await strangers(bench, pool)
      const missingCreate = await create(missing)
      const hiddenCreate = await create(pool)
      const after = await strangers(bench, pool)
      await bench.decide('AGENT-TOKENS-HIDE-03', () => {
        expect(hiddenCreate).toHaveStatus(404)
        expect(after, `tokens of the pool after ${who} asked for one`).toEqual(before)
      })
      await bench.decide('AGENT-TOKENS-HIDE-06', () => expect(comparable(hiddenCreate, pool)).toEqual(comparable(missingCreate, missing)))
    },
  )

  check(
    `agent-tokens/hidden-pool-malformed${suffix}`,
    ['AGENT-TOKENS-HIDE-06', 'AGENT-TOKENS-HIDE-07'],
    `a malformed request does not show ${who} that the pool exists`,
    { kind: 'security' },
    async ({ bench, expect }) => {
      const pool = await aPool(bench)
      const missing = otherId(bench, pool)
      const create = (id: string) =>
        bench.call('agentTokens.create', { ...inPool(id, { data: {} }), as: bench.named(caller), invalid: true })
      const [hidden, unknown] = [await create(pool), await create(missing)]
      await bench.decide('AGENT-TOKENS-HIDE-07', () => expect(hidden).toHaveStatus(404))
      await bench.decide('AGENT-TOKENS-HIDE-06', () => expect(comparable(hidden, pool)).toEqual(comparable(unknown, missing)))
    },
  )

  check(
    `agent-tokens/hidden-token${suffix}`,
    ['AGENT-TOKENS-HIDE-02', 'AGENT-TOKENS-HIDE-04', 'AGENT-TOKENS-HIDE-05'],
    `${who} cannot tell a token from one that does not exist, and does not destroy it`,
    { kind: 'security' },
    async ({ bench, expect }) => {
      const { id } = await createToken(bench, await aPool(bench))
      const as = bench.named(caller)
      const missing = otherId(bench, id)
      const destroy = (target: string) => bench.call('agentTokens.destroy', { path: { id: target }, as })
      const missingShow = await showToken(bench, missing, as)
      const hiddenShow = await showToken(bench, id, as)
      await bench.decide('AGENT-TOKENS-HIDE-02', () => expect(hiddenShow).toHaveStatus(404))
      await bench.decide('AGENT-TOKENS-HIDE-05', () => expect(comparable(hiddenShow, id)).toEqual(comparable(missingShow, missing)))
      for (const query of ASKED_ANEW) {
        const answer = await bench.call('agentTokens.show', { path: { id }, query, as, invalid: true })
        await bench.decide('AGENT-TOKENS-HIDE-02', () => {
          expect(answer, `a token, asked for with ${JSON.stringify(query)}`).toBeRefused()
          expect(Object.keys(answer.data), 'members of a token in the refusal').toEqual([])
        })
      }
      const missingDestroy = await destroy(missing)
      const hiddenDestroy = await destroy(id)
      await bench.decide('AGENT-TOKENS-HIDE-04', () => expect(hiddenDestroy).toHaveStatus(404))
      await bench.decide('AGENT-TOKENS-HIDE-05', () => expect(comparable(hiddenDestroy, id)).toEqual(comparable(missingDestroy, missing)))
      const after = await showToken(bench, id)
      await bench.decide('AGENT-TOKENS-HIDE-04', () => expect(after, `the token after ${who} asked to destroy it`).toHaveStatus(200))
    },
  )

  check(
    `agent-tokens/hidden-attempts${suffix}`,
    [
      'AGENT-TOKENS-HIDE-01',
      'AGENT-TOKENS-HIDE-02',
      'AGENT-TOKENS-HIDE-03',
      'AGENT-TOKENS-HIDE-04',
      'AGENT-TOKENS-HIDE-08',
      'AGENT-TOKENS-HIDE-09',
    ],
    `whatever ${who} tried before, every further attempt is answered with 404, and takes nothing from who may`,
    { kind: 'security' },
    async ({ bench, expect }) => {
      const pool = await aPool(bench)
      const [first, second] = [await createToken(bench, pool), await createToken(bench, pool)]
      await settled(bench, pool)
      const as = bench.named(caller)
      const before = await wholePool(bench, pool)
      const lists = LIST_FORMS.map(
        (query): Attempt => ['AGENT-TOKENS-HIDE-01', () => bench.call('agentTokens.list', { path: { agent_pool_id: pool }, query, as })],
      )
      const attempts: Attempt[] = [
        ...lists,
        ...[first, second].map(({ id }): Attempt => ['AGENT-TOKENS-HIDE-02', () => showToken(bench, id, as)]),
        ['AGENT-TOKENS-HIDE-03', () => bench.call('agentTokens.create', { ...inPool(pool, creation(bench.fresh('token'))), as })],
        ...[first, second].map(
          ({ id }): Attempt => ['AGENT-TOKENS-HIDE-04', () => bench.call('agentTokens.destroy', { path: { id }, as })],
        ),
      ]
      for (const [clause, attempt] of [...attempts, ...attempts.toReversed()]) {
        const answer = await attempt()
        await bench.decide(clause, () => expect(answer, `${answer.operation} by ${who}`).toHaveStatus(404))
      }
      const after = await wholePool(bench, pool)
      await bench.decide('AGENT-TOKENS-HIDE-08', () => expect(after, `the pool after attempts by ${who}`).toEqual(before))
      const path = { agent_pool_id: pool }
      await bench.decide('AGENT-TOKENS-HIDE-09', async () => {
        for (const query of LIST_FORMS)
          expect(await bench.call('agentTokens.list', { path, query }), 'the list, for who may').toHaveStatus(200)
        expect(await showToken(bench, first.id), 'a token, for who may').toHaveStatus(200)
        expect(await bench.call('agentTokens.create', inPool(pool, creation(bench.fresh('token')))), 'a creation by who may').toHaveStatus(
          201,
        )
        for (const { id } of [first, second]) {
          expect(await bench.call('agentTokens.destroy', { path: { id } }), 'a destruction by who may').toHaveStatus(204)
        }
      })
    },
  )
}
