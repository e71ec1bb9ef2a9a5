import { type CheckContext, check, comesToHold, type JsonObject, renewsWithin } from '../../../harness/checks/index.ts'
import { needs, type Place, placeFor } from '../fixtures.ts'

/** Seconds by which a whole number may fall short of what was asked. */
const ROUNDING = 2

interface Timing {
  clause: string
  title: string
  /** What the engine is configured with. */
  config: JsonObject
  /** What the mount is tuned to. */
  mount?: JsonObject
}

/** A check of how long keys live, on a mount of its own. */
const timed = (
  id: string,
  { clause, title, config, mount = {} }: Timing,
  judge: (context: CheckContext, place: Place) => Promise<void>,
): void =>
  check(
    `cloudc/lease-${id}`,
    clause,
    title,
    needs({ mounts: { cloudc: { type: 'cloudc', exclusive: true, config: mount } } }),
    async (context) => judge(context, await placeFor(context.bench, config)),
  )

/** A key that is asked for with this body lives so many seconds. */
const lasts = (id: string, timing: Timing, body: JsonObject, seconds: number): void =>
  timed(id, timing, async ({ expect }, place) => {
    const { duration } = await place.key(await place.keyRoleset(), body)
    expect(Math.abs(duration - seconds), `difference from ${seconds} s`).toBeLessThanOrEqual(ROUNDING)
  })

const CONFIG = { ttl: 600, max_ttl: 7200 }
const REQUEST = { clause: 'CLOUDC-LEASE-02', config: CONFIG }
const ENGINE = { clause: 'CLOUDC-LEASE-03', title: 'else the ttl of the engine', config: CONFIG }
const SYSTEM = { clause: 'CLOUDC-LEASE-04', title: 'else the default of the system', config: { max_ttl: 7200 } }

lasts('request', { ...REQUEST, title: 'the ttl of the request counts' }, { ttl: '30m' }, 1800)
lasts('request-short', { ...REQUEST, title: 'a shorter ttl than the engine’s counts too' }, { ttl: '90s' }, 90)
lasts('engine', ENGINE, {}, 600)
lasts('engine-empty', { ...ENGINE, title: 'an empty ttl is none', config: { ttl: '11m', max_ttl: 7200 } }, { ttl: '' }, 660)
lasts('system', { ...SYSTEM, mount: { defaultLeaseTtl: 1234, maxLeaseTtl: 9000 } }, {}, 1234)

lasts('request-at-max', { ...REQUEST, title: 'a ttl that is the maximum of the engine counts' }, { ttl: '2h' }, 7200)
lasts(
  'request-at-system-max',
  { ...REQUEST, title: 'a ttl that is the maximum of the system counts', config: {}, mount: { defaultLeaseTtl: 90, maxLeaseTtl: 4000 } },
  { ttl: '4000s' },
  4000,
)
lasts(
  'request-without-max',
  { ...REQUEST, title: 'the ttl of the engine is no maximum', config: { ttl: 300 }, mount: { defaultLeaseTtl: 60, maxLeaseTtl: 9000 } },
  { ttl: '30m' },
  1800,
)
lasts('engine-at-max', { ...ENGINE, title: 'a ttl of the engine that is its maximum counts', config: { ttl: 900, max_ttl: 900 } }, {}, 900)

check('cloudc/lease-put', 'CLOUDC-LEASE-02', 'the ttl of a request counts in a PUT, too', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench, CONFIG)
  const roleset = await place.keyRoleset()
  for (const [ttl, seconds] of [
    ['90s', 90],
    ['30m', 1800],
  ] as const) {
    const answer = await bench.call('cloudc.createKey', { path: { roleset }, body: { ttl }, method: 'PUT' })
    expect(answer).toHaveStatus(200)
    expect(Math.abs(place.keyIn(answer).duration - seconds), `difference from ${seconds} s`).toBeLessThanOrEqual(ROUNDING)
  }
})

check(
  'cloudc/lease-reconfigured',
  ['CLOUDC-LEASE-03', 'CLOUDC-LEASE-05'],
  'a key follows the configuration as it is when the key is issued',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const roleset = await place.keyRoleset()
    for (const [ttl, max_ttl] of [
      [600, 7200],
      [900, 1200],
      [300, 3600],
    ] as const) {
      await bench.given('cloudc.writeConfig', { body: { credentials: place.cloud.credentials, ttl, max_ttl } })
      const { duration } = await place.key(roleset)
      await bench.decide('CLOUDC-LEASE-03', () =>
        expect(Math.abs(duration - ttl), `difference from ${ttl} s`).toBeLessThanOrEqual(ROUNDING),
      )
      const longer = await bench.call('cloudc.createKey', { path: { roleset }, body: { ttl: `${max_ttl + 600}s` } })
      await bench.decide('CLOUDC-LEASE-05', () => {
        if (longer.ok) expect(place.keyIn(longer).duration, 'one for longer than max_ttl').toBeLessThanOrEqual(max_ttl)
        else expect(longer).toBeRefused()
      })
    }
  },
)

/** A key that is asked for with this ttl is refused, or lives so many seconds at most; a shorter one is given. */
const capped = (id: string, timing: Timing, ttl: string, maximum: number): void =>
  timed(id, timing, async ({ bench, expect }, place) => {
    const roleset = await place.keyRoleset()
    const answer = await bench.call('cloudc.createKey', { path: { roleset }, body: { ttl } })
    if (answer.ok) expect(place.keyIn(answer).duration).toBeLessThanOrEqual(maximum)
    else expect(answer).toBeRefused()
    expect((await place.key(roleset, { ttl: '60s' })).duration, 'a shorter one').toBeLessThanOrEqual(60)
  })

const MAXIMUM = { clause: 'CLOUDC-LEASE-05', title: 'no lease outlasts max_ttl', config: { ttl: 60, max_ttl: 300 } }
const OF_SYSTEM = { clause: 'CLOUDC-LEASE-06', title: 'no lease outlasts the maximum of the system', config: { ttl: 60 } }

capped('max', MAXIMUM, '2h', 300)
capped('system-max', { ...OF_SYSTEM, mount: { defaultLeaseTtl: 90, maxLeaseTtl: 400 } }, '5h', 400)

check('cloudc/lease-renew', 'CLOUDC-LEASE-07', 'a renewed key goes on', needs({ features: ['leases'] }), async ({ bench, expect }) => {
  const place = await placeFor(bench, { max_ttl: 7200 })
  const key = await place.key(await place.keyRoleset(), { ttl: '60s' })
  const renewed = await bench.leases.renew(key.lease, 600)
  expect(renewed).toHaveStatus(200)
  const { lease_duration: granted } = renewed.body as { lease_duration?: unknown }
  expect(Number(granted)).toBeGreaterThan(60)
  await place.logsIn(key, 'the key')
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
    await place.logsIn(second, 'the key before')
    await bench.leases.revoke(second.lease)
    await bench.decide('CLOUDC-LEASE-09', async () => {
      await bench.eventually(async () => expect(await place.keyIds(email)).not.toContain(second.facts.keyId))
      await bench.eventually(async () => (await place.judge.login(second.file)) === undefined)
    })
    await bench.decide('CLOUDC-LEASE-11', async () => {
      const others = [first.facts.keyId, third.facts.keyId].sort()
      await bench.eventually(async () => expect((await place.keyIds(email))?.sort()).toEqual(others))
      for (const key of [first, third]) await place.logsIn(key, 'another key')
      expect((await place.read(roleset)).data.service_account_email, 'the account').toBe(email)
    })
  },
)

check('cloudc/lease-expiry', ['CLOUDC-LEASE-10', 'CLOUDC-LEASE-11'], 'a key ends with its time', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const roleset = await place.keyRoleset()
  const [short, long] = [await place.key(roleset, { ttl: '3s' }), await place.key(roleset, { ttl: '10m' })]
  // A provider that shows changes late has shown both once it shows the later one.
  await comesToHold(bench, async () => (await place.keyIds(short.facts.email))?.includes(long.facts.keyId) === true)
  await bench.decide('CLOUDC-LEASE-10', () =>
    bench.eventually(async () => expect(await place.keyIds(short.facts.email)).not.toContain(short.facts.keyId), {
      within: 3000 + bench.grace,
      every: 500,
    }),
  )
  await bench.decide('CLOUDC-LEASE-11', () => place.logsIn(long, 'the longer one'))
})

check(
  'cloudc/lease-renewed-expiry',
  'CLOUDC-LEASE-10',
  'a key that was renewed ends with its new time',
  needs({ features: ['leases'] }),
  async ({ bench, expect }) => {
    const place = await placeFor(bench, { max_ttl: 7200 })
    const key = await place.key(await place.keyRoleset(), { ttl: '60s' })
    const { email, keyId } = key.facts
    await comesToHold(bench, async () => (await place.keyIds(email))?.includes(keyId) === true)
    const { body } = await bench.leases.renew(key.lease, 5)
    const granted = Number((body as { lease_duration?: unknown }).lease_duration)
    if (!(granted <= 60)) bench.blocked('a renewal by five seconds gave no time that ends soon', 'see CLOUDC-LEASE-07 first')
    await bench.eventually(async () => expect(await place.keyIds(email)).not.toContain(keyId), {
      within: granted * 1000 + bench.grace,
      every: 500,
    })
  },
)
