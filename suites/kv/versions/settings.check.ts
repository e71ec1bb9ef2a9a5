/** Writes of the settings of a mount or of a key change no version: what is deleted stays so, and is restored as it was. */
import { check } from '../../../harness/checks/index.ts'
import { onVersions, shownBy, storeVersion } from '../fixtures.ts'

const SETTINGS = { max_versions: 10 }

check(
  'kv/settings-change-no-version',
  ['KV-V2-08', 'KV-V2-09', 'KV-V2-10', 'KV-V2-12'],
  'writes of settings restore nothing, and lose nothing that can be restored',
  // What the settings do besides is not said: nobody else's versions are under them.
  { needs: { mounts: { own: { type: 'kv2', exclusive: true } } } },
  async ({ bench, expect }) => {
    const [deleted, destroyed, kept] = [bench.mixedName('key'), bench.mixedName('key'), bench.mixedName('key')]
    const last = await storeVersion(bench, deleted, { value: 'one' }, 1)
    const gone = await storeVersion(bench, destroyed, { value: 'one' }, 1)
    await storeVersion(bench, kept, { value: 'one' }, 1)
    await onVersions(bench, 'delete', deleted, [last])
    await onVersions(bench, 'destroy', destroyed, [gone])
    for (const write of [
      () => bench.call('kv2.writeConfig', { body: SETTINGS }),
      () => bench.call('kv2.writeMetadata', { path: { path: deleted }, body: SETTINGS }),
      () => bench.call('kv2.writeMetadata', { path: { path: destroyed }, body: SETTINGS }),
      () => bench.call('kv2.writeMetadata', { path: { path: kept }, body: SETTINGS }),
    ]) {
      await write()
      await bench.decide('KV-V2-08', async () => expect(await shownBy(bench, deleted), 'what was deleted').toBe('nothing'))
      await bench.decide('KV-V2-10', async () => expect(await shownBy(bench, destroyed), 'what was destroyed').toBe('nothing'))
      await bench.decide('KV-V2-12', async () => expect(await shownBy(bench, kept), 'what was neither').toEqual({ value: 'one' }))
    }
    await onVersions(bench, 'undelete', deleted, [last])
    await bench.decide('KV-V2-09', async () => expect(await shownBy(bench, deleted), 'what was restored').toEqual({ value: 'one' }))
  },
)
