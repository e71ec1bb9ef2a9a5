import { type Answer, type Bench, type CheckContext, check, type Json } from '../../../harness/checks/index.ts'
import { idsOf, linksOf, neighbour, pageQuery, pagesOf, paginationOf } from '../fixtures.ts'
import { otherPool, poolOf, settled } from '../pool.ts'

/** A link of a page as a whole address: it may be one, a path, or no more than a query. */
const addressOf = (page: Answer, link: Json | undefined): URL | undefined =>
  typeof link === 'string' && URL.canParse(link, page.url) ? new URL(link, page.url) : undefined

/** Follows a link of a list: the same operation with the link's own query. */
const follow = (bench: Bench, pool: string, address: URL): Promise<Answer> =>
  bench.call('agentTokens.list', { path: { agent_pool_id: pool }, query: Object.fromEntries(address.searchParams) })

/** The second page of three, 3 tokens each, and how to read the others. */
const middlePage = async (bench: Bench) => {
  const { pool } = await poolOf(bench, 7)
  const read = (number: number) => bench.given('agentTokens.list', { path: { agent_pool_id: pool }, query: pageQuery(number, 3) })
  return { pool, read, middle: await read(2) }
}

check('agent-tokens/links', 'AGENT-TOKENS-PAGE-05', 'a page has links to the others', async ({ bench, expect }) => {
  const { middle } = await middlePage(bench)
  expect(Object.keys(linksOf(middle))).toEqual(expect.arrayContaining(['self', 'first', 'prev', 'next', 'last']))
})

/** Where links lead: the number of the page, which the page itself may have to say. */
const LEADS: [name: string, clause: string, links: Record<string, (page: Answer) => number>][] = [
  ['beside', 'AGENT-TOKENS-PAGE-09', { prev: () => 1, next: () => 3 }],
  ['ends', 'AGENT-TOKENS-PAGE-10', { first: () => 1, last: (page) => Number(paginationOf(page)['total-pages']) }],
  ['self', 'AGENT-TOKENS-PAGE-11', { self: () => 2 }],
]

for (const [name, clause, links] of LEADS) {
  check(
    `agent-tokens/links-${name}`,
    clause,
    `the links ${Object.keys(links).join(' and ')} lead where they say`,
    async ({ bench, expect }) => {
      const { pool, read, middle } = await middlePage(bench)
      for (const [link, numberIn] of Object.entries(links)) {
        const address = addressOf(middle, linksOf(middle)[link])
        expect(address?.href, `the link ${link}`).toEqual(expect.any(String))
        expect(address!.pathname, `the path of the link ${link}`).toContain(pool)
        const wanted = idsOf(await read(numberIn(middle)))
        expect(wanted.length, `tokens of the page that ${link} names`).toBeGreaterThan(0)
        expect(idsOf(await follow(bench, pool, address!)), `tokens at the end of the link ${link}`).toEqual(wanted)
      }
    },
  )
}

check(
  'agent-tokens/links-of-a-short-page',
  ['AGENT-TOKENS-PAGE-09', 'AGENT-TOKENS-PAGE-10', 'AGENT-TOKENS-PAGE-11'],
  'the links of a last page that is not full lead to pages of the size that was asked for',
  async ({ bench, expect }) => {
    const { pool, read, middle } = await middlePage(bench)
    const total = Number(paginationOf(middle)['total-pages'])
    const last = await read(total)
    for (const [clause, link, number] of [
      ['AGENT-TOKENS-PAGE-09', 'prev', total - 1],
      ['AGENT-TOKENS-PAGE-10', 'first', 1],
      ['AGENT-TOKENS-PAGE-10', 'last', total],
      ['AGENT-TOKENS-PAGE-11', 'self', total],
    ] as const) {
      const address = addressOf(last, linksOf(last)[link])
      const [wanted, found] = [await read(number), address && (await follow(bench, pool, address))]
      await bench.decide(clause, () => {
        expect(found, `the page at the end of the link ${link}`).toBeDefined()
        expect(idsOf(found!), `tokens at the end of the link ${link}`).toEqual(idsOf(wanted))
      })
    }
  },
)

/** Decides where all links of all pages of a list lead, and which neighbours each page names; each address is followed once. */
const decideLinks = async ({ bench, expect }: CheckContext, pool: string, pages: readonly Answer[]): Promise<void> => {
  const ends = new Map<string, string[]>()
  const endOf = async (page: Answer, link: Json | undefined): Promise<string[] | undefined> => {
    const address = addressOf(page, link)
    if (address === undefined) return undefined
    const ids = ends.get(address.href) ?? idsOf(await follow(bench, pool, address))
    ends.set(address.href, ids)
    return ids
  }
  for (const [at, page] of pages.entries()) {
    const links = linksOf(page)
    const numbers = [at === 0 ? null : at, at === pages.length - 1 ? null : at + 2]
    await bench.decide('AGENT-TOKENS-PAGE-14', () => {
      const { 'prev-page': previous, 'next-page': next } = paginationOf(page)
      expect([neighbour(previous), neighbour(next)], `prev-page and next-page of page ${at + 1} of ${pages.length}`).toEqual(numbers)
    })
    for (const [clause, link, target] of [
      ['AGENT-TOKENS-PAGE-11', 'self', at],
      ['AGENT-TOKENS-PAGE-10', 'first', 0],
      ['AGENT-TOKENS-PAGE-10', 'last', pages.length - 1],
      ['AGENT-TOKENS-PAGE-09', 'prev', at - 1],
      ['AGENT-TOKENS-PAGE-09', 'next', at + 1],
    ] as const) {
      const about = `the link ${link} of page ${at + 1} of ${pages.length}`
      const wanted = pages[target]
      if (wanted === undefined) await bench.decide('AGENT-TOKENS-PAGE-08', () => expect(links[link], about).toBeNull())
      else {
        const found = await endOf(page, links[link])
        await bench.decide(clause, () => expect(found, `tokens at the end of ${about}`).toEqual(idsOf(wanted)))
      }
    }
  }
}

check(
  'agent-tokens/links-of-many-pages',
  ['AGENT-TOKENS-PAGE-08', 'AGENT-TOKENS-PAGE-09', 'AGENT-TOKENS-PAGE-10', 'AGENT-TOKENS-PAGE-11', 'AGENT-TOKENS-PAGE-14'],
  'every page leads to the others and names its neighbours, in a list of more than nine pages and in pages of the default size',
  async (context) => {
    const { bench } = context
    const { pool } = await poolOf(bench, 21)
    const count = (await settled(bench, pool)).length
    for (const { size, queryOf } of [
      { size: 2, queryOf: (number: number) => pageQuery(number, 2) },
      { size: 20, queryOf: (number: number): Record<string, string> => (number === 1 ? {} : { 'page[number]': String(number) }) },
    ]) {
      const pages: Answer[] = []
      for (let number = 1; number <= Math.ceil(count / size); number += 1)
        pages.push(await bench.given('agentTokens.list', { path: { agent_pool_id: pool }, query: queryOf(number) }))
      await decideLinks(context, pool, pages)
    }
  },
)

check(
  'agent-tokens/links-of-two-pools',
  ['AGENT-TOKENS-PAGE-10', 'AGENT-TOKENS-PAGE-11'],
  'links lead to the pool that was listed, whichever was listed before',
  async ({ bench, expect }) => {
    const { pool } = await poolOf(bench, 1)
    for (const listed of [await otherPool(bench), pool, await otherPool(bench)]) {
      const page = await bench.given('agentTokens.list', { path: { agent_pool_id: listed } })
      const { first, last, self } = linksOf(page)
      const paths = (links: (Json | undefined)[]) => links.map((link) => addressOf(page, link)?.pathname ?? '')
      await bench.decide('AGENT-TOKENS-PAGE-10', () => {
        expect(first, 'the link first').toEqual(expect.any(String))
        for (const path of paths([first, last])) expect(path, 'the path of the links first and last').toContain(listed)
      })
      await bench.decide('AGENT-TOKENS-PAGE-11', () => {
        expect(self, 'the link self').toEqual(expect.any(String))
        for (const path of paths([self])) expect(path, 'the path of the link self').toContain(listed)
      })
    }
  },
)

check(
  'agent-tokens/links-at-the-ends',
  'AGENT-TOKENS-PAGE-08',
  'the first page has no page before it, the last none after it',
  async ({ bench, expect }) => {
    for (const size of bench.few([2, 3, 4], 1)) {
      const { pool } = await poolOf(bench, 4)
      const pages = await pagesOf(bench, pool, size)
      const [first, last] = [linksOf(pages[0]!), linksOf(pages.at(-1)!)]
      expect(first.prev).toBeNull()
      expect(last.next).toBeNull()
      if (pages.length > 1) expect([typeof first.next, typeof last.prev]).toEqual(['string', 'string'])
    }
  },
)
