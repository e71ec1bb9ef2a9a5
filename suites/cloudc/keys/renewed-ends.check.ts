/** Keys whose leases were renewed end with their account as all others do. */
import { check } from '../../../harness/checks/index.ts'
import { blocks, KEYS, needs, placeFor } from '../fixtures.ts'

check(
  'cloudc/renewed-ends',
  ['CLOUDC-BIND-19', 'CLOUDC-ROT-07', 'CLOUDC-SET-16'],
  'keys that were renewed end with a change, a rotation and a deletion',
  needs({ features: ['leases'] }),
  async ({ bench, expect }) => {
    const place = await placeFor(bench, { max_ttl: 7200 })
    const { project } = place.resources
    const bound = (role: string, operation: string) => (name: string) =>
      bench.given(operation, { path: { name }, body: place.body({ ...KEYS, bindings: blocks({ [project]: [role] }) }) })
    const named = (operation: string) => (name: string) => bench.given(operation, { path: { name } })
    const name = await place.keyRoleset({ bindings: blocks({ [project]: ['roles/viewer'] }) })
    for (const [what, clause, event] of [
      ['another role', 'CLOUDC-BIND-19', bound('roles/browser', 'cloudc.writeRoleset')],
      ['a rotation', 'CLOUDC-ROT-07', named('cloudc.rotate')],
      ['one more change', 'CLOUDC-BIND-19', bound('roles/viewer', 'cloudc.writeRoleset')],
      ['deletion', 'CLOUDC-SET-16', named('cloudc.deleteRoleset')],
    ] as const) {
      const byGet = place.keyIn(await bench.given('cloudc.readKey', { path: { roleset: name } }))
      const keys = [byGet, await place.key(name), await place.key(name, { ttl: '10m' }), await place.key(name)]
      // One of each verb, one of them twice; one is left as it was.
      for (const { lease } of [...keys.slice(0, 3), byGet]) await bench.leases.renew(lease, 900)
      for (const key of keys) await place.logsIn(key, `a key before ${what}`)
      await event(name)
      await bench.decide(clause, async () => {
        for (const [at, { file }] of keys.entries())
          await bench.eventually(async () => expect(await place.judge.login(file), `key ${at + 1} after ${what}`).toBe(undefined))
      })
    }
  },
)
