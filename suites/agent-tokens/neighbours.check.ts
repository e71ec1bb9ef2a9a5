import { type Bench, check, type JsonObject } from '../../harness/checks/index.ts'
import { allIds, attributesOf, type Created, createToken, creation, inPool, placesOf, showToken, wholePool, without } from './fixtures.ts'
import { aPool, settled } from './pool.ts'

/** A token with a description that the pool has already; with one of its own where that is refused. */
const createAlike = async (bench: Bench, pool: string, description: string): Promise<Created> => {
  const answer = await bench.call('agentTokens.create', inPool(pool, creation(description)))
  if (!answer.ok) return createToken(bench, pool)
  const { token } = attributesOf(answer.data)
  return { id: String(answer.data.id), secret: typeof token === 'string' ? token : '', description, answer }
}

/** A pool with three tokens, the first two of the same description, all of them in its list. */
const alikes = async (bench: Bench) => {
  const pool = await aPool(bench)
  const first = await createToken(bench, pool)
  const [second, third] = [await createAlike(bench, pool, first.description), await createToken(bench, pool)]
  await settled(bench, pool)
  return { pool, first, second, third }
}

check(
  'agent-tokens/create-neighbours',
  ['AGENT-TOKENS-CREATE-20', 'AGENT-TOKENS-MODEL-01'],
  'a token with a description that the pool has already changes no other token, by any route',
  async ({ bench, expect }) => {
    const { pool, first } = await alikes(bench)
    const before = await wholePool(bench, pool)
    const { id } = await createAlike(bench, pool, first.description)
    await settled(bench, pool)
    const after = without(await wholePool(bench, pool), id)
    for (const clause of ['AGENT-TOKENS-MODEL-01', 'AGENT-TOKENS-CREATE-20'])
      await bench.decide(clause, () => expect(after).toEqual(before))
  },
)

check(
  'agent-tokens/destroy-neighbours',
  ['AGENT-TOKENS-DESTROY-01', 'AGENT-TOKENS-DESTROY-02', 'AGENT-TOKENS-DESTROY-05'],
  'a destruction changes no other token by any route, not even one of the same description',
  async ({ bench, expect }) => {
    const { pool, first, second, third } = await alikes(bench)
    // Root destroys it, no matter who made it.
    const fourth = await createToken(bench, pool, { as: bench.named('colleague') })
    await settled(bench, pool)
    // One between others, then the newest, then the oldest, then the only one that is left.
    for (const { id } of [second, fourth, first, third]) {
      const before = await wholePool(bench, pool)
      const destroyed = await bench.call('agentTokens.destroy', { path: { id } })
      const shown = await showToken(bench, id)
      await bench.decide('AGENT-TOKENS-DESTROY-01', () => expect(destroyed, 'one destruction after another').toHaveStatus(204))
      await bench.decide('AGENT-TOKENS-DESTROY-02', () => expect(shown, 'a token that was shown before it was destroyed').toHaveStatus(404))
      await settled(bench, pool)
      const after = await wholePool(bench, pool)
      await bench.decide('AGENT-TOKENS-DESTROY-05', () => expect(after).toEqual(without(before, id)))
    }
  },
)

check(
  'agent-tokens/description-again',
  [
    'AGENT-TOKENS-DESTROY-02',
    'AGENT-TOKENS-DESTROY-04',
    'AGENT-TOKENS-FIELD-08',
    'AGENT-TOKENS-FIELD-11',
    'AGENT-TOKENS-FIELD-15',
    'AGENT-TOKENS-LIST-04',
    'AGENT-TOKENS-SECRET-07',
  ],
  'a token with the description of a destroyed one is another token, and the destroyed one stays gone',
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const first = await createToken(bench, pool)
    await bench.given('agentTokens.show', { path: { id: first.id } })
    await bench.given('agentTokens.destroy', { path: { id: first.id } })
    // So that times in whole seconds differ, too.
    const until = Date.now() + 1_100
    await bench.eventually(async () => Date.now() > until, { within: 5_000, because: 'a second has passed' })
    const second = await createToken(bench, pool, { description: first.description })
    await settled(bench, pool)
    const [ids, shown] = [await allIds(bench, pool), await showToken(bench, first.id)]
    await bench.decide('AGENT-TOKENS-FIELD-15', () => expect(second.id).not.toBe(first.id))
    await bench.decide('AGENT-TOKENS-SECRET-07', () => expect(second.secret !== '' && second.secret === first.secret).toBe(false))
    await bench.decide('AGENT-TOKENS-LIST-04', () => expect(ids, 'the list after the second creation').not.toContain(first.id))
    await bench.decide('AGENT-TOKENS-DESTROY-02', () => expect(shown, 'the destroyed token after the second creation').toHaveStatus(404))
    const places = Object.entries(await placesOf(bench, pool, second.id, second.answer.data))
    const made = (token: JsonObject) => Date.parse(String(attributesOf(token)['created-at']))
    await bench.decide('AGENT-TOKENS-FIELD-08', () => {
      for (const [place, token] of places) expect(made(token), `created-at ${place}`).toBeGreaterThan(made(first.answer.data))
    })
    await bench.decide('AGENT-TOKENS-FIELD-11', () => {
      for (const [place, token] of places) expect(attributesOf(token).description, `the description ${place}`).toBe(first.description)
    })
    const again = await bench.call('agentTokens.destroy', { path: { id: first.id } })
    await bench.decide('AGENT-TOKENS-DESTROY-04', () => expect(again, 'the destroyed token destroyed once more').toHaveStatus(404))
  },
)

check(
  'agent-tokens/use-neighbours',
  ['AGENT-TOKENS-FIELD-09', 'AGENT-TOKENS-FIELD-11', 'AGENT-TOKENS-FIELD-12', 'AGENT-TOKENS-FIELD-14'],
  'the use of a token moves its own last-used-at at most',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const { pool, second } = await alikes(bench)
    if (second.secret === '') bench.blocked('the create answer has no secret', 'see agent-tokens/create')
    const before = await wholePool(bench, pool)
    const as = { name: 'agent', token: second.secret }
    await bench.call('agentTokens.list', { path: { agent_pool_id: pool }, as })
    await showToken(bench, second.id, as)
    const after = await wholePool(bench, pool)
    const members = (seen: typeof before, name: string) =>
      Object.fromEntries(Object.entries(seen).map(([place, token]) => [place, token[name] ?? null]))
    for (const [clause, member] of [
      ['AGENT-TOKENS-FIELD-11', 'description'],
      ['AGENT-TOKENS-FIELD-12', 'created-by'],
      ['AGENT-TOKENS-FIELD-14', 'created-at'],
    ] as const) {
      await bench.decide(clause, () => expect(members(after, member), `${member} after a use`).toEqual(members(before, member)))
    }
    const lastUses = (seen: typeof before) => members(without(seen, second.id), 'last-used-at')
    await bench.decide('AGENT-TOKENS-FIELD-09', () => expect(lastUses(after), 'last-used-at of the other tokens').toEqual(lastUses(before)))
    const later = await createToken(bench, pool)
    await settled(bench, pool)
    const places = Object.entries(await placesOf(bench, pool, later.id, later.answer.data))
    await bench.decide('AGENT-TOKENS-FIELD-09', () => {
      for (const [place, token] of places)
        expect(attributesOf(token)['last-used-at'], `last-used-at of a token made after the use of another, ${place}`).toBeNull()
    })
  },
)
