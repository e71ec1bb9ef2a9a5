import { asObject, type Caller, check } from '../../../harness/checks/index.ts'
import { allIds, createToken, idsOf, LIST_FORMS, otherId, pageQuery, pagesOf, paginationOf } from '../fixtures.ts'
import { aPool, inTime, poolOf, settled, strangers } from '../pool.ts'

check(
  'agent-tokens/list',
  ['AGENT-TOKENS-LIST-01', 'AGENT-TOKENS-LIST-02', 'AGENT-TOKENS-PAGE-26'],
  'a pool lists its tokens in an order that stays',
  async ({ bench, expect }) => {
    const { pool } = await poolOf(bench, 3)
    const read = () => bench.call('agentTokens.list', { path: { agent_pool_id: pool } })
    const [first, second] = [await read(), await read()]
    await bench.decide('AGENT-TOKENS-LIST-01', () => expect(first).toHaveStatus(200))
    await bench.decide('AGENT-TOKENS-LIST-02', () => expect(Array.isArray(asObject(first.body).data), 'data is an array').toBe(true))
    await bench.decide('AGENT-TOKENS-PAGE-26', () => expect(idsOf(second)).toEqual(idsOf(first)))
  },
)

check('agent-tokens/list-unknown-pool', 'AGENT-TOKENS-LIST-03', 'a pool that does not exist gets 404', async ({ bench, expect }) => {
  const pool = await aPool(bench)
  const absent = otherId(bench, pool)
  const refused = await bench.refuses('agentTokens.list', {
    bad: { path: { agent_pool_id: absent } },
    control: { path: { agent_pool_id: pool } },
    unchanged: null,
    because: 'a read changes nothing',
    status: 404,
  })
  expect(refused).toHaveStatus(404)
  for (const query of LIST_FORMS) {
    const answer = await bench.call('agentTokens.list', { path: { agent_pool_id: absent }, query })
    expect(answer, `a pool that does not exist, asked for with ${JSON.stringify(query)}`).toHaveStatus(404)
  }
})

check(
  'agent-tokens/list-empty',
  ['AGENT-TOKENS-LIST-06', 'AGENT-TOKENS-PAGE-22'],
  'a pool without tokens lists an empty array',
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    if ((await strangers(bench, pool)).length > 0)
      bench.blocked('the pool of the fixture is not empty', 'give an empty pool under fixtures.agent-pool')
    const answer = await bench.given('agentTokens.list', { path: { agent_pool_id: pool } })
    await bench.decide('AGENT-TOKENS-LIST-06', () => expect(asObject(answer.body).data).toEqual([]))
    bench.observe('AGENT-TOKENS-PAGE-22', paginationOf(answer)['total-pages'] ?? null)
  },
)

check('agent-tokens/list-after-destroy', 'AGENT-TOKENS-LIST-04', 'a destroyed token is not listed', async ({ bench, expect }) => {
  const { pool, ids } = await poolOf(bench, 2)
  const [gone, kept] = ids
  await bench.given('agentTokens.destroy', { path: { id: gone! } })
  await bench.eventually(
    async () => {
      const listed = await allIds(bench, pool)
      expect(listed).toContain(kept)
      expect(listed).not.toContain(gone)
    },
    { because: 'a destroyed token leaves the list' },
  )
})

check('agent-tokens/list-at-once', 'AGENT-TOKENS-LIST-07', 'a list shows at once what was done', async ({ bench, expect }) => {
  const pool = await aPool(bench)
  await settled(bench, pool)
  const path = { agent_pool_id: pool }
  /** The forms of the list, asked for first in turn: what only the first reading lacks shows in each of them. */
  const forms = [
    () => allIds(bench, pool),
    async () => idsOf(await bench.call('agentTokens.list', { path })),
    async () => (await pagesOf(bench, pool, 2)).flatMap(idsOf),
  ]
  const made: string[] = []
  for (const read of forms) {
    const { id } = await createToken(bench, pool)
    made.push(id)
    expect((await read()).sort(), `the list after ${made.length} creations`).toEqual(expect.arrayContaining(made))
  }
  for (const read of forms) {
    const id = made.pop()!
    await bench.given('agentTokens.destroy', { path: { id } })
    const ids = await read()
    expect(ids, 'the list after a destruction').not.toContain(id)
    expect(ids, 'the list after a destruction').toEqual(expect.arrayContaining(made))
  }
})

check(
  'agent-tokens/later-page-alone',
  ['AGENT-TOKENS-LIST-04', 'AGENT-TOKENS-CREATE-04'],
  'a later page shows what was destroyed and created since, also to who does not ask for the first page again',
  async ({ bench, expect }) => {
    const { pool } = await poolOf(bench, 5)
    const page = async (number: number) =>
      idsOf(await bench.call('agentTokens.list', { path: { agent_pool_id: pool }, query: pageQuery(number, 2) }))
    const [, second] = [await page(1), await page(2)]
    const gone = second[0] ?? bench.blocked('the second page holds no token', 'see agent-tokens/pages-whole')
    await bench.given('agentTokens.destroy', { path: { id: gone } })
    const later = await inTime(
      bench,
      () => page(2),
      (ids) => ids.length === 2 && !ids.includes(gone),
    )
    await bench.decide('AGENT-TOKENS-LIST-04', () => {
      expect(later, 'the second page, after one of its tokens was destroyed').not.toContain(gone)
      expect(later, 'the second page of four tokens').toHaveLength(2)
    })
    const made = [await createToken(bench, pool), await createToken(bench, pool), await createToken(bench, pool)].map(({ id }) => id)
    // Where a new token stands in the list is not said: on one of the pages behind the first, since it holds two alone.
    const behind = async () => [...(await page(2)), ...(await page(3)), ...(await page(4))]
    const seen = await inTime(bench, behind, (ids) => made.some((id) => ids.includes(id)))
    await bench.decide('AGENT-TOKENS-CREATE-04', () =>
      expect(
        made.filter((id) => seen.includes(id)),
        'new tokens on the pages behind the first',
      ).not.toEqual([]),
    )
  },
)

check(
  'agent-tokens/list-of-others',
  ['AGENT-TOKENS-CREATE-04', 'AGENT-TOKENS-LIST-04', 'AGENT-TOKENS-PAGE-15'],
  'a caller who read a list before sees and counts what others created and destroyed since',
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const makers = ['root', bench.named('colleague')] as const
    const read = (as: Caller) => bench.call('agentTokens.list', { path: { agent_pool_id: pool }, query: pageQuery(1, 20), as })
    const known = await strangers(bench, pool)
    // A pool that is given may have more than a page: then the new ones are anywhere.
    if (known.length > 16) bench.blocked(`the pool has ${known.length} tokens of others`, 'give an empty pool under fixtures.agent-pool')
    const made: string[] = []
    const seenByAll = async (clause: string, what: string): Promise<void> => {
      const wanted = [...known, ...made].sort()
      for (const [index, as] of makers.entries()) {
        const seen = await inTime(
          bench,
          () => read(as),
          (list) => idsOf(list).sort().join() === wanted.join() && paginationOf(list)['total-count'] === wanted.length,
        )
        await bench.decide(clause, () => expect(idsOf(seen).sort(), `the list of reader ${index + 1}, ${what}`).toEqual(wanted))
        await bench.decide('AGENT-TOKENS-PAGE-15', () =>
          expect(paginationOf(seen)['total-count'], `total-count for reader ${index + 1}, ${what}`).toBe(wanted.length),
        )
      }
    }
    for (const [index, as] of [...makers, ...makers].entries()) {
      made.push((await createToken(bench, pool, { as })).id)
      await seenByAll('AGENT-TOKENS-CREATE-04', `after creation ${index + 1}`)
    }
    for (const [index, as] of makers.entries()) {
      // The first of the other one's.
      const gone = made.splice(1 - index, 1)[0]!
      await bench.given('agentTokens.destroy', { path: { id: gone }, as })
      await seenByAll('AGENT-TOKENS-LIST-04', `after destruction ${index + 1}`)
    }
  },
)
