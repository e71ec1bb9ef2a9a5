import { type Bench, check, type Expect, type JsonObject } from '../../../harness/checks/index.ts'
import { namesIn, objectIn, storedUnder, storeEntry } from '../fixtures.ts'

const mounts = { features: ['mounts' as const] }

const namesUnder = async (bench: Bench, mount: string, directory: string, method = 'LIST') =>
  namesIn(await bench.call('kv1.list', { mount, path: { directory: `${directory}/` }, method }))

/** Writes, lists and deletes at the same key of both mounts; neither sees the other. */
const expectApart = async (bench: Bench, expect: Expect, one: string, other: string): Promise<void> => {
  const directory = bench.fresh('dir')
  const path = `${directory}/entry`
  const { value } = await storeEntry(bench, { mount: one, path: { path } })
  expect(await storedUnder(bench, path, { mount: other }), 'the other mount after a write').toEqual({ status: 404 })
  expect(await namesUnder(bench, other, directory), 'names in the other mount').toEqual([])
  const second = await storeEntry(bench, { mount: other, path: { path } })
  await storeEntry(bench, { mount: other, path: { path: `${directory}/of-the-other` } })
  // One right after the other, in both forms.
  for (const method of ['LIST', 'GET']) {
    expect(await namesUnder(bench, one, directory, method), `names by ${method}`).toEqual(['entry'])
    expect(await namesUnder(bench, other, directory, method), `names by ${method} in the other mount`).toEqual(['entry', 'of-the-other'])
  }
  expect(await storedUnder(bench, path, { mount: one }), 'the entry after a write to its namesake').toBe(value)
  const deleted = await bench.call('kv1.delete', { mount: other, path: { path } })
  expect(await storedUnder(bench, path, { mount: one }), 'the entry after the deletion of its namesake').toBe(value)
  const read = await bench.call('kv1.read', { mount: other, path: { path } })
  if (deleted.ok) expect(read.text).not.toContain(second.value)
}

check(
  'core/mounts-of-like-names',
  'CORE-MOUNT-02',
  'mounts whose paths begin alike are apart',
  { needs: mounts },
  async ({ bench, expect }) => {
    const base = bench.fresh('kv1')
    const [short, long] = [await bench.mount('kv1', { path: base }), await bench.mount('kv1', { path: `${base}-beside` })]
    await expectApart(bench, expect, short, long)
    await expectApart(bench, expect, long, short)
    const [one, two] = [await bench.mount('kv1', { path: `${base}-in/one` }), await bench.mount('kv1', { path: `${base}-in/two` })]
    await expectApart(bench, expect, one, two)
    await expectApart(bench, expect, two, one)
  },
)

check(
  'core/mounts-apart-in-namespaces',
  'CORE-MOUNT-02',
  'mounts in a namespace are apart, and so are those in one within it',
  { needs: { features: ['mounts', 'namespaces'] } },
  async ({ bench, expect }) => {
    const outer = await bench.namespace()
    for (const namespace of [outer, await bench.namespace(outer)]) {
      const [one, two] = [await bench.mount('kv1', { namespace }), await bench.mount('kv1', { namespace })]
      await expectApart(bench, expect, one, two)
      await expectApart(bench, expect, two, one)
    }
  },
)

check(
  'core/mount-depths',
  'CORE-MOUNT-01',
  'a mount serves at a path of any number of segments',
  { needs: mounts },
  async ({ bench, expect }) => {
    const segments = [bench.fresh('kv1'), 'one', 'two', 'three', 'four']
    for (const count of segments.keys()) {
      // Each has a beginning of its own: whether a mount may be made within another is not said.
      const path = [`${segments[0]}-${count}`, ...segments.slice(1, count + 1)].join('/')
      const mount = await bench.mount('kv1', { path })
      const name = bench.fresh('entry')
      const written = await bench.call('kv1.write', { mount, path: { path: name }, body: { value: path } })
      expect(written, `a write below a mount of ${count + 1} segments`).toSucceed()
      expect(await storedUnder(bench, name, { mount }), `what is read below a mount of ${count + 1} segments`).toBe(path)
    }
  },
)

check(
  'core/path-beside-mount',
  'CORE-STATUS-06',
  'a path that only begins with the name of a mount is below none',
  { needs: { mounts: { own: { type: 'kv1' } } } },
  async ({ bench, expect }) => {
    const { path, value } = await storeEntry(bench, { mount: 'own' })
    for (const beside of ['-beside', '-beside/data', '.d']) {
      const anyPath = `${bench.mountPath('own')}${beside}/${path}`
      const read = await bench.call('core.readAny', { path: { anyPath } })
      expect(read, `a read below ${beside}`).toHaveStatus(404)
      expect(read.text).not.toContain(value)
      expect(await bench.call('core.writeAny', { path: { anyPath }, body: { value: 'beside' } }), `a write below ${beside}`).toHaveStatus(
        404,
      )
      expect(await storedUnder(bench, path, { mount: 'own' }), 'the entry of that name').toBe(value)
    }
  },
)

check(
  'core/mounted-again',
  'CORE-MOUNT-03',
  'a mount that is made where another was removed holds nothing of it',
  { needs: mounts },
  async ({ bench, expect }) => {
    const place = { path: bench.fresh('kv1') }
    const directory = bench.fresh('dir')
    const first = await bench.mount('kv1', place)
    const { path, value } = await storeEntry(bench, { mount: first, path: { path: `${directory}/entry` } })
    await bench.unmount(first)
    const second = await bench.mount('kv1', place)
    const answer = await bench.call('kv1.read', { mount: second, path: { path } })
    expect(answer, 'a read of what the removed mount held').toHaveStatus(404)
    expect(answer.text).not.toContain(value)
    expect(await namesUnder(bench, second, directory), 'names that the removed mount held').toEqual([])
    const own = await storeEntry(bench, { mount: second, path: { path } })
    expect(await storedUnder(bench, path, { mount: second })).toBe(own.value)
  },
)

check(
  'core/mounted-as-the-other-version',
  'CORE-MOUNT-01',
  'where key-value of one version was mounted, the other one serves its own paths afterwards',
  { needs: mounts },
  async ({ bench, expect }) => {
    const place = { path: bench.fresh('kv') }
    const [directory, name] = [bench.fresh('dir'), bench.fresh('entry')]
    const path = { path: `${directory}/${name}` }
    for (const version of [1, 2, 1]) {
      const what = `version ${version} where the other one was before it`
      const mount = await bench.mount(version === 1 ? 'kv1' : 'kv2', place)
      const value = bench.canary('value')
      const body: JsonObject = version === 1 ? { value } : { data: { value } }
      expect(await bench.call(`kv${version}.write`, { mount, path, body }), `a write to ${what}`).toSucceed()
      const read = await bench.call(`kv${version}.read`, { mount, path })
      expect(version === 1 ? objectIn(read) : read.data.data, `what is read from ${what}`).toMatchObject({ value })
      const listing = await bench.call(`kv${version}.list`, { mount, path: { directory: `${directory}/` } })
      expect(namesIn(listing), `names in ${what}`).toEqual([name])
      await bench.unmount(mount)
    }
  },
)

check(
  'core/asked-before-mounted',
  'CORE-MOUNT-01',
  'what was asked for before anything was mounted there is served afterwards',
  { needs: mounts },
  async ({ bench, expect }) => {
    const place = { path: bench.fresh('kv1') }
    const [directory, name] = [bench.fresh('dir'), bench.fresh('entry')]
    const path = `${directory}/${name}`
    for (const below of [path, `${directory}/`]) await bench.call('core.readAny', { path: { anyPath: `${place.path}/${below}` } })
    const mount = await bench.mount('kv1', place)
    const value = bench.canary('value')
    const written = await bench.call('kv1.write', { mount, path: { path }, body: { value } })
    expect(written, 'a write where something was asked for before').toSucceed()
    expect(await storedUnder(bench, path, { mount }), 'what was asked for before').toBe(value)
    expect(await namesUnder(bench, mount, directory), 'names that were asked for before').toEqual([name])
  },
)

check(
  'core/unmounted-beside',
  ['CORE-MOUNT-01', 'CORE-STATUS-06'],
  'a mount that is removed answers no more, and leaves those whose paths begin as its does, and those within a directory of its name',
  { needs: mounts },
  async ({ bench, expect }) => {
    const base = bench.fresh('kv1')
    const removed = await bench.mount('kv1', { path: base })
    const beside = ['-beside', '2', '-in/one'].map((more) => `${base}${more}`)
    const kept: { mount: string; path: string; value: string }[] = []
    for (const path of beside) {
      const mount = await bench.mount('kv1', { path })
      kept.push({ mount, ...(await storeEntry(bench, { mount })) })
    }
    const gone = await storeEntry(bench, { mount: removed })
    const anyPath = `${bench.mountPath(removed)}/${gone.path}`
    await bench.unmount(removed)
    for (const [index, { mount, path, value }] of kept.entries())
      await bench.decide('CORE-MOUNT-01', async () =>
        expect(await storedUnder(bench, path, { mount }), `what is read below ${beside[index]}`).toBe(value),
      )
    await bench.decide('CORE-STATUS-06', async () => {
      const read = () => bench.call('core.readAny', { path: { anyPath } })
      await bench.eventually(async () => expect(await read(), 'a read of what the removed mount held').toHaveStatus(404))
      expect((await read()).text).not.toContain(gone.value)
      const written = await bench.call('core.writeAny', { path: { anyPath }, body: { value: 'once more' } })
      expect(written, 'a write of what the removed mount held').toHaveStatus(404)
    })
  },
)

check(
  'core/paths-named-as-the-mount',
  'CORE-MOUNT-01',
  'below a mount, paths that begin as its own does are paths like others',
  { needs: mounts },
  async ({ bench, expect }) => {
    const base = bench.fresh('kv1')
    for (const at of [base, `${base}-in/one`]) {
      const mount = await bench.mount('kv1', { path: at })
      const paths = ['entry', `${at}/entry`, `${at}/${at}/entry`, `${at.split('/').at(-1)}/entry`]
      for (const path of new Set(paths)) {
        const written = await bench.call('kv1.write', { mount, path: { path }, body: { value: path } })
        expect(written, `a write at ${path} below ${at}`).toSucceed()
      }
      for (const path of paths) expect(await storedUnder(bench, path, { mount }), `what is read at ${path} below ${at}`).toBe(path)
    }
  },
)
