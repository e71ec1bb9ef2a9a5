import { check } from '../../harness/checks/index.ts'
import { kinds } from './kinds.ts'
import { failed, needs, placeFor } from './place.ts'

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
    ['DB-TTL-03', 'DB-TTL-08'],
    'without a default a lease lasts as the mount says, and never longer than it allows',
    needs(kind, { mounts: { timed: { type: 'database', config: { defaultLeaseTtl: 900, maxLeaseTtl: 1800 } } } }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind, { mount: 'timed' })
      const plain = await place.credential(await place.role({ default_ttl: 0, max_ttl: 0 }))
      await bench.decide('DB-TTL-03', () => expect(Math.abs(plain.duration - 900)).toBeLessThanOrEqual(ROUNDING))
      const path = { name: bench.fresh('role') }
      const body = { db_name: place.connection, creation_statements: place.texts.creation, default_ttl: 5400, max_ttl: 7200 }
      const written = await bench.call('database.writeRole', { path, body, mount: 'timed' })
      await bench.decide('DB-TTL-08', async () => {
        if (written.ok) expect((await place.credential(path.name)).duration).toBeLessThanOrEqual(1800)
        else expect(written).toBeRefused()
      })
    },
  )

  check(id('ttl-max'), 'DB-TTL-07', 'no lease outlasts the maximum of its role', needs(kind), async ({ bench, expect }) => {
    const place = await placeFor(bench, kind)
    const path = { name: bench.fresh('role') }
    const body = { db_name: place.connection, creation_statements: place.texts.creation, default_ttl: 3600, max_ttl: 300 }
    const written = await bench.call('database.writeRole', { path, body })
    if (written.ok) expect((await place.credential(path.name)).duration).toBeLessThanOrEqual(300)
    else expect(failed(written.status)).toBe(true)
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
      const renewed = await bench.leases.renew(made.lease, 3600)
      if (renewed.ok) expect(Number((renewed.body as { lease_duration?: number }).lease_duration)).toBeLessThanOrEqual(120)
      else expect(renewed).toBeRefused()
    },
  )
}
