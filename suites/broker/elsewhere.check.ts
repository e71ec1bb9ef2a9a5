/** Roles of one name, and lease settings, in several places. */
import { check, elsewhere } from '../../harness/checks/index.ts'
import { needs, placeFor } from './fixtures.ts'

const rights = (pattern: string) => ({ vhosts: JSON.stringify({ '/': { configure: pattern, write: '.*', read: pattern } }) })

elsewhere('broker/roles-elsewhere', 'roles of one name', {
  type: 'broker',
  clause: 'BROKER-APART-01',
  needs: { backends: ['rabbitmq'] },
  operations: { write: 'broker.writeRole', read: 'broker.readRole', remove: 'broker.deleteRole' },
  uses: { operation: 'broker.readCreds' },
  prepare: (bench, mount) => placeFor(bench, { mount }),
  bodies: async () => [{ tags: 'management', ...rights('^a') }, { tags: 'monitoring' }, rights('')],
})

/** Seconds by which a whole number may fall short of what was set. */
const ROUNDING = 2

check(
  'broker/leases-elsewhere',
  'BROKER-APART-01',
  'lease settings are those of their own mount, also at one path in two namespaces, whichever were set last',
  needs({ features: ['mounts', 'namespaces'] }),
  async ({ bench, expect }) => {
    const path = bench.mountPath('broker')
    const mounts = [
      'broker',
      await bench.mount('broker', { exclusive: true, path: `${path}-b` }),
      await bench.mount('broker', { exclusive: true, path, namespace: await bench.namespace() }),
    ]
    const places = []
    for (const mount of mounts) {
      const place = await placeFor(bench, { mount })
      places.push({ mount, place, role: await place.role() })
    }
    const set = new Map<string, number>()
    // Each is set once before and once after the others.
    for (const [index, { mount }] of [...places, ...places.toReversed()].entries()) {
      const ttl = 300 * (index + 1)
      await bench.given('broker.writeLease', { mount, body: { ttl, max_ttl: 9000 } })
      set.set(mount, ttl)
      for (const [at, { mount: own, place, role }] of places.entries()) {
        const wanted = set.get(own)
        if (wanted === undefined) continue
        const { duration } = await place.credential(role)
        expect(Math.abs(duration - wanted), `seconds from ${wanted}, of mount ${at + 1} after setting ${index + 1}`).toBeLessThanOrEqual(
          ROUNDING,
        )
      }
    }
  },
)
