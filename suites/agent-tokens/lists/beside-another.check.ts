/** Lists of a pool while another one has tokens: what they hold, and what they count. */
import { type Answer, asObject, check } from '../../../harness/checks/index.ts'
import { createToken, idsOf, LIST_FORMS, neighbour, pageQuery, pagesOf, paginationOf } from '../fixtures.ts'
import { inTime, settled, strangers, twoPools } from '../pool.ts'

const QUERIES: { query: Record<string, string>; number: number; size: number }[] = [
  { query: {}, number: 1, size: 20 },
  { query: { 'page[number]': '1' }, number: 1, size: 20 },
  { query: { 'page[size]': '2' }, number: 1, size: 2 },
  { query: pageQuery(2, 1), number: 2, size: 1 },
  { query: pageQuery(2, 2), number: 2, size: 2 },
]

check(
  'agent-tokens/lists-beside-another-pool',
  [
    'AGENT-TOKENS-CREATE-05',
    'AGENT-TOKENS-LIST-06',
    'AGENT-TOKENS-PAGE-03',
    'AGENT-TOKENS-PAGE-14',
    'AGENT-TOKENS-PAGE-15',
    'AGENT-TOKENS-PAGE-16',
  ],
  'a pool lists and counts its own tokens only: none, some, and after a destruction in either',
  async ({ bench, expect }) => {
    const [here, there] = await twoPools(bench)
    const others: string[] = []
    for (let turn = 0; turn < 3; turn += 1) others.push((await createToken(bench, there)).id)
    await settled(bench, there)
    const list = (pool: string, query: Record<string, string>): Promise<Answer> =>
      bench.given('agentTokens.list', { path: { agent_pool_id: pool }, query })
    const known = (await strangers(bench, here)).filter((id) => !others.includes(id))

    for (const query of LIST_FORMS.filter((form) => form['page[number]'] !== '2')) {
      const answer = await list(here, query)
      const about = `asked for with ${JSON.stringify(query)}`
      await bench.decide('AGENT-TOKENS-CREATE-05', () =>
        expect(
          idsOf(answer).filter((id) => others.includes(id)),
          `tokens of another pool, ${about}`,
        ).toEqual([]),
      )
      await bench.decide('AGENT-TOKENS-PAGE-15', () =>
        expect(paginationOf(answer)['total-count'], `total-count beside another pool, ${about}`).toBe(known.length),
      )
      if (known.length === 0)
        await bench.decide('AGENT-TOKENS-LIST-06', () =>
          expect(asObject(answer.body).data, `a pool without tokens beside another, ${about}`).toEqual([]),
        )
    }

    /** Reads the pool in pages of several sizes, and holds what they have and count against what there is. */
    const counted = async (pool: string, elsewhere: readonly string[], about: string): Promise<void> => {
      const all = await settled(bench, pool)
      for (const { query, number, size } of QUERIES) {
        const pages = Math.ceil(all.length / size)
        // What there is behind the last page is not said, nor with which status.
        if (number > pages) continue
        const page = await list(pool, query)
        const pagination = paginationOf(page)
        const where = `${JSON.stringify(query)} ${about}`
        await bench.decide('AGENT-TOKENS-CREATE-05', () =>
          expect(
            idsOf(page).filter((id) => elsewhere.includes(id)),
            `tokens of another pool in ${where}`,
          ).toEqual([]),
        )
        await bench.decide('AGENT-TOKENS-PAGE-03', () =>
          expect(idsOf(page).length, `items of ${where}`).toBe(Math.min(size, all.length - (number - 1) * size)),
        )
        await bench.decide('AGENT-TOKENS-PAGE-15', () => expect(pagination['total-count'], `total-count of ${where}`).toBe(all.length))
        await bench.decide('AGENT-TOKENS-PAGE-16', () => expect(pagination['total-pages'], `total-pages of ${where}`).toBe(pages))
        await bench.decide('AGENT-TOKENS-PAGE-14', () =>
          expect([neighbour(pagination['prev-page']), neighbour(pagination['next-page'])], `neighbours of ${where}`).toEqual([
            number > 1 ? number - 1 : null,
            number < pages ? number + 1 : null,
          ]),
        )
      }
    }

    const own: string[] = []
    for (let turn = 0; turn < 4; turn += 1) own.push((await createToken(bench, here)).id)
    await counted(here, others, 'after creations')
    // A destruction in the pool where nothing was created last, then one of the oldest where something was.
    for (const [pool, id] of [
      [there, others.shift()!],
      [here, own.shift()!],
    ] as const) {
      await bench.given('agentTokens.destroy', { path: { id } })
      await inTime(
        bench,
        async () => (await pagesOf(bench, pool, 20)).flatMap(idsOf),
        (ids) => !ids.includes(id),
      )
      await counted(here, others, 'after a destruction')
      await counted(there, own, 'after a destruction, the other pool')
    }
  },
)
