import { type Bench, check, type Json, property } from '../../harness/checks/index.ts'
import { createToken, creation, inPool } from './fixtures.ts'
import { aPool, strangers } from './pool.ts'

const refusesBody = async (bench: Bench, body: Json, status?: number | number[]) => {
  const pool = await aPool(bench)
  return bench.refuses('agentTokens.create', {
    bad: inPool(pool, body),
    control: inPool(pool, creation(bench.fresh('token'))),
    unchanged: () => strangers(bench, pool),
    ...(status === undefined ? {} : { status }),
  })
}

const type = 'authentication-tokens'

/** What is given has to be where the document names it: beside it counts as missing. */
const cases: { name: string; clause: string; title: string; bodies: Json[]; status?: number | number[] }[] = [
  {
    name: 'no-description',
    clause: 'AGENT-TOKENS-CREATE-06',
    title: 'a description is required',
    bodies: [
      { data: { type, attributes: {} } },
      { data: { type, attributes: {}, description: 'x' } },
      { data: { type, attributes: [{ description: 'x' }] } },
    ],
    status: 422,
  },
  {
    name: 'no-attributes',
    clause: 'AGENT-TOKENS-CREATE-07',
    title: 'attributes are required',
    bodies: [{ data: { type } }, { data: { type, description: 'x' } }, { data: { type }, attributes: { description: 'x' } }],
    status: 422,
  },
  {
    name: 'no-data',
    clause: 'AGENT-TOKENS-CREATE-08',
    title: 'data is required',
    bodies: [{}, { type, attributes: { description: 'x' } }, { type, description: 'x' }],
    status: [422, 409, 400],
  },
  {
    name: 'no-type',
    clause: 'AGENT-TOKENS-CREATE-09',
    title: 'the type is required',
    bodies: [
      { data: { attributes: { description: 'x' } } },
      { data: { attributes: { description: 'x', type } } },
      { type, data: { attributes: { description: 'x' } } },
      { data: { type: '', attributes: { description: 'x' } } },
    ],
    status: [422, 409, 400],
  },
  {
    name: 'null-description',
    clause: 'AGENT-TOKENS-CREATE-18',
    title: 'null is not a description',
    bodies: [
      { data: { type, attributes: { description: null } } },
      { data: { type, attributes: { description: null }, description: 'x' } },
    ],
    status: [422, 400],
  },
]

for (const { name, clause, title, bodies, status } of cases) {
  check(`agent-tokens/${name}`, clause, title, async ({ bench, expect }) => {
    for (const body of bench.few(bodies, 2)) expect(await refusesBody(bench, body, status), JSON.stringify(body)).toBeRefused()
  })
}

property(
  'agent-tokens/wrong-type',
  'AGENT-TOKENS-CREATE-10',
  'another type than the stated one is refused',
  {
    runs: [2, 5],
    first: ['users', 'authentication-token', 'authentication_tokens', ' authentication-tokens'],
  },
  ({ fc }) => fc.stringMatching(/^[a-z]{3,10}(-[a-z]{3,10})?$/).filter((word) => word !== type && word !== 'agent-tokens'),
  async ({ bench, expect }, wrong) => {
    expect(await refusesBody(bench, { data: { type: wrong, attributes: { description: bench.fresh('token') } } }, [422, 409])).toBeRefused()
  },
)

property(
  'agent-tokens/description-not-text',
  'AGENT-TOKENS-CREATE-11',
  'a description that is an object or an array is refused',
  { runs: [2, 4], first: [{}, [], ['text'], { text: 'text' }] },
  ({ fc, json }): ReturnType<typeof fc.oneof> =>
    fc.oneof(fc.array(json, { maxLength: 3 }), fc.dictionary(fc.string(), json, { maxKeys: 3 })),
  async ({ bench, expect }, description) => {
    expect(await refusesBody(bench, { data: { type, attributes: { description: description as Json } } }, 422)).toBeRefused()
  },
)

property(
  'agent-tokens/data-not-object',
  'AGENT-TOKENS-CREATE-17',
  'data that is not an object is refused',
  { runs: [2, 4], first: [[], [creation('x').data as Json], 'text', 7] },
  ({ fc, json }): ReturnType<typeof fc.oneof> => fc.oneof(fc.array(json, { maxLength: 3 }), fc.string(), fc.integer()),
  async ({ bench, expect }, data) => {
    expect(await refusesBody(bench, { data: data as Json }, 422)).toBeRefused()
  },
)

check(
  'agent-tokens/not-json',
  ['AGENT-TOKENS-CREATE-13', 'AGENT-TOKENS-CREATE-14'],
  'a body that is not JSON creates nothing and is answered with 400 or 422',
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    for (const rawBody of ['{"data": {"type": "authentication-tokens"', 'description=x', '\u0000', '{"data":}']) {
      const before = await strangers(bench, pool)
      const answer = await bench.call('agentTokens.create', { path: { agent_pool_id: pool }, rawBody, invalid: true })
      const after = await strangers(bench, pool)
      await bench.decide('AGENT-TOKENS-CREATE-13', () => {
        expect(answer).toBeRefused()
        expect(after).toEqual(before)
      })
      await bench.decide('AGENT-TOKENS-CREATE-14', () => expect(answer).toHaveStatus(400, 422))
    }
    await bench.given('agentTokens.create', inPool(pool, creation(bench.fresh('token'))))
  },
)

check('agent-tokens/no-body', 'AGENT-TOKENS-CREATE-15', 'a create request without a body creates nothing', async ({ bench, expect }) => {
  const pool = await aPool(bench)
  const refused = await bench.refuses('agentTokens.create', {
    bad: { path: { agent_pool_id: pool } },
    control: inPool(pool, creation(bench.fresh('token'))),
    unchanged: () => strangers(bench, pool),
    status: [422, 400],
  })
  expect(refused).toBeRefused()
})

check(
  'agent-tokens/created-after-refusals',
  'AGENT-TOKENS-CREATE-01',
  'who was refused creates a token with the next well-formed request',
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    await createToken(bench, pool)
    for (const { bodies } of cases)
      for (const body of bodies) {
        if ((await bench.call('agentTokens.create', { ...inPool(pool, body), invalid: true })).ok) continue
        const answer = await bench.call('agentTokens.create', inPool(pool, creation(bench.fresh('token'))))
        expect(answer, `a well-formed request after ${JSON.stringify(body)}`).toHaveStatus(201)
      }
  },
)
