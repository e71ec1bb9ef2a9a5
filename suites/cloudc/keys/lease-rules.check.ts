/** How long keys live under every pair of lease times that a mount can have, such as contradict each other too. */
import { check } from '../../../harness/checks/index.ts'
import { needs, placeFor } from '../fixtures.ts'

/** Seconds by which a whole number may fall short of what was asked. */
const ROUNDING = 2

const SYSTEM = { defaultLeaseTtl: 700, maxLeaseTtl: 4000 }

/** The ttl and the max_ttl of the engine in turn: none, below, at and above one another and the times of the system; each comes after a longer and a shorter one. */
const CONFIGS: readonly (readonly [ttl: number, maxTtl: number])[] = [
  [0, 0],
  [600, 0],
  [4000, 0],
  [5000, 0],
  [0, 500],
  [0, 700],
  [0, 2000],
  [600, 500],
  [600, 600],
  [600, 1200],
  [1200, 600],
  [5000, 300],
  [300, 4000],
]

interface Asked {
  what: string
  operation: string
  method?: string
  body?: { ttl?: string }
  /** Seconds; without them it is the lease times of the mount that count. */
  ttl?: number
}

const PLAIN: readonly Asked[] = [
  { what: 'a GET', operation: 'cloudc.readKey' },
  { what: 'a POST without a ttl', operation: 'cloudc.createKey', body: {} },
  { what: 'a PUT with an empty ttl', operation: 'cloudc.createKey', body: { ttl: '' }, method: 'PUT' },
]

/** Requests for a longer time than is given without one, a shorter one, as long a one as there may be, and longer ones; then again none. */
const askedOf = (byDefault: number, most: number): Asked[] => [
  ...PLAIN,
  ...[Math.min(byDefault, most) - 60, Math.floor((byDefault + most) / 2), most, most + 60].map((ttl, index) => ({
    what: `a ttl of ${ttl} s`,
    operation: 'cloudc.createKey',
    body: { ttl: `${ttl}s` },
    method: index % 2 === 0 ? 'POST' : 'PUT',
    ttl,
  })),
  { what: 'a GET after a POST with a ttl', operation: 'cloudc.readKey' },
]

check(
  'cloudc/lease-rules',
  ['CLOUDC-CONF-01', 'CLOUDC-LEASE-02', 'CLOUDC-LEASE-03', 'CLOUDC-LEASE-04', 'CLOUDC-LEASE-05', 'CLOUDC-LEASE-06'],
  'the ttl of the request, else of the engine, else of the system, and never more than the maximum',
  needs({ mounts: { cloudc: { type: 'cloudc', exclusive: true, config: SYSTEM } } }),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    for (const [ttl, maxTtl] of CONFIGS) {
      const [byDefault, most] = [ttl || SYSTEM.defaultLeaseTtl, maxTtl || SYSTEM.maxLeaseTtl]
      const config = { body: { credentials: place.cloud.credentials, ttl, max_ttl: maxTtl } }
      const written = await bench.call('cloudc.writeConfig', config)
      // Whether times that contradict each other are taken is not said.
      if (ttl <= most)
        await bench.decide('CLOUDC-CONF-01', () => expect(written, `a ttl of ${ttl} s with a maximum of ${maxTtl} s`).toSucceed())
      if (!written.ok) continue
      const roleset = await place.keyRoleset()
      for (const { what, operation, ttl: asked, ...input } of askedOf(byDefault, most)) {
        const answer = await bench.call(operation, { path: { roleset }, ...input })
        const seconds = asked ?? byDefault
        const label = `${what}, where the engine has ${ttl} s and at most ${maxTtl} s`
        if (seconds <= most)
          await bench.decide(asked === undefined ? (ttl > 0 ? 'CLOUDC-LEASE-03' : 'CLOUDC-LEASE-04') : 'CLOUDC-LEASE-02', () => {
            expect(answer, label).toHaveStatus(200)
            expect(Math.abs(place.keyIn(answer).duration - seconds), `${label}: difference from ${seconds} s`).toBeLessThanOrEqual(ROUNDING)
          })
        else
          await bench.decide(maxTtl > 0 ? 'CLOUDC-LEASE-05' : 'CLOUDC-LEASE-06', () => {
            if (answer.ok) expect(place.keyIn(answer).duration, label).toBeLessThanOrEqual(most)
            else expect(answer, label).toBeRefused()
          })
      }
    }
  },
)

/** Seconds: more milliseconds than 31 bits hold, and than 32 bits do. */
const LONG = { defaultLeaseTtl: 2_592_000, maxLeaseTtl: 8_000_000 }

check(
  'cloudc/long-leases',
  ['CLOUDC-LEASE-02', 'CLOUDC-LEASE-04'],
  'leases of a month and of three',
  needs({ mounts: { cloudc: { type: 'cloudc', exclusive: true, config: LONG } } }),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const roleset = await place.keyRoleset()
    for (const [clause, body, seconds] of [
      ['CLOUDC-LEASE-04', {}, LONG.defaultLeaseTtl],
      ['CLOUDC-LEASE-02', { ttl: '2200h' }, 7_920_000],
    ] as const) {
      const answer = await bench.call('cloudc.createKey', { path: { roleset }, body })
      await bench.decide(clause, () => {
        expect(answer).toHaveStatus(200)
        expect(Math.abs(place.keyIn(answer).duration - seconds), `difference from ${seconds} s`).toBeLessThanOrEqual(ROUNDING)
      })
    }
  },
)
