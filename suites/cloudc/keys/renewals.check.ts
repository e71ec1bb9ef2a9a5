/** How leases of keys go on and end. */
import { check, comesToHold, endsOnceRenewed, renewsWithin } from '../../../harness/checks/index.ts'
import { type Key, needs, type Place, placeFor, rightsFor } from '../fixtures.ts'

/** So long that its milliseconds are more than a signed number of 32 bits holds, as many timers do; well within the maximum that is configured with it. */
const VERY_LONG = { ttl: '700h', seconds: 2_520_000, max_ttl: '720h' }

/** Seconds that no answer may fall below for its key to be one that must be there at the end of a check. */
const OUTLIVING = 600

/** Whether the provider shows a key. */
const isThere = async (place: Place, { facts }: Key): Promise<boolean> => (await place.keyIds(facts.email))?.includes(facts.keyId) === true

check('cloudc/lease-renew', 'CLOUDC-LEASE-07', 'a renewed key goes on', needs({ features: ['leases'] }), async ({ bench, expect }) => {
  const place = await placeFor(bench, { max_ttl: 7200 })
  const key = await place.key(await place.keyRoleset(), { ttl: '60s' })
  for (const turn of ['first', 'second', 'third']) {
    const renewed = await bench.leases.renew(key.lease, 600)
    expect(renewed, `the ${turn} renewal`).toHaveStatus(200)
    const { lease_duration: granted } = renewed.body as { lease_duration?: unknown }
    expect(Number(granted), `seconds by the ${turn} renewal`).toBeGreaterThan(60)
  }
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
  ['CLOUDC-LEASE-09', 'CLOUDC-LEASE-11', 'CLOUDC-MODEL-01', 'CLOUDC-KEY-04'],
  'a revoked key is gone, the others stay, and so does what the account may do',
  needs({ features: ['leases'] }),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const roleset = await place.keyRoleset()
    const email = await place.email(roleset)
    const byGet = async () => place.keyIn(await bench.given('cloudc.readKey', { path: { roleset } }))
    const keys = [await place.key(roleset), await place.key(roleset), await byGet(), await byGet()]
    for (const key of keys) await place.logsIn(key, 'a key before')
    const rights = rightsFor({ [place.resources.project]: ['roles/viewer'] })
    await bench.decide('CLOUDC-MODEL-01', () =>
      bench.eventually(async () => expect(await place.rights(email), 'rights with all keys').toEqual(rights)),
    )
    // One by one, in another order than they were issued in: of either verb one that stays longer, and one that is renewed first.
    const renewed = keys[3]!
    await bench.leases.renew(renewed.lease, 900)
    for (const [count, key] of [keys[1]!, keys[2]!, renewed, keys[0]!].entries()) {
      await bench.leases.revoke(key.lease)
      await bench.decide('CLOUDC-LEASE-09', async () => {
        await bench.eventually(async () => expect(await place.keyIds(email)).not.toContain(key.facts.keyId))
        await bench.eventually(async () => (await place.judge.login(key.file)) === undefined)
      })
      const left = [keys[2]!, renewed, keys[0]!].slice(count)
      await bench.decide('CLOUDC-LEASE-11', async () => {
        await bench.eventually(async () => expect((await place.keyIds(email))?.sort()).toEqual(left.map(({ facts }) => facts.keyId).sort()))
        for (const other of left) await place.logsIn(other, 'another key')
        expect((await place.read(roleset)).data.service_account_email, 'the account').toBe(email)
      })
      await bench.decide('CLOUDC-MODEL-01', async () => expect(await place.rights(email), 'rights after a revocation').toEqual(rights))
    }
    // Keys that come later have nothing of those that ended.
    for (const operation of ['cloudc.readKey', 'cloudc.createKey']) {
      const answer = await bench.call(operation, { path: { roleset } })
      await bench.decide('CLOUDC-KEY-04', async () => {
        expect(answer, `${operation} after all keys were revoked`).toHaveStatus(200)
        await place.logsIn(place.keyIn(answer), `the key of ${operation} after all were revoked`)
      })
    }
  },
)

check(
  'cloudc/lease-expiry',
  ['CLOUDC-LEASE-10', 'CLOUDC-LEASE-11', 'CLOUDC-LEASE-02', 'CLOUDC-LEASE-03'],
  'a key ends with its time, and a very long time is none that is over',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench, { ttl: 3, max_ttl: 7200 })
    const roleset = await place.keyRoleset()
    // The time of the engine, by either verb, and that of a request.
    const byGet = place.keyIn(await bench.given('cloudc.readKey', { path: { roleset } }))
    const shorts = [byGet, await place.key(roleset), await place.key(roleset, { ttl: '3s' })]
    const veryLong: [clause: string, key: Key][] = []
    // Whether so long a time is within the maximum of the system, only the target knows.
    const { ttl, max_ttl } = VERY_LONG
    if ((await bench.call('cloudc.writeConfig', { body: { credentials: place.cloud.credentials, ttl, max_ttl } })).ok)
      for (const [clause, operation, input] of [
        ['CLOUDC-LEASE-03', 'cloudc.readKey', {}],
        ['CLOUDC-LEASE-03', 'cloudc.createKey', { body: {} }],
        ['CLOUDC-LEASE-02', 'cloudc.createKey', { body: { ttl } }],
      ] as const) {
        const answer = await bench.call(operation, { path: { roleset }, ...input })
        if (answer.ok) veryLong.push([clause, place.keyIn(answer)])
      }
    const long = await place.key(roleset, { ttl: '10m' })
    // A provider that shows changes late has shown all once it shows the last one.
    await comesToHold(bench, () => isThere(place, long))
    for (const short of shorts)
      await bench.decide('CLOUDC-LEASE-10', () =>
        bench.eventually(async () => expect(await place.keyIds(short.facts.email)).not.toContain(short.facts.keyId), {
          within: 3000 + bench.grace,
          every: 500,
        }),
      )
    await bench.decide('CLOUDC-LEASE-11', () => place.logsIn(long, 'the longer one'))
    for (const [clause, key] of veryLong.filter(([, { duration }]) => duration >= OUTLIVING))
      await bench.decide(clause, () => place.logsIn(key, `a key for ${key.duration} s`))
  },
)

check(
  'cloudc/lease-renewed-expiry',
  'CLOUDC-LEASE-10',
  'a key that was renewed ends with its new time',
  needs({ features: ['leases'] }),
  async ({ bench, expect }) => {
    const place = await placeFor(bench, { max_ttl: 7200 })
    const key = await place.key(await place.keyRoleset(), { ttl: '60s' })
    const { email, keyId } = key.facts
    await endsOnceRenewed({ bench, expect }, key.lease, async () => (await place.keyIds(email))?.includes(keyId) === true)
  },
)

check(
  'cloudc/lease-renewed-outlives',
  'CLOUDC-LEASE-07',
  'a renewed key outlives the time that it was issued for',
  needs({ features: ['leases'] }),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const roleset = await place.keyRoleset()
    // A target far away may not be asked so fast: then all of them have more time.
    for (const seconds of [5, 40]) {
      await bench.given('cloudc.writeConfig', { body: { credentials: place.cloud.credentials, ttl: seconds, max_ttl: 7200 } })
      const byGet = place.keyIn(await bench.given('cloudc.readKey', { path: { roleset } }))
      const byPost = await place.key(roleset, { ttl: `${seconds}s` })
      const renewed = [await bench.leases.renew(byGet.lease, 600), await bench.leases.renew(byPost.lease, 600)]
      if (renewed.some(({ ok }) => !ok)) {
        if (seconds === 40)
          expect(
            renewed.map(({ status }) => status),
            'renewals',
          ).toEqual([200, 200])
        continue
      }
      const outliving: [how: string, key: Key][] = [
        ['GET', byGet],
        ['POST', byPost],
      ]
      // Renewed for very long; whether that is within the maximum of the system, only the target knows.
      const { max_ttl } = VERY_LONG
      if ((await bench.call('cloudc.writeConfig', { body: { credentials: place.cloud.credentials, ttl: seconds, max_ttl } })).ok) {
        const key = await place.key(roleset, { ttl: `${seconds}s` })
        const { ok, body } = await bench.leases.renew(key.lease, VERY_LONG.seconds)
        if (ok && Number((body as { lease_duration?: unknown }).lease_duration) >= OUTLIVING) outliving.push(['POST, for very long,', key])
      }
      // One that is not renewed and was issued after them: once it is gone, their first time is over as well.
      const unrenewed = await place.key(roleset, { ttl: `${seconds}s` })
      await comesToHold(bench, () => isThere(place, unrenewed))
      const within = seconds * 1000 + bench.grace
      if (!(await comesToHold(bench, async () => !(await isThere(place, unrenewed)), { within, every: 500 })))
        bench.blocked('a key that was not renewed did not end', 'see CLOUDC-LEASE-10 first')
      for (const [how, key] of outliving) {
        expect(await isThere(place, key), `the renewed key of a ${how} is at the provider`).toBe(true)
        await place.logsIn(key, `the renewed key of a ${how}`)
      }
      return
    }
  },
)
