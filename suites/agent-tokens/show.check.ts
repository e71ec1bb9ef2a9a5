import { asObject, check } from '../../harness/checks/index.ts'
import { createToken, creation, inPool, otherId, showToken } from './fixtures.ts'
import { aPool } from './pool.ts'

check(
  'agent-tokens/show',
  ['AGENT-TOKENS-SHOW-01', 'AGENT-TOKENS-SHOW-02'],
  'show answers 200 with the token asked for',
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const [first, second] = [await createToken(bench, pool), await createToken(bench, pool)]
    for (const { id } of [first, second]) {
      const shown = await showToken(bench, id)
      await bench.decide('AGENT-TOKENS-SHOW-01', () => expect(shown).toHaveStatus(200))
      await bench.decide('AGENT-TOKENS-SHOW-02', () => expect(shown.data.id).toBe(id))
    }
  },
)

check('agent-tokens/show-unknown', 'AGENT-TOKENS-SHOW-03', 'an id that no token has gets 404', async ({ bench, expect }) => {
  const { id } = await createToken(bench, await aPool(bench))
  const refused = await bench.refuses('agentTokens.show', {
    bad: { path: { id: otherId(bench, id) } },
    control: { path: { id } },
    unchanged: null,
    because: 'a read changes nothing',
    status: 404,
  })
  expect(refused).toHaveStatus(404)
})

check(
  'agent-tokens/error-documents',
  ['AGENT-TOKENS-ERROR-03', 'AGENT-TOKENS-ERROR-04'],
  'errors have the members that the convention gives them',
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const refusals = [
      await showToken(bench, otherId(bench, (await createToken(bench, pool)).id)),
      await bench.call('agentTokens.create', { ...inPool(pool, { data: {} }), invalid: true }),
      await bench.call('agentTokens.create', inPool(otherId(bench, pool), creation(bench.fresh('token')))),
    ]
    for (const answer of refusals) {
      const body = asObject(answer.body)
      const errors = (Array.isArray(body.errors) ? body.errors : []).map(asObject)
      await bench.decide('AGENT-TOKENS-ERROR-03', () => {
        const wrong = ['status', 'code', 'title', 'detail', 'id'].filter((member) =>
          errors.some((error) => member in error && typeof error[member] !== 'string'),
        )
        expect(wrong, 'members of an error that are not texts').toEqual([])
        for (const error of errors) if ('status' in error) expect(error.status).toBe(String(answer.status))
      })
      await bench.decide('AGENT-TOKENS-ERROR-04', () => {
        expect(errors.length, 'errors in the document').toBeGreaterThan(0)
        expect('data' in body, 'an error document has data').toBe(false)
      })
    }
  },
)

check('agent-tokens/media-type', 'AGENT-TOKENS-MEDIA-01', 'documents have the media type of the convention', async ({ bench, expect }) => {
  const pool = await aPool(bench)
  const created = await createToken(bench, pool)
  const answers = [
    created.answer,
    await showToken(bench, created.id),
    await bench.call('agentTokens.list', { path: { agent_pool_id: pool } }),
    await showToken(bench, otherId(bench, created.id)),
  ]
  for (const { headers, operation } of answers) {
    expect(headers['content-type']?.split(';')[0]?.trim().toLowerCase(), `media type of ${operation}`).toBe('application/vnd.api+json')
  }
})
