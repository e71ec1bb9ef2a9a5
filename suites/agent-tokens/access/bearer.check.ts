import { type Answer, type Bench, type Caller, check } from '../../../harness/checks/index.ts'
import { attributesOf, createToken, pageQuery, showToken } from '../fixtures.ts'
import { aPool } from '../pool.ts'

const tries = async (bench: Bench, pool: string, id: string, as: Caller): Promise<Answer[]> => [
  await bench.call('agentTokens.list', { path: { agent_pool_id: pool }, as }),
  await bench.call('agentTokens.list', { path: { agent_pool_id: pool }, query: pageQuery(2, 1), as }),
  await showToken(bench, id, as),
]

const statuses = (answers: Answer[]): number[] => answers.map(({ status }) => status)

check(
  'agent-tokens/live-bearer',
  ['AGENT-TOKENS-AUTH-08', 'AGENT-TOKENS-FIELD-10'],
  'a live token is recognised as a bearer, and its use is noted',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const { id, secret } = await createToken(bench, pool)
    if (secret === '') bench.blocked('the create answer has no secret', 'see agent-tokens/create')
    const live = statuses(await tries(bench, pool, id, { name: 'agent', token: secret }))
    const wrong = statuses(await tries(bench, pool, id, 'wrong'))
    const lastUse = async () => attributesOf((await showToken(bench, id)).data)['last-used-at']
    let noted = false
    await bench.decide('AGENT-TOKENS-FIELD-10', () =>
      bench
        .eventually(
          async () => {
            noted = typeof (await lastUse()) === 'string'
            return noted
          },
          { because: 'last-used-at is set after a use' },
        )
        .then(() => expect(noted).toBe(true)),
    )
    await bench.decide('AGENT-TOKENS-AUTH-08', () =>
      expect(noted || JSON.stringify(live) !== JSON.stringify(wrong), `a live token is answered ${live}, an unknown one ${wrong}`).toBe(
        true,
      ),
    )
  },
)

check(
  'agent-tokens/destroyed-bearer',
  'AGENT-TOKENS-SECRET-10',
  'the secret of a destroyed token opens nothing',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const { id, secret, description } = await createToken(bench, pool)
    const witness = await createToken(bench, pool)
    if (secret === '') bench.blocked('the create answer has no secret', 'see agent-tokens/create')
    const agent = { name: 'agent', token: secret }
    // A server may remember a secret that was used.
    await tries(bench, pool, witness.id, agent)
    await bench.given('agentTokens.destroy', { path: { id } })
    // Nor once there is another token of its description.
    await createToken(bench, pool, { description })
    await bench.eventually(
      async () => {
        for (const answer of await tries(bench, pool, witness.id, agent)) expect(answer, 'the secret of a destroyed token').toBeRefused()
      },
      { because: 'a destroyed token no longer works' },
    )
  },
)
