import { check, endsOnceRenewed, type JsonObject, renewsWithin } from '../../harness/checks/index.ts'
import { needs, placeFor } from './fixtures.ts'

/** Seconds by which a whole number may fall short of what was asked. */
const ROUNDING = 2

check('broker/lease-ttl', 'BROKER-LEASE-01', 'a lease lasts the configured time', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const role = await place.role()
  // Below the maximum, just below it, at it, and with no maximum given.
  const settings: (JsonObject & { ttl: number })[] = [
    { ttl: 600, max_ttl: 1200 },
    { ttl: 599, max_ttl: 600 },
    { ttl: 600, max_ttl: 600 },
    { ttl: 61 },
    { ttl: 120, max_ttl: 3600 },
    // Each setting counts as it was written last: a maximum that was lower, and is raised.
    { ttl: 60, max_ttl: 90 },
    { ttl: 3000, max_ttl: 3600 },
    // As short as a time can be that is one.
    { ttl: 1, max_ttl: 60 },
  ]
  for (const [index, body] of settings.entries()) {
    const written = await bench.call('broker.writeLease', { body, method: index % 2 === 0 ? 'POST' : 'PUT' })
    expect(written, `lease settings ${JSON.stringify(body)}`).toSucceed()
    const { duration } = await place.credential(role)
    expect(Math.abs(duration - body.ttl), `seconds from what ${JSON.stringify(body)} says`).toBeLessThanOrEqual(ROUNDING)
  }
})

check('broker/lease-by-bearer', 'BROKER-CREDS-03', 'either carrier of a token is given the lease', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  await bench.given('broker.writeLease', { body: { ttl: 600, max_ttl: 1200 } })
  const path = { name: await place.role() }
  for (const carrier of ['bearer', 'token'] as const) {
    const { lease, duration } = place.keep(await bench.given('broker.readCreds', { path, carrier }))
    expect(lease, `the lease by ${carrier}`).toMatch(/./)
    expect(Math.abs(duration - 600), `seconds of the lease by ${carrier}, off 600`).toBeLessThanOrEqual(ROUNDING)
  }
})

check(
  'broker/lease-default',
  ['BROKER-LEASE-02', 'BROKER-LEASE-06'],
  'how long a lease lasts without a configured time, and without a maximum',
  needs(),
  async ({ bench }) => {
    const place = await placeFor(bench)
    const role = await place.role()
    await bench.given('broker.writeLease', { body: { ttl: 0, max_ttl: 0 } })
    bench.observe('BROKER-LEASE-02', (await place.credential(role)).duration)
    await bench.given('broker.writeLease', { body: { ttl: 600, max_ttl: 0 } })
    bench.observe('BROKER-LEASE-06', (await place.credential(role)).duration)
  },
)

/** Seconds by which leases may differ that a token beside them cuts short, far fewer than what was set before would make. */
const ALIKE = 25

check(
  'broker/lease-zero',
  'BROKER-CREDS-10',
  'whatever 0 stands for, it leaves nothing in force of what was set before',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const role = await place.role()
    const befores = [
      { ttl: 1800, max_ttl: 3600 },
      { ttl: 60, max_ttl: 90 },
    ]
    for (const body of [
      { ttl: 300, max_ttl: 0 },
      { ttl: 0, max_ttl: 0 },
      { ttl: 0, max_ttl: 900 },
    ]) {
      const lasts: number[] = []
      for (const before of befores) {
        await bench.given('broker.writeLease', { body: before })
        // Which settings go together is for the server to say.
        if ((await bench.call('broker.writeLease', { body })).ok) lasts.push((await place.credential(role)).duration)
      }
      if (lasts.length < befores.length) bench.observe('BROKER-CREDS-10', `${JSON.stringify(body)} is refused`)
      else
        expect(
          Math.abs(lasts[0]! - lasts[1]!),
          `seconds between leases of ${lasts.join(' and ')} under ${JSON.stringify(body)}`,
        ).toBeLessThan(ALIKE)
    }
  },
)

const MAX = ['BROKER-LEASE-03', 'BROKER-LEASE-07']

check('broker/lease-max', MAX, 'no lease outlasts the configured maximum', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  // Above the maximum, with none given, and with the one that stands for the system's own; and a maximum of a moment.
  const settings: (JsonObject & { max_ttl: number })[] = [
    { ttl: 3600, max_ttl: 300 },
    { max_ttl: 300 },
    { ttl: 0, max_ttl: 300 },
    { ttl: 3600, max_ttl: 2 },
  ]
  for (const body of settings) {
    const written = await bench.call('broker.writeLease', { body })
    const asked = written.ok ? await bench.call('broker.readCreds', { path: { name: await place.role() } }) : undefined
    await bench.decide('BROKER-LEASE-03', () => {
      if (asked?.ok) expect(place.keep(asked).duration, `seconds under ${JSON.stringify(body)}`).toBeLessThanOrEqual(body.max_ttl)
      else expect(asked ?? written).toBeRefused()
    })
  }
  for (const body of [{ max_ttl: 300 }, { ttl: 60 }] as JsonObject[]) {
    const written = await bench.call('broker.writeLease', { body })
    await bench.decide('BROKER-LEASE-07', () => expect(written, `lease settings ${JSON.stringify(body)}`).toSucceed())
  }
})

check(
  'broker/lease-renewal',
  'BROKER-LEASE-04',
  'renewal stops at the configured maximum',
  needs({ features: ['leases'] }),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    await bench.given('broker.writeLease', { body: { ttl: 60, max_ttl: 120 } })
    const made = await place.credential(await place.role())
    await renewsWithin({ bench, expect }, made.lease, 120)
  },
)

check(
  'broker/lease-renewed',
  'BROKER-CREDS-10',
  'the user of a renewed lease outlives the end that the lease had at first',
  needs({ features: ['leases'] }),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    await bench.given('broker.writeLease', { body: { ttl: 5, max_ttl: 120 } })
    const role = await place.role()
    // The one that is not prolonged was made later, and shows when the first end has passed.
    const [renewed, left] = [await place.credential(role), await place.credential(role)]
    const { ok, body } = await bench.leases.renew(renewed.lease, 60)
    const { lease_duration: granted } = (body ?? {}) as { lease_duration?: unknown }
    // How long a renewal lasts is for the server to say: one that ends with the lease beside it shows nothing.
    if (!ok || !(Number(granted) > 30)) return bench.observe('BROKER-CREDS-10', `renewed for ${granted ?? 'no'} seconds`)
    await bench.eventually(async () => expect(await place.login(left), 'the user of the lease beside it').toBe(false), {
      within: 15_000 + bench.grace,
      because: 'its lease of five seconds has ended',
    })
    expect(await place.login(renewed), 'the user of the renewed lease').toBe(true)
  },
)

check(
  'broker/lease-renewed-end',
  'BROKER-CREDS-05',
  'the user of a renewed lease ends with it',
  needs({ features: ['leases'] }),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    await bench.given('broker.writeLease', { body: { ttl: 50, max_ttl: 120 } })
    const made = await place.credential(await place.role())
    await endsOnceRenewed({ bench, expect }, made.lease, () => place.login(made))
  },
)

check('broker/lease-objects', 'BROKER-LEASE-05', 'an object is not a number of seconds', needs(), async ({ bench }) => {
  const bads: JsonObject[] = [
    { ttl: { a: {} }, max_ttl: 600 },
    { ttl: 60, max_ttl: { a: {} } },
  ]
  for (const body of bads)
    await bench.refuses('broker.writeLease', {
      bad: { body },
      control: { body: { ttl: 60, max_ttl: 600 } },
      unchanged: null,
      because: 'no row reads the lease settings',
    })
})
