import { type CheckContext, check, type JsonObject } from '../../../harness/checks/index.ts'
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
const ENGINE = { clause: 'CLOUDC-LEASE-03', title: 'without a ttl in the request, a lease lasts the ttl of the engine', config: CONFIG }
const SYSTEM = { clause: 'CLOUDC-LEASE-04', title: 'without any ttl, a lease lasts the default of the system', config: { max_ttl: 7200 } }

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
  { ...REQUEST, title: 'the ttl of the engine is not a maximum', config: { ttl: 300 }, mount: { defaultLeaseTtl: 60, maxLeaseTtl: 9000 } },
  { ttl: '30m' },
  1800,
)
lasts('engine-without-max', { ...ENGINE, title: 'a ttl of the engine counts without a max_ttl', config: { ttl: 500 } }, {}, 500)
lasts('engine-compound', { ...ENGINE, title: 'a ttl of two units counts', config: { ttl: '1h30m', max_ttl: '2h15m' } }, {}, 5400)
lasts(
  'engine-longer-than-system',
  {
    ...ENGINE,
    title: 'a ttl of the engine may be longer than the default',
    config: { ttl: 800 },
    mount: { defaultLeaseTtl: 90, maxLeaseTtl: 4000 },
  },
  {},
  800,
)
lasts(
  'system-max-only',
  { ...SYSTEM, title: 'a max_ttl is not a ttl', config: { max_ttl: 5000 }, mount: { defaultLeaseTtl: 321, maxLeaseTtl: 9000 } },
  {},
  321,
)
lasts('engine-at-max', { ...ENGINE, title: 'a ttl of the engine that is its maximum counts', config: { ttl: 900, max_ttl: 900 } }, {}, 900)

for (const method of ['POST', 'PUT'])
  check(
    `cloudc/lease-${method.toLowerCase()}`,
    'CLOUDC-LEASE-02',
    `the ttl of a ${method} counts in every form`,
    needs(),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, CONFIG)
      const roleset = await place.keyRoleset()
      for (const [ttl, seconds] of [
        ['90s', 90],
        ['1m30s', 90],
        ['30m', 1800],
        ['1h1m59s', 3719],
        ['0h45m', 2700],
        ['1h30m', 5400],
        ['120m', 7200],
      ] as const) {
        const answer = await bench.call('cloudc.createKey', { path: { roleset }, body: { ttl }, method })
        expect(answer).toHaveStatus(200)
        expect(Math.abs(place.keyIn(answer).duration - seconds), `difference from ${ttl}`).toBeLessThanOrEqual(ROUNDING)
      }
    },
  )

check(
  'cloudc/lease-in-turn',
  ['CLOUDC-LEASE-02', 'CLOUDC-LEASE-03', 'CLOUDC-KEY-05'],
  'what one key was asked for with has no say in the next',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench, CONFIG)
    const rolesets = [await place.keyRoleset(), await place.keyRoleset()]
    for (const roleset of rolesets) {
      await place.key(roleset)
      for (const body of [{ ttl: '90s' }, { ttl: '2h', key_algorithm: 'KEY_ALG_RSA_1024' }] as JsonObject[]) {
        // Which algorithms there are is the provider's affair.
        const asked = await bench.call('cloudc.createKey', { path: { roleset }, body })
        if (body.key_algorithm === undefined)
          await bench.decide('CLOUDC-LEASE-02', () => {
            expect(asked).toHaveStatus(200)
            expect(Math.abs(place.keyIn(asked).duration - 90), 'difference from 90 s').toBeLessThanOrEqual(ROUNDING)
          })
        for (const other of rolesets) {
          const [by, plain] =
            other === roleset
              ? (['cloudc.createKey', { ttl: '' }] as const)
              : body.key_algorithm === undefined
                ? (['cloudc.createKey', {}] as const)
                : (['cloudc.readKey', undefined] as const)
          const next = await bench.call(by, { path: { roleset: other }, ...(plain === undefined ? {} : { body: plain }) })
          await bench.decide('CLOUDC-LEASE-03', () => {
            expect(next).toHaveStatus(200)
            expect(Math.abs(place.keyIn(next).duration - CONFIG.ttl), `difference from ${CONFIG.ttl} s`).toBeLessThanOrEqual(ROUNDING)
          })
          await bench.decide('CLOUDC-KEY-05', () => {
            expect(next.data.key_algorithm).toBe('KEY_ALG_RSA_2048')
            expect(place.keyIn(next).facts.bits, 'bits of the key').toBe(2048)
          })
        }
      }
    }
  },
)

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
capped(
  'max-alone',
  {
    ...MAXIMUM,
    title: 'max_ttl counts without a ttl of the engine',
    config: { max_ttl: 240 },
    mount: { defaultLeaseTtl: 90, maxLeaseTtl: 9000 },
  },
  '2h',
  240,
)

timed(
  'max-below-default',
  {
    ...MAXIMUM,
    title: 'nor does one for which nobody asked how long',
    config: { max_ttl: 200 },
    mount: { defaultLeaseTtl: 800, maxLeaseTtl: 9000 },
  },
  async ({ bench, expect }, place) => {
    const roleset = await place.keyRoleset()
    for (const answer of [
      await bench.call('cloudc.readKey', { path: { roleset } }),
      await bench.call('cloudc.createKey', { path: { roleset }, body: {} }),
      await bench.call('cloudc.createKey', { path: { roleset }, body: { ttl: '' } }),
    ]) {
      expect(answer).toHaveStatus(200)
      expect(place.keyIn(answer).duration).toBeLessThanOrEqual(200)
    }
  },
)
