import { check, type JsonObject } from '../../harness/checks/index.ts'
import { allIds, attributesOf, createToken, creation, inPool, otherId, placesOf, showToken } from './fixtures.ts'
import { aPool, otherPool, settled, strangers } from './pool.ts'

check(
  'agent-tokens/create',
  ['AGENT-TOKENS-CREATE-01', 'AGENT-TOKENS-CREATE-02', 'AGENT-TOKENS-SECRET-01', 'AGENT-TOKENS-VERSION-01'],
  'creating answers 201 with the token and its secret',
  async ({ bench, expect }) => {
    const description = bench.fresh('token')
    const answer = await bench.call('agentTokens.create', inPool(await aPool(bench), creation(description)))
    await bench.decide('AGENT-TOKENS-CREATE-01', () => expect(answer).toHaveStatus(201))
    await bench.decide('AGENT-TOKENS-VERSION-01', () => expect(answer, 'the route below /api/v2').toSucceed())
    await bench.decide('AGENT-TOKENS-CREATE-02', () => {
      expect(answer.data.type).toBe('authentication-tokens')
      expect(attributesOf(answer.data).description).toBe(description)
    })
    await bench.decide('AGENT-TOKENS-SECRET-01', () => expect(attributesOf(answer.data).token).toEqual(expect.stringMatching(/./)))
  },
)

check(
  'agent-tokens/created-appears',
  ['AGENT-TOKENS-CREATE-03', 'AGENT-TOKENS-CREATE-04', 'AGENT-TOKENS-CREATE-05'],
  'a created token can be shown and is in the list of its pool only',
  async ({ bench, expect }) => {
    const [pool, other] = [await aPool(bench), await otherPool(bench)]
    if (pool === other) bench.blocked('agent-pool and other-agent-pool are the same pool', 'give two pools')
    const { id } = await createToken(bench, pool)
    const shown = await showToken(bench, id)
    await bench.decide('AGENT-TOKENS-CREATE-03', () => expect(shown.data.id, `show answered ${shown.status}`).toBe(id))
    await bench.decide('AGENT-TOKENS-CREATE-04', () =>
      bench.eventually(async () => expect(await allIds(bench, pool)).toContain(id), { because: 'a created token is listed' }),
    )
    const others = await allIds(bench, other)
    await bench.decide('AGENT-TOKENS-CREATE-05', () => expect(others).not.toContain(id))
  },
)

check(
  'agent-tokens/same-description',
  ['AGENT-TOKENS-CREATE-20', 'AGENT-TOKENS-FIELD-11'],
  'two tokens may have the same description, which the second one shows as it was given',
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const { id, description, answer } = await createToken(bench, pool)
    const second = await bench.call('agentTokens.create', inPool(pool, creation(description)))
    await bench.decide('AGENT-TOKENS-CREATE-20', () => {
      expect(second).toHaveStatus(201)
      expect(second.data.id).not.toBe(id)
    })
    await settled(bench, pool)
    // Whether the first one is still there is advised, too.
    const { data } = second.ok ? second : answer
    const places = Object.entries(await placesOf(bench, pool, String(data.id), data))
    await bench.decide('AGENT-TOKENS-FIELD-11', () => {
      for (const [place, token] of places) expect(attributesOf(token).description, `the description ${place}`).toBe(description)
    })
  },
)

check(
  'agent-tokens/create-unknown-pool',
  ['AGENT-TOKENS-CREATE-19', 'AGENT-TOKENS-LIST-03'],
  'a pool that does not exist takes no tokens, and is not there afterwards',
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const absent = otherId(bench, pool)
    const refused = await bench.refuses('agentTokens.create', {
      bad: inPool(absent, creation(bench.fresh('token'))),
      control: inPool(pool, creation(bench.fresh('token'))),
      unchanged: () => strangers(bench, pool),
      status: 404,
    })
    const again = await bench.call('agentTokens.create', inPool(absent, creation(bench.fresh('token'))))
    const listed = await bench.call('agentTokens.list', { path: { agent_pool_id: absent } })
    await bench.decide('AGENT-TOKENS-CREATE-19', () => {
      expect(refused).toHaveStatus(404)
      expect(again, 'a second time').toHaveStatus(404)
    })
    await bench.decide('AGENT-TOKENS-LIST-03', () => expect(listed, 'the list of a pool in which nothing was created').toHaveStatus(404))
  },
)

const resource = (attributes: JsonObject, more: JsonObject = {}): JsonObject => ({
  data: { type: 'authentication-tokens', ...more, attributes },
})

/** Bodies whose outcome the document leaves open, by clause. */
const OPEN: [name: string, clause: string, title: string, body: (description: string) => JsonObject][] = [
  ['number', 'AGENT-TOKENS-CREATE-12', 'a description that is a number', () => resource({ description: 7 })],
  ['empty', 'AGENT-TOKENS-CREATE-16', 'an empty description', () => resource({ description: '' })],
  [
    'own-id',
    'AGENT-TOKENS-CREATE-22',
    'an id of the caller’s choice',
    (description) => resource({ description }, { id: 'at-chosen0000000000' }),
  ],
  [
    'unknown-attribute',
    'AGENT-TOKENS-CREATE-23',
    'an attribute that nobody knows',
    (description) => resource({ description, colour: 'blue' }),
  ],
  [
    'known-type',
    'AGENT-TOKENS-CREATE-24',
    'the type that known clients send',
    (description) => resource({ description }, { type: 'agent-tokens' }),
  ],
  [
    'type-in-capitals',
    'AGENT-TOKENS-CREATE-27',
    'the stated type in capital letters',
    (description) => resource({ description }, { type: 'AUTHENTICATION-TOKENS' }),
  ],
]

for (const [name, clause, title, body] of OPEN) {
  check(`agent-tokens/create-open-${name}`, clause, `what creation makes of ${title}`, async ({ bench }) => {
    const input = { ...inPool(await aPool(bench), body(bench.fresh('token'))), invalid: true, observing: true }
    bench.observe(clause, (await bench.call('agentTokens.create', input)).status)
  })
}

check('agent-tokens/create-open-values', 'AGENT-TOKENS-CREATE-21', 'whether creation answers where the token is', async ({ bench }) => {
  const created = await bench.given('agentTokens.create', inPool(await aPool(bench), creation(bench.fresh('token'))))
  bench.observe('AGENT-TOKENS-CREATE-21', 'location' in created.headers)
})

check('agent-tokens/create-media-type', 'AGENT-TOKENS-CREATE-26', 'which media types a request body may have', async ({ bench }) => {
  const pool = await aPool(bench)
  const seen: Record<string, number> = {}
  for (const mediaType of ['application/json', 'application/vnd.api+json; charset=utf-8', 'text/plain', '']) {
    const input = { ...inPool(pool, creation(bench.fresh('token'))), headers: { 'Content-Type': mediaType }, observing: true }
    seen[mediaType || 'none'] = (await bench.call('agentTokens.create', input)).status
  }
  bench.observe('AGENT-TOKENS-CREATE-26', seen)
})
