import { type Answer, type Bench, check, type Json } from '../../harness/checks/index.ts'
import { poolOf } from './pool.ts'
import { idsOf, linksOf, pageQuery, pagesOf, paginationOf } from './tokens.ts'

/** Any base will do: links may be whole addresses or paths. */
const BASE = 'http://target'

/** Follows a link of a list: the same operation with the link's own query. */
const follow = (bench: Bench, pool: string, link: Json | undefined): Promise<Answer> => {
  const query = Object.fromEntries(new URL(String(link), BASE).searchParams)
  return bench.call('agentTokens.list', { path: { agent_pool_id: pool }, query })
}

const pathOf = (link: Json | undefined): string => new URL(String(link), BASE).pathname

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
        const found = typeof links[name] === 'string' ? await follow(bench, pool, links[name]) : undefined
        await bench.decide(clause, () => {
          expect(typeof links[name], `the link ${name}`).toBe('string')
          expect(pathOf(links[name]), `the path of the link ${name}`).toContain(pool)
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
