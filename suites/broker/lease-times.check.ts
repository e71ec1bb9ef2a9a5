import { check, type JsonObject } from '../../harness/checks/index.ts'
import { needs, placeFor } from './place.ts'

/** Seconds by which a whole number may fall short of what was asked. */
const ROUNDING = 2

check('broker/lease-ttl', 'BROKER-LEASE-01', 'a lease lasts the configured time', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  await bench.given('broker.writeLease', { body: { ttl: 600, max_ttl: 1200 } })
  const made = await place.credential(await place.role())
  expect(Math.abs(made.duration - 600)).toBeLessThanOrEqual(ROUNDING)
})

check('broker/lease-default', 'BROKER-LEASE-02', 'how long a lease lasts without a configured time', needs(), async ({ bench }) => {
  const place = await placeFor(bench)
  await bench.given('broker.writeLease', { body: { ttl: 0, max_ttl: 0 } })
  bench.observe('BROKER-LEASE-02', (await place.credential(await place.role())).duration)
})

check('broker/lease-max', 'BROKER-LEASE-03', 'no lease outlasts the configured maximum', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const written = await bench.call('broker.writeLease', { body: { ttl: 3600, max_ttl: 300 } })
  if (written.ok) expect((await place.credential(await place.role())).duration).toBeLessThanOrEqual(300)
  else expect(written).toBeRefused()
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
    const renewed = await bench.leases.renew(made.lease, 3600)
    if (renewed.ok) expect(Number((renewed.body as { lease_duration?: number }).lease_duration)).toBeLessThanOrEqual(120)
    else expect(renewed).toBeRefused()
  },
)

check('broker/lease-objects', 'BROKER-LEASE-05', 'an object is no number of seconds', needs(), async ({ bench }) => {
  const bads: JsonObject[] = [
    { ttl: { a: {} }, max_ttl: 600 },
    { ttl: 60, max_ttl: { a: {} } },
  ]
  for (const body of bads)
    await bench.refuses('broker.writeLease', {
      bad: { body },
      good: { body: { ttl: 60, max_ttl: 600 } },
      unchanged: null,
      because: 'no row reads the lease settings',
    })
})
