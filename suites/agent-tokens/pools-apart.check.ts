import { type Bench, check, type Json } from '../../harness/checks/index.ts'
import {
  attributesOf,
  createToken,
  creation,
  documented,
  idsOf,
  inPool,
  itemsOf,
  pageQuery,
  pagesOf,
  paginationOf,
  showToken,
} from './fixtures.ts'
import { inTime, settled, twoPools } from './pool.ts'

/** What the list of a pool and show say of some tokens; the pool may hold others, which come and go. */
const saidOf = async (bench: Bench, pool: string, ids: readonly string[]): Promise<Record<string, Json>> => {
  const listed = new Map((await pagesOf(bench, pool, 20)).flatMap(itemsOf).map((token) => [token.id, documented(token)]))
  const said: Record<string, Json> = {}
  for (const id of ids) {
    const shown = await showToken(bench, id)
    said[id] = { listed: listed.get(id) ?? null, shown: shown.ok ? documented(shown.data) : shown.status }
  }
  return said
}

check(
  'agent-tokens/pools-apart',
  [
    'AGENT-TOKENS-CREATE-04',
    'AGENT-TOKENS-CREATE-05',
    'AGENT-TOKENS-CREATE-20',
    'AGENT-TOKENS-DESTROY-05',
    'AGENT-TOKENS-FIELD-11',
    'AGENT-TOKENS-MODEL-01',
    'AGENT-TOKENS-PAGE-04',
    'AGENT-TOKENS-PAGE-15',
  ],
  'what is created and destroyed in one pool changes no token of another, not even one of the same description',
  async ({ bench, expect }) => {
    const pools = await twoPools(bench)
    const [here, there] = pools
    const alive: Record<string, string[]> = { [here]: [], [there]: [] }

    /** Does something in a pool, and looks whether the tokens of the other one are as they were. */
    const step = async (clauses: string[], at: string, about: string, run: () => Promise<unknown>): Promise<void> => {
      const other = at === here ? there : here
      await settled(bench, other)
      const ids = alive[other]!
      const before = await saidOf(bench, other, ids)
      await run()
      await settled(bench, at)
      const after = await inTime(
        bench,
        () => saidOf(bench, other, ids),
        (said) => JSON.stringify(said) === JSON.stringify(before),
      )
      for (const clause of clauses)
        await bench.decide(clause, () => {
          expect(after, `the tokens of another pool after ${about}`).toEqual(before)
          for (const [id, said] of Object.entries(after))
            expect(said, 'a token that was not destroyed').toEqual(expect.objectContaining({ listed: expect.objectContaining({ id }) }))
        })
    }

    const create = async (at: string, wanted: string): Promise<string> => {
      const first = await bench.call('agentTokens.create', inPool(at, creation(wanted)))
      await bench.decide('AGENT-TOKENS-CREATE-20', () => expect(first, 'a creation beside another pool').toHaveStatus(201))
      const description = first.ok ? wanted : bench.fresh('token')
      const answer = first.ok ? first : await bench.given('agentTokens.create', inPool(at, creation(description)))
      const id = String(answer.data.id)
      alive[at]!.push(id)
      await settled(bench, at)
      const said = await saidOf(bench, at, [id])
      const elsewhere = (await pagesOf(bench, at === here ? there : here, 20)).flatMap(itemsOf)
      await bench.decide('AGENT-TOKENS-FIELD-11', () => {
        expect(attributesOf(answer.data).description, 'the description when created').toBe(description)
        const as = expect.objectContaining({ id, description })
        expect(said[id], 'the token in its list and shown').toEqual({ listed: as, shown: as })
      })
      await bench.decide('AGENT-TOKENS-CREATE-05', () => expect(elsewhere.map((token) => token.id)).not.toContain(id))
      return id
    }

    const destroy = async (at: string, id: string): Promise<void> => {
      await bench.given('agentTokens.destroy', { path: { id } })
      alive[at] = alive[at]!.filter((other) => other !== id)
    }

    const { id: first, description } = await createToken(bench, here)
    alive[here]!.push(first)
    // One that begins like that of a token elsewhere.
    await step(['AGENT-TOKENS-CREATE-04'], there, 'a creation', () => create(there, `${description} ${bench.random.word(8)}`))
    await step(['AGENT-TOKENS-CREATE-04'], here, 'a creation', () => create(here, bench.fresh('token')))
    const ids = await settled(bench, here)
    // Page by page: neither is cut from what both have, nor shown with the pages of the other.
    const pageOf = async (pool: string, number: number) =>
      idsOf(await bench.given('agentTokens.list', { path: { agent_pool_id: pool }, query: pageQuery(number, 1) }))
    for (const pages of [
      [1, 2],
      [2, 1],
    ]) {
      await pageOf(there, 1)
      const seen = [...(await pageOf(here, pages[0]!)), ...(await pageOf(here, pages[1]!))]
      await bench.decide('AGENT-TOKENS-PAGE-04', () => {
        expect(new Set(seen).size, 'different tokens on two pages of size 1').toBe(2)
        expect(
          seen.filter((id) => !ids.includes(id)),
          'tokens on a page that the pool does not have',
        ).toEqual([])
      })
    }
    const count = ids.length
    // By turns: neither is counted with what the other has.
    for (let turn = 1; turn <= 3; turn += 1) {
      await bench.given('agentTokens.list', { path: { agent_pool_id: there } })
      const page = await bench.given('agentTokens.list', { path: { agent_pool_id: here } })
      await bench.decide('AGENT-TOKENS-PAGE-15', () =>
        expect(paginationOf(page)['total-count'], 'total-count of a pool that is listed after another').toBe(count),
      )
      const listed = itemsOf(page).map(({ id }) => id)
      await bench.decide('AGENT-TOKENS-CREATE-05', () =>
        expect(
          alive[there]!.filter((id) => listed.includes(id)),
          'tokens of the pool that was listed before',
        ).toEqual([]),
      )
    }
    let namesake = ''
    await step(['AGENT-TOKENS-CREATE-20', 'AGENT-TOKENS-MODEL-01'], there, 'a creation with a description of its own', async () => {
      namesake = await create(there, description)
    })
    await step(['AGENT-TOKENS-DESTROY-05'], here, 'a destruction', () => destroy(here, first))
    await step(['AGENT-TOKENS-CREATE-20', 'AGENT-TOKENS-MODEL-01'], here, 'a second creation with that description', () =>
      create(here, description),
    )
    await step(['AGENT-TOKENS-DESTROY-05'], there, 'a destruction', () => destroy(there, namesake))
  },
)
