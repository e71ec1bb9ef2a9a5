import { check, type JsonObject, renewsWithin } from '../../../harness/checks/index.ts'
import { needs, placeFor } from '../fixtures.ts'

/** Seconds by which a whole number may fall short of what was asked. */
const ROUNDING = 2

const lasts = (
  id: string,
  clause: string,
  title: string,
  config: JsonObject,
  body: JsonObject,
  seconds: number,
  mount: JsonObject = {},
): void =>
  check(
    `cloudc/lease-${id}`,
    clause,
    title,
    needs({ mounts: { cloudc: { type: 'cloudc', exclusive: true, config: mount } } }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, config)
      const { duration } = await place.key(await place.keyRoleset(), body)
      expect(Math.abs(duration - seconds), `difference from ${seconds} s`).toBeLessThanOrEqual(ROUNDING)
    },
  )

lasts('request', 'CLOUDC-LEASE-02', 'the ttl of the request counts', { ttl: 600, max_ttl: 7200 }, { ttl: '30m' }, 1800)
lasts('request-short', 'CLOUDC-LEASE-02', 'a shorter ttl than the engine’s counts too', { ttl: 600, max_ttl: 7200 }, { ttl: '90s' }, 90)
lasts('engine', 'CLOUDC-LEASE-03', 'else the ttl of the engine', { ttl: 600, max_ttl: 7200 }, {}, 600)
lasts('engine-empty', 'CLOUDC-LEASE-03', 'an empty ttl is none', { ttl: '11m', max_ttl: 7200 }, { ttl: '' }, 660)
lasts('system', 'CLOUDC-LEASE-04', 'else the default of the system', { max_ttl: 7200 }, {}, 1234, {
  defaultLeaseTtl: 1234,
  maxLeaseTtl: 9000,
})

const capped = (
  id: string,
  clause: string,
  title: string,
  config: JsonObject,
  ttl: string,
  maximum: number,
  mount: JsonObject = {},
): void =>
  check(
    `cloudc/lease-${id}`,
    clause,
    title,
    needs({ mounts: { cloudc: { type: 'cloudc', exclusive: true, config: mount } } }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, config)
      const roleset = await place.keyRoleset()
      const answer = await bench.call('cloudc.createKey', { path: { roleset }, body: { ttl } })
      if (answer.ok) expect(place.keyIn(answer).duration).toBeLessThanOrEqual(maximum)
      else expect(answer).toBeRefused()
      expect((await place.key(roleset, { ttl: '60s' })).duration, 'a shorter one').toBeLessThanOrEqual(60)
    },
  )

capped('max', 'CLOUDC-LEASE-05', 'no lease outlasts max_ttl', { ttl: 60, max_ttl: 300 }, '2h', 300)
capped('system-max', 'CLOUDC-LEASE-06', 'no lease outlasts the maximum of the system', { ttl: 60 }, '5h', 400, {
  defaultLeaseTtl: 90,
  maxLeaseTtl: 400,
})

check('cloudc/lease-renew', 'CLOUDC-LEASE-07', 'a renewed key goes on', needs({ features: ['leases'] }), async ({ bench, expect }) => {
  const place = await placeFor(bench, { max_ttl: 7200 })
  const key = await place.key(await place.keyRoleset(), { ttl: '60s' })
  const renewed = await bench.leases.renew(key.lease, 600)
  expect(renewed).toHaveStatus(200)
  const { lease_duration: granted } = renewed.body as { lease_duration?: unknown }
  expect(Number(granted)).toBeGreaterThan(60)
  expect(await place.judge.login(key.file), 'a login').toBeDefined()
})

check(
  'cloudc/lease-renew-max',
  'CLOUDC-LEASE-08',
  'renewal stops at max_ttl',
  needs({ features: ['leases'] }),
  async ({ bench, expect }) => {
    const place = await placeFor(bench, { ttl: 60, max_ttl: 120 })
    const key = await place.key(await place.keyRoleset())
    await renewsWithin({ bench, expect }, key.lease, 120)
  },
)

check(
  'cloudc/lease-revoke',
  ['CLOUDC-LEASE-09', 'CLOUDC-LEASE-11'],
  'a revoked key is gone, the others stay',
  needs({ features: ['leases'] }),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const roleset = await place.keyRoleset()
    const email = await place.email(roleset)
    const keys = [await place.key(roleset), await place.key(roleset), await place.key(roleset)]
    const [first, second, third] = keys as [(typeof keys)[0], (typeof keys)[0], (typeof keys)[0]]
    expect(await place.judge.login(second.file), 'a login before').toBeDefined()
    await bench.leases.revoke(second.lease)
    await bench.decide('CLOUDC-LEASE-09', async () => {
      await bench.eventually(async () => expect(await place.keyIds(email)).not.toContain(second.facts.keyId))
      await bench.eventually(async () => (await place.judge.login(second.file)) === undefined)
    })
    await bench.decide('CLOUDC-LEASE-11', async () => {
      expect((await place.keyIds(email))?.sort()).toEqual([first.facts.keyId, third.facts.keyId].sort())
      for (const { file } of [first, third]) expect(await place.judge.login(file)).toBeDefined()
      expect((await place.read(roleset)).data.service_account_email, 'the account').toBe(email)
    })
  },
)

check('cloudc/lease-expiry', ['CLOUDC-LEASE-10', 'CLOUDC-LEASE-11'], 'a key ends with its time', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const roleset = await place.keyRoleset()
  const [short, long] = [await place.key(roleset, { ttl: '3s' }), await place.key(roleset, { ttl: '10m' })]
  await bench.decide('CLOUDC-LEASE-10', () =>
    bench.eventually(async () => expect(await place.keyIds(short.facts.email)).not.toContain(short.facts.keyId), {
      within: 3000 + bench.grace,
      every: 500,
    }),
  )
  await bench.decide('CLOUDC-LEASE-11', async () => expect(await place.judge.login(long.file)).toBeDefined())
})
