import { check, type JsonObject, secondsOf } from '../../../harness/checks/index.ts'
import { needs, placeFor, unconfiguredPlace } from '../fixtures.ts'

const CONFIG = ['CLOUDC-CONF-01', 'CLOUDC-CONF-02', 'CLOUDC-CONF-18']

check('cloudc/config', CONFIG, 'a configuration is written and read', needs(), async ({ bench, expect }) => {
  const { cloud } = await unconfiguredPlace(bench)
  const withoutCredentials = async (when: string) => {
    for (const body of [{ ttl: '20m' }, { max_ttl: 3600 }, { ttl: '20m', max_ttl: 3600 }] as JsonObject[]) {
      const written = await bench.call('cloudc.writeConfig', { body })
      await bench.decide('CLOUDC-CONF-18', () => expect(written, `${JSON.stringify(body)}, ${when}`).toSucceed())
    }
  }
  await withoutCredentials('before any credentials')
  const written = await bench.call('cloudc.writeConfig', { body: { credentials: cloud.credentials, ttl: '30m', max_ttl: 7200 } })
  await bench.decide('CLOUDC-CONF-01', () => expect(written).toSucceed())
  const read = await bench.call('cloudc.readConfig')
  await bench.decide('CLOUDC-CONF-02', () => {
    expect(read).toHaveStatus(200)
    expect([secondsOf(read.data.ttl), secondsOf(read.data.max_ttl)]).toEqual([1800, 7200])
    expect([typeof read.data.ttl, typeof read.data.max_ttl], 'types').toEqual(['string', 'string'])
  })
  await withoutCredentials('once there are credentials')
})

const forms: [id: string, clause: string, title: string, body: JsonObject, ttl: number, maxTtl: number][] = [
  ['ttl-number', 'CLOUDC-CONF-04', 'ttl is a number of seconds', { ttl: 90, max_ttl: 600 }, 90, 600],
  ['ttl-text', 'CLOUDC-CONF-05', 'ttl is a text with units', { ttl: '1h30m', max_ttl: '3h' }, 5400, 10_800],
  ['ttl-text-seconds', 'CLOUDC-CONF-05', 'ttl is a text in seconds', { ttl: '75s', max_ttl: '3h' }, 75, 10_800],
  ['max-ttl-number', 'CLOUDC-CONF-06', 'max_ttl is a number of seconds', { ttl: 60, max_ttl: 5000 }, 60, 5000],
  ['max-ttl-text', 'CLOUDC-CONF-07', 'max_ttl is a text', { ttl: 60, max_ttl: '26h15m' }, 60, 94_500],
]
for (const [id, clause, title, body, ttl, maxTtl] of forms)
  check(`cloudc/config-${id}`, clause, title, needs(), async ({ bench, expect }) => {
    const { cloud } = await placeFor(bench)
    expect(await bench.call('cloudc.writeConfig', { body: { credentials: cloud.credentials, ...body } })).toSucceed()
    const { data } = await bench.given('cloudc.readConfig')
    expect([secondsOf(data.ttl), secondsOf(data.max_ttl)], 'ttl and max_ttl in seconds').toEqual([ttl, maxTtl])
  })

check(
  'cloudc/config-again',
  ['CLOUDC-CONF-04', 'CLOUDC-CONF-06'],
  'lease times that are written again are the new ones, zero too',
  needs(),
  async ({ bench, expect }) => {
    const { cloud } = await placeFor(bench, { ttl: 90, max_ttl: 600 })
    for (const [ttl, max_ttl] of [
      [0, 500],
      [80, 500],
      [80, 0],
      [0, 0],
    ] as const) {
      const written = await bench.call('cloudc.writeConfig', { body: { credentials: cloud.credentials, ttl, max_ttl } })
      const { data } = await bench.given('cloudc.readConfig')
      await bench.decide('CLOUDC-CONF-04', () => {
        expect(written).toSucceed()
        expect(secondsOf(data.ttl), `ttl written as ${ttl}`).toBe(ttl)
      })
      await bench.decide('CLOUDC-CONF-06', () => expect(secondsOf(data.max_ttl), `max_ttl written as ${max_ttl}`).toBe(max_ttl))
    }
  },
)

check(
  'cloudc/config-defaults',
  ['CLOUDC-CONF-08', 'CLOUDC-CONF-09', 'CLOUDC-CONF-02'],
  'without lease times they are zero, and texts of durations',
  needs(),
  async ({ bench, expect }) => {
    await placeFor(bench)
    const { data } = await bench.given('cloudc.readConfig')
    await bench.decide('CLOUDC-CONF-08', () => expect(secondsOf(data.ttl)).toBe(0))
    await bench.decide('CLOUDC-CONF-09', () => expect(secondsOf(data.max_ttl)).toBe(0))
    // An empty text is none, nor is nothing.
    for (const [name, shown] of Object.entries({ ttl: data.ttl, max_ttl: data.max_ttl }))
      await bench.decide('CLOUDC-CONF-02', () => expect(String(shown ?? ''), `${name} that was never given`).toMatch(/^\d/))
  },
)

const refused = (id: string, clause: string, title: string, bads: JsonObject[]): void =>
  check(`cloudc/config-${id}`, clause, title, needs(), async ({ bench }) => {
    const { cloud } = await placeFor(bench, { ttl: 60, max_ttl: 120 })
    for (const [index, bad] of bads.entries()) {
      // With other good values beside the bad one: none of them may be taken.
      const good = { credentials: cloud.credentials, ttl: 70 + index, max_ttl: 130 + index }
      await bench.refuses('cloudc.writeConfig', {
        bad: { body: { ...good, ...bad } },
        control: { body: good },
        unchanged: { operation: 'cloudc.readConfig', input: {} },
        label: JSON.stringify(bad),
      })
    }
  })

refused('bad-ttl', 'CLOUDC-CONF-10', 'a ttl has to be a duration', [{ ttl: 'soon' }, { ttl: { a: {} } }, { ttl: '5 parsecs' }])
refused('bad-max-ttl', 'CLOUDC-CONF-11', 'a max_ttl has to be a duration', [{ max_ttl: 'late' }, { max_ttl: { a: {} } }, { max_ttl: '1x' }])
refused('bad-credentials', 'CLOUDC-CONF-12', 'an object is not text', [{ credentials: { a: {} } }])

check('cloudc/config-partial', 'CLOUDC-CONF-16', 'what a write leaves out', needs(), async ({ bench }) => {
  await placeFor(bench, { ttl: 60, max_ttl: 120 })
  await bench.call('cloudc.writeConfig', { body: { ttl: 70 }, observing: true })
  const { data } = await bench.given('cloudc.readConfig')
  bench.observe('CLOUDC-CONF-16', { ttl: secondsOf(data.ttl) ?? null, maxTtl: secondsOf(data.max_ttl) ?? null })
})

check(
  'cloudc/config-new-mount',
  ['CLOUDC-CONF-08', 'CLOUDC-CONF-09', 'CLOUDC-LEASE-04'],
  'a new mount has nothing of the ones that are configured already',
  needs({ features: ['mounts'] }),
  async ({ bench, expect }) => {
    const place = await placeFor(bench, { ttl: 90, max_ttl: 600 })
    const { credentials } = place.cloud
    for (const path of [{}, { path: `${bench.mountPath('cloudc')}-a` }]) {
      const mount = await bench.mount('cloudc', { exclusive: true, config: { defaultLeaseTtl: 1500, maxLeaseTtl: 9000 }, ...path })
      // Before its first configuration a mount may have nothing to read.
      for (const body of [undefined, { credentials }]) {
        if (body !== undefined) await bench.given('cloudc.writeConfig', { mount, body })
        const read = await bench.call('cloudc.readConfig', { mount })
        if (body === undefined && !read.ok) continue
        await bench.decide('CLOUDC-CONF-08', () => expect(secondsOf(read.data?.ttl ?? 0)).toBe(0))
        await bench.decide('CLOUDC-CONF-09', () => expect(secondsOf(read.data?.max_ttl ?? 0)).toBe(0))
      }
      const there = place.in(mount)
      const { duration } = await there.key(await there.keyRoleset())
      await bench.decide('CLOUDC-LEASE-04', () =>
        expect(Math.abs(duration - 1500), 'difference from the default of the mount').toBeLessThanOrEqual(2),
      )
      // What the next one must not have.
      await bench.given('cloudc.writeConfig', { mount, body: { credentials, ttl: 70, max_ttl: 500 } })
    }
  },
)
