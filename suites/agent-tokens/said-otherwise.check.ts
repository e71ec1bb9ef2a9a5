/** Create requests that say of the token what is not theirs to say. They may be refused; what is made of those that are not is judged. */
import { type Answer, type Bench, check, type JsonObject, targetNow } from '../../harness/checks/index.ts'
import { allIds, attributesOf, createToken, creatorOf, inPool, placesOf, wholePool } from './fixtures.ts'
import { aPool, otherPool, settled } from './pool.ts'

/** Seconds that clocks and transport may add to the grace period. */
const TOLERANCE = 45

/** A token that a request with more members than the document names made, in all its places; undefined where it was refused. */
const madeWith = async (bench: Bench, pool: string, attributes: JsonObject, data: JsonObject = {}) => {
  const body = { data: { type: 'authentication-tokens', attributes: { description: bench.fresh('token'), ...attributes }, ...data } }
  const answer: Answer = await bench.call('agentTokens.create', { ...inPool(pool, body), invalid: true })
  if (!answer.ok) return undefined
  await settled(bench, pool)
  const id = String(answer.data.id)
  return { id, places: Object.entries(await placesOf(bench, pool, id, answer.data)) }
}

check(
  'agent-tokens/creator-not-chosen',
  'AGENT-TOKENS-FIELD-13',
  'a token is by the user who asked for it, whomever the request names',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const own = creatorOf((await createToken(bench, pool)).answer.data)
    const other = creatorOf((await createToken(bench, pool, { as: bench.named('colleague') })).answer.data)
    if (typeof other !== 'string' || other === own) return bench.blocked('two users are named alike', 'see agent-tokens/creators-differ')
    const member = { 'created-by': { data: { id: other, type: 'users' } } }
    for (const [attributes, data] of [
      [{}, { relationships: member }],
      [{}, member],
      [{ 'created-by': other }, {}],
    ] satisfies [JsonObject, JsonObject][]) {
      const made = await madeWith(bench, pool, attributes, data)
      for (const [place, token] of made?.places ?? []) expect(creatorOf(token), `the creator ${place}`).toBe(own)
    }
  },
)

check(
  'agent-tokens/said-otherwise',
  ['AGENT-TOKENS-CREATE-04', 'AGENT-TOKENS-CREATE-05', 'AGENT-TOKENS-FIELD-08', 'AGENT-TOKENS-FIELD-09'],
  'neither times nor a pool in a request are those of the token',
  async ({ bench, expect }) => {
    const [pool, other] = [await aPool(bench), await otherPool(bench)]
    if (pool === other) bench.blocked('agent-pool and other-agent-pool are the same pool', 'give two pools')
    const long = '2001-02-03T04:05:06.789Z'
    const begun = targetNow(bench)
    const created = await madeWith(bench, pool, { 'created-at': long })
    for (const [place, token] of created?.places ?? []) {
      const createdAt = String(attributesOf(token)['created-at'])
      await bench.decide('AGENT-TOKENS-FIELD-08', () =>
        expect(begun - Date.parse(createdAt) / 1000, `seconds from ${createdAt}, ${place}, to the creation`).toBeLessThan(
          bench.grace / 1000 + TOLERANCE,
        ),
      )
    }
    const used = await madeWith(bench, pool, { 'last-used-at': long })
    for (const [place, token] of used?.places ?? [])
      await bench.decide('AGENT-TOKENS-FIELD-09', () => expect(attributesOf(token)['last-used-at'], `last-used-at ${place}`).toBeNull())
    const placed = await madeWith(bench, pool, {}, { relationships: { 'agent-pool': { data: { id: other, type: 'agent-pools' } } } })
    if (placed === undefined) return
    const [ids, others] = [await allIds(bench, pool), await allIds(bench, other)]
    await bench.decide('AGENT-TOKENS-CREATE-04', () => expect(ids, 'the list of the pool in the path').toContain(placed.id))
    await bench.decide('AGENT-TOKENS-CREATE-05', () => expect(others, 'the list of the pool in the body').not.toContain(placed.id))
  },
)

check(
  'agent-tokens/id-not-chosen',
  ['AGENT-TOKENS-FIELD-15', 'AGENT-TOKENS-CREATE-20', 'AGENT-TOKENS-MODEL-01'],
  'a request that names the id of a token makes another one, and leaves that as it was',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const first = await createToken(bench, pool)
    await settled(bench, pool)
    const before = await wholePool(bench, pool)
    for (const [attributes, data] of [
      [{}, { id: first.id }],
      [{ id: first.id }, {}],
    ] satisfies [JsonObject, JsonObject][]) {
      const made = await madeWith(bench, pool, attributes, data)
      await bench.decide('AGENT-TOKENS-FIELD-15', () => expect(made?.id, 'the id of the new token').not.toBe(first.id))
      if (made !== undefined) await bench.given('agentTokens.destroy', { path: { id: made.id } })
      await settled(bench, pool)
      const after = await wholePool(bench, pool)
      for (const clause of ['AGENT-TOKENS-CREATE-20', 'AGENT-TOKENS-MODEL-01'])
        await bench.decide(clause, () => expect(after, 'the pool once the new token has gone').toEqual(before))
    }
  },
)
