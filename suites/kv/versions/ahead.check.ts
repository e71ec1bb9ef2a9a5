/** What was said of a version, or of a key, before it was there. */
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { expectStored, shownBy, store, storeVersion, VERSION_2 } from '../fixtures.ts'

check(
  'kv/v2-versions-ahead',
  'KV-V2-14',
  'a write is readable though its version was deleted or destroyed before it was there',
  async ({ bench, expect }) => {
    for (const route of ['delete', 'destroy', 'undelete'] as const) {
      const path = bench.mixedName('key')
      const first = await storeVersion(bench, path, { value: 'first' }, 1)
      // It may be refused, too.
      await bench.call(`kv2.${route}Versions`, { path: { path }, body: { versions: [first + 1, first + 2] } })
      expect(await shownBy(bench, path), `the newest version, after ${route} of later ones`).toEqual({ value: 'first' })
      for (const value of ['second', 'third']) {
        await store(bench, VERSION_2, path, { value })
        expect(await shownBy(bench, path), `a write after ${route} of its version`).toEqual({ value })
      }
    }
  },
)

check('kv/v2-metadata-first', 'KV-V2-02', 'an object is read whose metadata was written before it', async ({ bench, expect }) => {
  for (const body of [{ max_versions: 5 }, {}] as JsonObject[]) {
    const path = bench.mixedName('key')
    // What metadata there is to write is not said: what is taken takes nothing from what is stored.
    await bench.call('kv2.writeMetadata', { path: { path }, body })
    for (const value of ['first', 'second']) {
      await store(bench, VERSION_2, path, { value })
      await expectStored(bench, expect, VERSION_2, path, JSON.stringify({ value }))
    }
  }
})
