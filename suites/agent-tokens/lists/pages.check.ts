import { check, oddPages, property } from '../../../harness/checks/index.ts'
import { createToken, idsOf, neighbour, pageQuery, pagesOf, paginationOf } from '../fixtures.ts'
import { inTime, poolOf, settled } from '../pool.ts'

check(
  'agent-tokens/default-page',
  ['AGENT-TOKENS-PAGE-01', 'AGENT-TOKENS-PAGE-02', 'AGENT-TOKENS-PAGE-27'],
  'without paging parameters the first 20 tokens are listed',
  async ({ bench, expect }) => {
    const { pool } = await poolOf(bench, 23)
    const path = { agent_pool_id: pool }
    const plain = await bench.call('agentTokens.list', { path })
    const larger = await bench.call('agentTokens.list', { path, query: { 'page[size]': '22' } })
    await bench.decide('AGENT-TOKENS-PAGE-27', () => expect(idsOf(larger).length, 'items of a page of size 22').toBe(22))
    const first = await bench.call('agentTokens.list', { path, query: { 'page[number]': '1' } })
    const second = await bench.call('agentTokens.list', { path, query: { 'page[number]': '2' } })
    const bySize = await bench.call('agentTokens.list', { path, query: { 'page[size]': '4' } })
    const again = await bench.call('agentTokens.list', { path })
    await bench.decide('AGENT-TOKENS-PAGE-01', () => {
      expect(idsOf(plain).length, 'items without parameters').toBe(20)
      expect(idsOf(again).length, 'items without parameters, after a page of another size').toBe(20)
      expect(idsOf(second).length, 'items of page 2').toBe(paginationOf(plain)['total-count'] === 23 ? 3 : idsOf(second).length)
    })
    await bench.decide('AGENT-TOKENS-PAGE-02', () => {
      expect(idsOf(plain)).toEqual(idsOf(first))
      expect(idsOf(bySize)).toEqual(idsOf(plain).slice(0, 4))
    })
  },
)

check(
  'agent-tokens/totals',
  ['AGENT-TOKENS-PAGE-13', 'AGENT-TOKENS-PAGE-14', 'AGENT-TOKENS-PAGE-15', 'AGENT-TOKENS-PAGE-16'],
  'a page says where it is, and how many tokens and pages there are, also where number or size is left out',
  async ({ bench, expect }) => {
    const { pool, ids } = await poolOf(bench, 23)
    const all = new Set((await pagesOf(bench, pool, 20)).flatMap(idsOf))
    for (const { query, number, size } of [
      { query: {}, number: 1, size: 20 },
      { query: { 'page[number]': '2' }, number: 2, size: 20 },
      { query: { 'page[size]': '4' }, number: 1, size: 4 },
    ]) {
      const page = paginationOf(await bench.call('agentTokens.list', { path: { agent_pool_id: pool }, query }))
      const pages = Math.ceil(all.size / size)
      await bench.decide('AGENT-TOKENS-PAGE-15', () => {
        expect(page['total-count'], `total-count of page ${number} of size ${size}`).toBe(all.size)
        expect(
          ids.filter((id) => !all.has(id)),
          'created tokens that no page holds',
        ).toEqual([])
      })
      await bench.decide('AGENT-TOKENS-PAGE-16', () => expect(page['total-pages']).toBe(pages))
      await bench.decide('AGENT-TOKENS-PAGE-13', () => expect(page['current-page']).toBe(number))
      await bench.decide('AGENT-TOKENS-PAGE-14', () =>
        expect([neighbour(page['prev-page']), neighbour(page['next-page'])]).toEqual([
          number > 1 ? number - 1 : null,
          number < pages ? number + 1 : null,
        ]),
      )
    }
  },
)

property(
  'agent-tokens/pages-whole',
  [
    'AGENT-TOKENS-PAGE-03',
    'AGENT-TOKENS-PAGE-04',
    'AGENT-TOKENS-PAGE-13',
    'AGENT-TOKENS-PAGE-14',
    'AGENT-TOKENS-PAGE-15',
    'AGENT-TOKENS-PAGE-16',
    'AGENT-TOKENS-PAGE-17',
  ],
  'pages of any size are the whole list, and each says where it is',
  {
    runs: [2, 8],
    minimum: 2,
    first: [
      { count: 6, size: 3 },
      // More than nine pages: their numbers are not in order as texts.
      { count: 11, size: 1 },
      { count: 3, size: 10 },
      { count: 21, size: 20 },
    ],
  },
  ({ fc }) => fc.record({ count: fc.integer({ min: 1, max: 9 }), size: fc.integer({ min: 1, max: 10 }) }),
  async ({ bench, expect }, { count, size }) => {
    const { pool, ids } = await poolOf(bench, count)
    const pages = await inTime(
      bench,
      () => pagesOf(bench, pool, size),
      (seen) => seen.every((page) => paginationOf(page)['total-count'] === seen.flatMap(idsOf).length),
    )
    const listed = pages.flatMap(idsOf)
    const wanted = Math.ceil(listed.length / size)
    await bench.decide('AGENT-TOKENS-PAGE-03', () => {
      for (const page of pages.slice(0, -1)) expect(idsOf(page).length, `items of a page with size ${size}`).toBe(size)
      expect(idsOf(pages.at(-1)!).length).toBeLessThanOrEqual(size)
    })
    await bench.decide('AGENT-TOKENS-PAGE-04', () => {
      expect(new Set(listed).size, 'different tokens on all pages').toBe(listed.length)
      expect(
        ids.filter((id) => !listed.includes(id)),
        'created tokens that no page holds',
      ).toEqual([])
    })
    await bench.decide('AGENT-TOKENS-PAGE-16', () =>
      expect(pages.map((page) => paginationOf(page)['total-pages'])).toEqual(pages.map(() => wanted)),
    )
    await bench.decide('AGENT-TOKENS-PAGE-17', () => {
      expect(idsOf(pages.at(-1)!).length, 'items of the last page').toBeGreaterThan(0)
      expect(pages.length, 'pages until the last').toBe(wanted)
    })
    await bench.decide('AGENT-TOKENS-PAGE-13', () =>
      expect(pages.map((page) => paginationOf(page)['current-page'])).toEqual(pages.map((_, at) => at + 1)),
    )
    await bench.decide('AGENT-TOKENS-PAGE-14', () => {
      expect(pages.map((page) => neighbour(paginationOf(page)['prev-page']))).toEqual(pages.map((_, at) => (at === 0 ? null : at)))
      expect(pages.map((page) => neighbour(paginationOf(page)['next-page']))).toEqual(
        pages.map((_, at) => (at === pages.length - 1 ? null : at + 2)),
      )
    })
    await bench.decide('AGENT-TOKENS-PAGE-15', () =>
      expect(
        pages.map((page) => paginationOf(page)['total-count']),
        'total-count of each page',
      ).toEqual(pages.map(() => listed.length)),
    )
  },
)

check('agent-tokens/encoded-brackets', 'AGENT-TOKENS-PAGE-18', 'percent-encoded brackets are understood', async ({ bench, expect }) => {
  const { pool } = await poolOf(bench, 3)
  const path = { agent_pool_id: pool }
  const [first, second] = [
    await bench.call('agentTokens.list', { path, query: pageQuery(1, 1) }),
    await bench.call('agentTokens.list', { path, query: pageQuery(2, 1) }),
  ]
  for (const answer of [first, second]) {
    expect(answer).toHaveStatus(200)
    expect(idsOf(answer).length, 'items of a page with size 1').toBe(1)
  }
  expect(idsOf(second), 'the second page').not.toEqual(idsOf(first))
})

check(
  'agent-tokens/raw-brackets',
  'AGENT-TOKENS-PAGE-19',
  'brackets that are not percent-encoded are understood',
  async ({ bench, expect }) => {
    const { pool } = await poolOf(bench, 4)
    const path = { agent_pool_id: pool }
    const second = idsOf(await bench.call('agentTokens.list', { path, query: pageQuery(2, 2) }))
    // In either order.
    for (const pathSuffix of ['?page[size]=2&page[number]=2', '?page[number]=2&page[size]=2', '?page%5Bsize%5D=2&page%5Bnumber%5D=2']) {
      const answer = await bench.call('agentTokens.list', { path, pathSuffix })
      expect(answer).toHaveStatus(200)
      expect(idsOf(answer).length, 'items of a page with size 2').toBe(2)
      expect(idsOf(answer), `the second page by ${pathSuffix}`).toEqual(second)
    }
  },
)

check(
  'agent-tokens/pages-of-namesakes',
  'AGENT-TOKENS-PAGE-04',
  'tokens of one description are on one page each, whatever the size',
  async ({ bench, expect }) => {
    const { pool } = await poolOf(bench, 2)
    const [one, other] = [bench.fresh('token'), bench.fresh('token')]
    for (const description of [one, one, other, one, other, one, one]) await createToken(bench, pool, { description })
    const ids = (await settled(bench, pool)).sort()
    for (const size of bench.few([2, 3, 4], 1)) {
      const listed = (await pagesOf(bench, pool, size)).flatMap(idsOf)
      expect(listed.sort(), `tokens on pages of ${size}`).toEqual(ids)
    }
  },
)

check(
  'agent-tokens/odd-pages',
  ['AGENT-TOKENS-PAGE-20', 'AGENT-TOKENS-PAGE-21'],
  'paging values that make no sense break nothing',
  async ({ bench, expect }) => {
    const { pool } = await poolOf(bench, 3)
    await oddPages(
      { bench, expect },
      { failed: 'AGENT-TOKENS-PAGE-21', answered: 'AGENT-TOKENS-PAGE-20' },
      (number, size) =>
        bench.call('agentTokens.list', { path: { agent_pool_id: pool }, query: { 'page[number]': number, 'page[size]': size } }),
      (answer) => idsOf(answer).length,
    )
  },
)

check(
  'agent-tokens/pages-while-creating',
  ['AGENT-TOKENS-PAGE-23', 'AGENT-TOKENS-PAGE-24'],
  'a reader of the pages misses nothing while others create',
  { kind: 'race' },
  async ({ bench, expect }) => {
    const { pool, ids } = await poolOf(bench, 8)
    const writer = async () => {
      for (let count = 0; count < 6; count += 1) {
        const body = { data: { type: 'authentication-tokens', attributes: { description: bench.fresh('late') } } }
        await bench.given('agentTokens.create', { path: { agent_pool_id: pool }, body })
      }
    }
    const [pages] = await Promise.all([pagesOf(bench, pool, 3), writer()])
    const seen = new Set(pages.flatMap(idsOf))
    await bench.decide('AGENT-TOKENS-PAGE-23', () =>
      expect(
        ids.filter((id) => !seen.has(id)),
        'tokens that were there all the while and on no page',
      ).toEqual([]),
    )
    const destroyer = async () => {
      for (const id of ids.slice(0, 5)) await bench.call('agentTokens.destroy', { path: { id } })
    }
    const [later] = await Promise.all([pagesOf(bench, pool, 4), destroyer(), writer()])
    await bench.decide('AGENT-TOKENS-PAGE-24', () => {
      for (const page of [...pages, ...later]) expect(new Set(idsOf(page)).size, 'different tokens of one page').toBe(idsOf(page).length)
    })
  },
)

check('agent-tokens/size-alone', 'AGENT-TOKENS-PAGE-03', 'the page size works without a page number', async ({ bench, expect }) => {
  const { pool } = await poolOf(bench, 3)
  const answer = await bench.call('agentTokens.list', { path: { agent_pool_id: pool }, query: { 'page[size]': '2' } })
  expect(idsOf(answer).length, 'items of a page with size 2').toBe(2)
  expect(idsOf(await bench.call('agentTokens.list', { path: { agent_pool_id: pool }, query: pageQuery(2, 2) })).length).toBeGreaterThan(0)
})

check(
  'agent-tokens/larger-pages',
  ['AGENT-TOKENS-PAGE-03', 'AGENT-TOKENS-PAGE-27', 'AGENT-TOKENS-PAGE-04', 'AGENT-TOKENS-PAGE-16'],
  'a page holds as many tokens as asked for, also where that is more than by default',
  async ({ bench, expect }) => {
    const { pool, ids } = await poolOf(bench, 51)
    for (const size of [19, 21, 31, 50]) {
      const alone = await bench.call('agentTokens.list', { path: { agent_pool_id: pool }, query: { 'page[size]': String(size) } })
      const pages = await pagesOf(bench, pool, size)
      const listed = pages.flatMap(idsOf)
      await bench.decide(size > 20 ? 'AGENT-TOKENS-PAGE-27' : 'AGENT-TOKENS-PAGE-03', () => {
        expect(idsOf(alone).length, `items of a page with size ${size} and no number`).toBe(size)
        for (const page of pages.slice(0, -1)) expect(idsOf(page).length, `items of a page with size ${size}`).toBe(size)
      })
      // A server with smaller pages may refuse this size, or cut it.
      if (size > 20 && (!alone.ok || idsOf(alone).length < size)) continue
      await bench.decide('AGENT-TOKENS-PAGE-04', () => {
        expect(new Set(listed).size, 'different tokens on all pages').toBe(listed.length)
        expect(
          ids.filter((id) => !listed.includes(id)),
          'created tokens that no page holds',
        ).toEqual([])
      })
      await bench.decide('AGENT-TOKENS-PAGE-16', () =>
        expect(pages.map((page) => paginationOf(page)['total-pages'])).toEqual(pages.map(() => Math.ceil(listed.length / size))),
      )
    }
  },
)
