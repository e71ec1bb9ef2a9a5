/** Directories of one name in several places, and those of whose keys one went. */
import { check } from '../../../harness/checks/index.ts'
import { namesIn, onVersions, shownBy, store, storeVersion, VERSION_1, VERSION_2 } from '../fixtures.ts'

/** Names without the slash of a directory: the slash is only advised. */
const bare = (names: string[]): string[] => names.map((name) => name.replace(/\/$/, '')).toSorted()

for (const [name, version] of [
  ['v1', VERSION_1],
  ['v2', VERSION_2],
] as const)
  check(
    `kv/${name}-inner-directories`,
    'KV-LIST-02',
    'a directory shows nothing of one of its name further in',
    async ({ bench, expect }) => {
      const [inner, outer] = [bench.fresh('inner'), bench.fresh('outer')]
      const keys = {
        [inner]: 'first',
        [`${outer}/${inner}`]: 'second',
        [`${outer}/${outer}/${inner}`]: 'third',
        [`${inner}/${inner}`]: 'fourth',
      }
      for (const [directory, key] of Object.entries(keys)) await store(bench, version, `${directory}/${key}`, { value: key })
      for (const method of ['LIST', 'GET'] as const) {
        const listed = async (directory: string) =>
          bare(namesIn(await bench.call(version.list, { path: { directory: `${directory}/` }, method })))
        // That a directory is named is advised.
        const first = await listed(inner)
        expect(
          first.filter((shown) => shown !== inner),
          `${inner}/ by ${method}`,
        ).toEqual(['first'])
        expect(await listed(`${outer}/${inner}`), `below ${outer}/ by ${method}`).toEqual(['second'])
        expect(
          (await listed(outer)).filter((shown) => shown !== inner && shown !== outer),
          `${outer}/ by ${method}`,
        ).toEqual([])
      }
    },
  )

check(
  'kv/v2-directory-of-deleted',
  ['KV-LIST-03', 'KV-LIST-09', 'KV-V2-32'],
  'a directory is listed though the newest version of a key in it is deleted',
  async ({ bench, expect }) => {
    const directory = bench.fresh('dir')
    const [gone, kept] = [`${directory}/within/gone`, `${directory}/within/kept`]
    const version = await storeVersion(bench, gone, { value: 'gone' }, 1)
    await store(bench, VERSION_2, kept, { value: 'kept' })
    await onVersions(bench, 'delete', gone, [version])
    for (const method of ['LIST', 'GET'] as const) {
      const listed = async (path: string) => bare(namesIn(await bench.call('kv2.list', { path: { directory: `${path}/` }, method })))
      const [above, within] = [await listed(directory), await listed(`${directory}/within`)]
      await bench.decide('KV-LIST-03', () => expect(above, `by ${method}`).toEqual(['within']))
      await bench.decide('KV-LIST-09', () => expect(within, `within, by ${method}`).toContain('kept'))
    }
    await bench.call('kv2.deleteMetadata', { path: { path: `${directory}/within` } })
    const below = await shownBy(bench, kept)
    await bench.decide('KV-V2-32', () => expect(below, 'a key below a deleted path').toEqual({ value: 'kept' }))
  },
)

check(
  'kv/v2-directory-of-restored',
  'KV-LIST-09',
  'a key is listed again once its deleted version was restored, whichever way it was deleted',
  async ({ bench, expect }) => {
    const directory = bench.fresh('dir')
    const listed = async () => namesIn(await bench.call('kv2.list', { path: { directory: `${directory}/` } })).toSorted()
    await store(bench, VERSION_2, `${directory}/beside`, { value: 'beside' })
    let restored = 0
    for (const [index, way] of ['kv2.deleteVersions', 'kv2.deleteLatest'].entries()) {
      const path = `${directory}/key`
      const version = await storeVersion(bench, path, { value: way }, index + 1)
      const deleted = await bench.call(way, { path: { path }, ...(way === 'kv2.deleteVersions' ? { body: { versions: [version] } } : {}) })
      await onVersions(bench, 'undelete', path, [version])
      // Deleting the newest version by its path is not described.
      if (!deleted.ok || JSON.stringify(await shownBy(bench, path)) !== JSON.stringify({ value: way })) continue
      restored += 1
      expect(await listed(), `after ${way} and a restoration`).toEqual(['beside', 'key'])
    }
    if (restored === 0) bench.blocked('no deleted version was restored', 'see the clauses of restored versions first')
  },
)
