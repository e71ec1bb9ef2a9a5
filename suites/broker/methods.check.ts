/** PUT does what POST does where something is there already, of which the request leaves a part out. */
import { check, type JsonObject } from '../../harness/checks/index.ts'
import { needs, parsed, placeFor } from './fixtures.ts'

/** How the thing is written at first, and how it is written again. */
const TURNS = [
  ['POST', 'POST'],
  ['POST', 'PUT'],
  ['PUT', 'PUT'],
] as const

check(
  'broker/role-by-either-method',
  'CORE-WRITE-01',
  'of a role that is written again in part, PUT makes what POST makes',
  needs(),
  async ({ bench, expect }) => {
    const { vhost, allRights } = await placeFor(bench)
    const topics = JSON.stringify({ [vhost]: { 'amq.topic': { write: '^a$', read: '^b$' } } })
    const full: JsonObject = { tags: 'monitoring', vhosts: allRights, vhost_topics: topics }
    for (const [field, value] of Object.entries(full)) {
      const made: unknown[] = []
      for (const [first, then] of TURNS) {
        const path = { name: bench.mixedName('role') }
        await bench.given('broker.writeRole', { path, body: full, method: first })
        // Whether what is left out goes or stays is for the server to say, but for both methods alike.
        const { ok } = await bench.call('broker.writeRole', { path, body: { [field]: value }, method: then })
        const { data } = await bench.given('broker.readRole', { path })
        made.push({ ok, tags: data.tags ?? '', vhosts: parsed(data.vhosts), vhost_topics: parsed(data.vhost_topics) })
      }
      for (const [index, role] of made.entries())
        expect(role, `a role that was written with ${field} alone, by ${TURNS[index]!.join(' and ')}`).toEqual(made[0])
    }
  },
)

/** Seconds by which leases may differ that a token beside them cuts short, far fewer than what is left out would make. */
const ALIKE = 25

check(
  'broker/lease-by-either-method',
  'CORE-WRITE-01',
  'of lease settings that are written again in part, PUT makes what POST makes',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const role = await place.role()
    for (const body of [{ ttl: 2400 }, { max_ttl: 3000 }] as JsonObject[]) {
      const lasts: number[] = []
      for (const [first, then] of TURNS) {
        await bench.given('broker.writeLease', { body: { ttl: 600, max_ttl: 1200 }, method: first })
        // Which settings go together is for the server to say: what it refuses leaves the first ones in force.
        await bench.call('broker.writeLease', { body, method: then })
        lasts.push((await place.credential(role)).duration)
      }
      for (const [index, duration] of lasts.entries())
        expect(
          Math.abs(duration - lasts[0]!),
          `seconds between leases under ${JSON.stringify(body)}, written by ${TURNS[index]!.join(' and ')}, and by POST alone`,
        ).toBeLessThan(ALIKE)
    }
  },
)
