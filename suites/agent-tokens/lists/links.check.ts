import { type Answer, type Bench, check, type Json } from '../../../harness/checks/index.ts'
import { idsOf, linksOf, pageQuery, pagesOf, paginationOf } from '../fixtures.ts'
import { poolOf } from '../pool.ts'

/** A link of a page as a whole address: it may be one, a path, or no more than a query. */
const addressOf = (page: Answer, link: Json | undefined): URL | undefined =>
  typeof link === 'string' && URL.canParse(link, page.url) ? new URL(link, page.url) : undefined

/** Follows a link of a list: the same operation with the link's own query. */
const follow = (bench: Bench, pool: string, address: URL): Promise<Answer> =>
  bench.call('agentTokens.list', { path: { agent_pool_id: pool }, query: Object.fromEntries(address.searchParams) })

check(
  'agent-tokens/links',
  ['AGENT-PAGE-05', 'AGENT-PAGE-09', 'AGENT-PAGE-10', 'AGENT-PAGE-11'],
  'the links of a page lead where their names say',
  async ({ bench, expect }) => {
    const { pool } = await poolOf(bench, 7)
    const read = (number: number) => bench.given('agentTokens.list', { path: { agent_pool_id: pool }, query: pageQuery(number, 3) })
    const [first, middle] = [await read(1), await read(2)]
    const last = await read(Number(paginationOf(middle)['total-pages']))
    const links = linksOf(middle)
    await bench.decide('AGENT-PAGE-05', () =>
      expect(Object.keys(links)).toEqual(expect.arrayContaining(['self', 'first', 'prev', 'next', 'last'])),
    )
    const leads = async (clause: string, expected: [string, Answer][]) => {
      for (const [name, page] of expected) {
        const address = addressOf(middle, links[name])
        const found = address && (await follow(bench, pool, address))
        await bench.decide(clause, () => {
          expect(address?.href, `the link ${name}`).toEqual(expect.any(String))
          expect(address!.pathname, `the path of the link ${name}`).toContain(pool)
          expect(idsOf(found!), `tokens at the end of the link ${name}`).toEqual(idsOf(page))
        })
      }
    }
    await leads('AGENT-PAGE-09', [
      ['prev', first],
      ['next', await read(3)],
    ])
    await leads('AGENT-PAGE-10', [
      ['first', first],
      ['last', last],
    ])
    await leads('AGENT-PAGE-11', [['self', middle]])
  },
)

check(
  'agent-tokens/links-at-the-ends',
  'AGENT-PAGE-08',
  'the first page has no page before it, the last none after it',
  async ({ bench, expect }) => {
    for (const size of [2, 3, 4]) {
      const { pool } = await poolOf(bench, 4)
      const pages = await pagesOf(bench, pool, size)
      const [first, last] = [linksOf(pages[0]!), linksOf(pages.at(-1)!)]
      expect(first.prev).toBeNull()
      expect(last.next).toBeNull()
      if (pages.length > 1) expect([typeof first.next, typeof last.prev]).toEqual(['string', 'string'])
    }
  },
)
