import { check } from '../../harness/checks/index.ts'
import { meantBy, store, VERSION_1, VERSION_2 } from './fixtures.ts'

const OBJECTS = { 'one member': { value: 'first' }, 'several members': { value: 'first', other: 1, third: null } }

for (const [name, version] of Object.entries({ v1: VERSION_1, v2: VERSION_2 })) {
  check(
    `kv/${name}-create-or-update`,
    ['CORE-CAP-07', 'CORE-CAP-10'],
    'an object of one member exists as one of several does: replacing it takes update, not create',
    { needs: { features: ['identities'] } },
    async ({ bench, expect }) => {
      for (const [kind, object] of Object.entries(OBJECTS)) {
        const path = { path: bench.mixedName('key') }
        await store(bench, version, path.path, object)
        const creator = await bench.identity([{ operation: version.write, path, capabilities: ['create'] }])
        const updater = await bench.identity([{ operation: version.write, path, capabilities: ['update'] }])
        const replaced = { value: 'second' }
        await bench.decide('CORE-CAP-07', async () => {
          expect(await bench.call(version.write, { path, body: version.body(replaced), as: creator }), kind).toBeRefused()
          expect(meantBy(version, await bench.call(version.read, { path })), `${kind}, after the refusal`).toContainEqual(object)
        })
        await bench.decide('CORE-CAP-10', async () => {
          expect(await bench.call(version.write, { path, body: version.body(replaced), as: updater }), kind).toSucceed()
          expect(meantBy(version, await bench.call(version.read, { path })), kind).toContainEqual(replaced)
        })
      }
    },
  )
}
