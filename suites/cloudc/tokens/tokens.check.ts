import { type Answer, check, targetNow } from '../../../harness/checks/index.ts'
import { FOURTH_SCOPE, needs, OTHER_SCOPE, placeFor, SCOPE, THIRD_SCOPE } from '../fixtures.ts'

const HOUR = 3600
/** Least that is left of it at issue. */
const LEAST = 3300
/** Seconds between the answer and the look at our clock. */
const SLACK = 30

const leased = (answer: Answer): unknown => {
  const { lease_id, lease_duration, renewable } = answer.body as Record<string, unknown>
  return { lease_id, lease_duration, renewable }
}

for (const [id, operation, clause] of [
  ['get', 'cloudc.readToken', 'CLOUDC-TOK-01'],
  ['post', 'cloudc.createToken', 'CLOUDC-TOK-02'],
] as const)
  check(
    `cloudc/token-${id}`,
    [clause, 'CLOUDC-TOK-03', 'CLOUDC-TOK-04', 'CLOUDC-TOK-05', 'CLOUDC-TOK-06', 'CLOUDC-TOK-07', 'CLOUDC-TOK-09'],
    'a token is one of the account, with its scopes, for an hour',
    needs(),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, { ttl: 60, max_ttl: 120 })
      for (const token_scopes of [[SCOPE], [OTHER_SCOPE, SCOPE], [FOURTH_SCOPE, OTHER_SCOPE, SCOPE, THIRD_SCOPE]]) {
        const roleset = await place.roleset({ token_scopes })
        const answer = await bench.call(operation, { path: { roleset } })
        await bench.decide(clause, () => expect(answer).toHaveStatus(200))
        const { token, expires_at_seconds: end, token_ttl: ttl } = answer.data as Record<string, number | string>
        const info = await place.judge.tokenInfo(String(token))
        await bench.decide('CLOUDC-TOK-03', () => expect(info, 'what the provider says').toBeDefined())
        await bench.decide('CLOUDC-TOK-04', () => expect(info?.scopes).toEqual([...token_scopes].sort()))
        await bench.decide('CLOUDC-TOK-05', async () => expect(info?.email).toBe(await place.email(roleset)))
        await bench.decide('CLOUDC-TOK-06', () => {
          expect(ttl).toBeLessThanOrEqual(HOUR)
          expect(ttl).toBeGreaterThanOrEqual(LEAST)
        })
        await bench.decide('CLOUDC-TOK-07', () => {
          expect(Math.abs(Number(end) - targetNow(bench) - Number(ttl)), 'end, less now, less time to live').toBeLessThanOrEqual(SLACK)
          expect(Math.abs(Number(end) - (info?.expiresAt ?? 0) - bench.clockSkew), 'end as the provider says').toBeLessThanOrEqual(SLACK)
        })
        await bench.decide('CLOUDC-TOK-09', () => expect(leased(answer)).toEqual({ lease_id: '', lease_duration: 0, renewable: false }))
      }
    },
  )

check('cloudc/token-again', 'CLOUDC-TOK-12', 'whether a second token is another one', needs(), async ({ bench }) => {
  const place = await placeFor(bench)
  const roleset = await place.roleset()
  const [first, second] = [await place.token(roleset), await place.token(roleset)]
  bench.observe('CLOUDC-TOK-12', { again: first.data.token === second.data.token ? 'the same' : 'another' })
})

check('cloudc/token-engine-ttl', 'CLOUDC-TOK-08', 'the TTLs of the engine have no say', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench, { ttl: 60, max_ttl: 120 })
  for (const config of [
    { ttl: 60, max_ttl: 120 },
    { ttl: '5h', max_ttl: '9h' },
  ]) {
    await bench.given('cloudc.writeConfig', { body: { credentials: place.cloud.credentials, ...config } })
    const { data } = await place.token(await place.roleset())
    expect(data.token_ttl).toBeGreaterThanOrEqual(LEAST)
    expect(data.token_ttl).toBeLessThanOrEqual(HOUR)
    const info = await place.judge.tokenInfo(String(data.token))
    expect((info?.expiresAt ?? 0) - Date.now() / 1000, 'seconds that the provider leaves it').toBeGreaterThanOrEqual(LEAST)
  }
})

check(
  'cloudc/token-mount-ttl',
  'CLOUDC-TOK-14',
  'the lease times of the mount have no say',
  needs({ mounts: { cloudc: { type: 'cloudc', exclusive: true, config: { defaultLeaseTtl: 90, maxLeaseTtl: 300 } } } }),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const { data } = await place.token(await place.roleset())
    expect(data.token_ttl).toBeGreaterThanOrEqual(LEAST)
  },
)

check('cloudc/token-shape', 'CLOUDC-TOK-13', 'types of a token’s members', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const { data } = await place.token(await place.roleset())
  expect(typeof data.token).toBe('string')
  expect([Number.isInteger(data.expires_at_seconds), Number.isInteger(data.token_ttl)], 'integers').toEqual([true, true])
})

check('cloudc/token-type', 'CLOUDC-TOK-10', 'a roleset for keys gives no token', needs(), async ({ bench }) => {
  const place = await placeFor(bench)
  const [keys, tokens] = [await place.keyRoleset(), await place.roleset()]
  for (const operation of ['cloudc.readToken', 'cloudc.createToken'])
    await bench.refuses(operation, {
      bad: { path: { roleset: keys } },
      control: { path: { roleset: tokens } },
      unchanged: async () => (await place.read(keys)).data,
    })
})

check('cloudc/token-unknown', 'CLOUDC-TOK-11', 'an unknown roleset gives no token', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  await place.roleset()
  for (const operation of ['cloudc.readToken', 'cloudc.createToken'])
    expect(await bench.call(operation, { path: { roleset: bench.fresh('unknown') } })).toHaveStatus(400, 404)
})
