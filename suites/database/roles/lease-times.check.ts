import { check, renewsWithin } from '../../../harness/checks/index.ts'
import { needs, placeFor } from '../fixtures.ts'
import { kinds } from '../kinds.ts'

/** Seconds by which a whole number may fall short of what was asked. */
const ROUNDING = 2

for (const kind of kinds) {
  const id = (name: string): string => `database/${kind.id}/${name}`

  check(id('ttl-default'), 'DB-TTL-02', 'a lease lasts the default of its role', needs(kind), async ({ bench, expect }) => {
    const place = await placeFor(bench, kind)
    const made = await place.credential(await place.role({ default_ttl: 600, max_ttl: 1200 }))
    expect(Math.abs(made.duration - 600)).toBeLessThanOrEqual(ROUNDING)
  })

  check(
    id('ttl-mount'),
    ['DB-TTL-03', 'DB-TTL-08', 'DB-TTL-12'],
    'without a default a lease lasts as the mount says, and never longer than it allows',
    needs(kind, { mounts: { timed: { type: 'database', config: { defaultLeaseTtl: 900, maxLeaseTtl: 1800 } } } }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind, { mount: 'timed' })
      const plain = await place.credential(await place.role({ default_ttl: 0, max_ttl: 0 }))
      await bench.decide('DB-TTL-03', () => expect(Math.abs(plain.duration - 900)).toBeLessThanOrEqual(ROUNDING))
      for (const [clause, max_ttl] of [
        ['DB-TTL-08', 7200],
        ['DB-TTL-12', 0],
      ] as const) {
        const path = { name: bench.fresh('role') }
        const body = { db_name: place.connection, creation_statements: place.texts.creation, default_ttl: 5400, max_ttl }
        const written = await bench.call('database.writeRole', { path, body, mount: 'timed' })
        const asked = written.ok ? await place.ask(path.name) : undefined
        await bench.decide(clause, () => {
          if (asked?.answer.ok) expect(asked.credential.duration).toBeLessThanOrEqual(1800)
          else expect(asked?.answer ?? written).toBeRefused()
        })
      }
    },
  )

  check(id('ttl-max'), 'DB-TTL-07', 'no lease outlasts the maximum of its role', needs(kind), async ({ bench, expect }) => {
    const place = await placeFor(bench, kind)
    const path = { name: bench.fresh('role') }
    const body = { db_name: place.connection, creation_statements: place.texts.creation, default_ttl: 3600, max_ttl: 300 }
    const written = await bench.call('database.writeRole', { path, body })
    const asked = written.ok ? await place.ask(path.name) : undefined
    if (asked?.answer.ok) expect(asked.credential.duration).toBeLessThanOrEqual(300)
    else expect(asked?.answer ?? written).toBeRefused()
  })

  check(
    id('ttl-renewal'),
    'DB-TTL-09',
    'renewal stops at the maximum of the role',
    needs(kind, { features: ['leases'] }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const made = await place.credential(
        await place.role({ default_ttl: 60, max_ttl: 120, creation_statements: place.texts.bareCreation }),
      )
      await renewsWithin({ bench, expect }, made.lease, 120)
    },
  )
}
