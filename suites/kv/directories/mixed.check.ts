/** Keys and directories mixed in one place: at the root of a mount, and below. */
import { check } from '../../../harness/checks/index.ts'
import { namesIn, VERSION_1, VERSION_2 } from '../fixtures.ts'

for (const [name, version, clause, remove] of [
  ['v1', VERSION_1, 'KV-LIST-01', 'kv1.delete'],
  ['v2', VERSION_2, 'KV-LIST-09', 'kv2.deleteMetadata'],
] as const)
  check(
    `kv/${name}-keys-and-directories`,
    [clause, 'KV-LIST-02', 'KV-LIST-03'],
    'a listing names keys and directories beside one another, at the root of a mount as below it',
    { needs: { mounts: { own: { type: version.write.startsWith('kv1') ? 'kv1' : 'kv2' } } } },
    async ({ bench, expect }) => {
      const above = bench.fresh('above')
      for (const directory of ['', `${above}/`, `${above}/${bench.fresh('deeper')}/`]) {
        const [inner, key, later] = [bench.fresh('inner'), bench.fresh('key'), bench.fresh('later')]
        const [first, second] = [bench.fresh('first'), bench.fresh('second')]
        const keys: string[] = []
        const directories: string[] = []
        /** Compares listings with what was written here; of a mount that is given there may be more at its root. */
        const expectListed = async (when: string): Promise<void> => {
          for (const method of ['LIST', 'GET']) {
            const listed = namesIn(await bench.call(version.list, { path: { directory }, mount: 'own', method }))
            const what = `${directory === '' ? 'the root' : directory} by ${method}, ${when}`
            await bench.decide(clause, () =>
              expect(
                keys.filter((one) => !listed.includes(one)),
                `keys left out of ${what}`,
              ).toEqual([]),
            )
            await bench.decide('KV-LIST-02', () =>
              expect(
                listed.filter((one) => one.replace(/\/$/, '') === inner),
                what,
              ).toEqual([]),
            )
            await bench.decide('KV-LIST-03', () =>
              expect(
                directories.filter((one) => !listed.includes(one)),
                `directories left out of ${what}`,
              ).toEqual([]),
            )
          }
        }
        const write = (path: string) =>
          bench.given(version.write, { path: { path: `${directory}${path}` }, mount: 'own', body: version.body({ value: path }) })
        // Keys before directories, and the other way about.
        await write(`${first}/${inner}`)
        directories.push(`${first}/`)
        await expectListed('with a directory')
        await write(key)
        keys.push(key)
        await expectListed('with a key beside the directory')
        await write(later)
        await write(`${second}/${inner}/${inner}`)
        keys.push(later)
        directories.push(`${second}/`)
        await expectListed('with two of each')
        // What a removal does is open: it takes nothing away from those beside.
        await bench.call(remove, { path: { path: `${directory}${later}` }, mount: 'own' })
        await bench.call(remove, { path: { path: `${directory}${first}/${inner}` }, mount: 'own' })
        keys.pop()
        directories.shift()
        await expectListed('after a key and a directory were removed')
      }
    },
  )
