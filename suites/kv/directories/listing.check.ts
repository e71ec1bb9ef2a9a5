import { type Bench, check } from '../../../harness/checks/index.ts'
import { namesIn, store, VERSION_1, VERSION_2, type Version } from '../fixtures.ts'

/** Writes keys into two directories whose names begin alike, and returns the names that a listing of the first shows after each write. */
const listedWhileWriting = async (bench: Bench, version: Version, names: readonly string[]) => {
  const here = `${bench.fresh('dir')}_1`
  const seen: string[][] = []
  // Characters that mean something in a pattern mean themselves here.
  const alike = ['_', '-', '.'].map((mark) => here.replaceAll(mark, 'x')).filter((other) => other !== here)
  for (const path of [`${here}x/other`, `${here}y`, `${here}/deeper/nested`, ...alike.map((other) => `${other}/stranger`)])
    await store(bench, version, path, { value: 1 })
  for (const name of names) {
    await store(bench, version, `${here}/${name}`, { value: 1 })
    seen.push(namesIn(await bench.given(version.list, { path: { directory: `${here}/` } })))
  }
  return { here, seen }
}

const NAMES = ['one', 'zwei', 'Trois', '4']

check(
  'kv/list-names',
  ['KV-LIST-01', 'KV-LIST-02', 'KV-LIST-04'],
  'a listing names the keys of its directory',
  async ({ bench, expect }) => {
    const { here, seen } = await listedWhileWriting(bench, VERSION_1, NAMES)
    await store(bench, VERSION_1, `${here}/one`, { value: 2 })
    const last = namesIn(await bench.given('kv1.list', { path: { directory: `${here}/` } }))
    await bench.decide('KV-LIST-01', () => {
      for (const [index, listed] of [...seen, last].entries()) {
        expect(
          NAMES.slice(0, index + 1).filter((name) => !listed.includes(name)),
          'keys that are not listed',
        ).toEqual([])
      }
    })
    await bench.decide('KV-LIST-02', () => {
      const known = [...NAMES, 'deeper', 'deeper/']
      expect(
        last.filter((name) => !known.includes(name)),
        'names of other directories',
      ).toEqual([])
    })
    await bench.decide('KV-LIST-04', () => expect(new Set(last).size, 'different names').toBe(last.length))
  },
)

check(
  'kv/list-directories',
  ['KV-LIST-03', 'KV-LIST-08'],
  'directories are named with a slash, beside a key of the same name',
  async ({ bench, expect }) => {
    const base = bench.fresh('dir')
    const listedAfter = async (...paths: string[]) => {
      for (const path of paths) await store(bench, VERSION_1, `${base}/${path}`, { value: path })
      return namesIn(await bench.given('kv1.list', { path: { directory: `${base}/` } }))
    }
    const first = await listedAfter('c/d/e')
    await bench.decide('KV-LIST-03', () => expect(first).toContain('c/'))
    const listed = await listedAfter('a', 'a/b')
    await bench.decide('KV-LIST-08', () => expect(listed.filter((name) => ['a', 'a/'].includes(name)).sort()).toEqual(['a', 'a/']))
  },
)

for (const [what, version, remove] of [
  ['v1', VERSION_1, 'kv1.delete'],
  ['v2', VERSION_2, 'kv2.deleteMetadata'],
] as const)
  check(
    `kv/list-again-${what}`,
    'KV-LIST-01',
    'a key is listed in a directory that was empty before, and written again after its removal',
    async ({ bench, expect }) => {
      const directory = `${bench.fresh('dir')}/`
      const path = `${directory}key`
      for (const method of ['LIST', 'GET']) await bench.call(version.list, { path: { directory }, method })
      await store(bench, version, path, { value: 1 })
      for (const method of ['LIST', 'GET'])
        expect(namesIn(await bench.call(version.list, { path: { directory }, method })), `by ${method}, listed before`).toEqual(['key'])
      for (const value of [2, 3]) {
        // What the removal does is not said: what is there afterwards is listed.
        await bench.call(remove, { path: { path } })
        await store(bench, version, path, { value })
        if (!(await bench.call(version.read, { path: { path } })).ok) continue
        for (const method of ['LIST', 'GET'])
          expect(namesIn(await bench.call(version.list, { path: { directory }, method })), `by ${method}, written with ${value}`).toEqual([
            'key',
          ])
      }
    },
  )

check('kv/list-empty', 'KV-LIST-05', 'a directory in which nothing was written is answered with 404', async ({ bench, expect }) => {
  const base = bench.fresh('dir')
  await store(bench, VERSION_1, `${base}/key`, { value: 1 })
  await store(bench, VERSION_2, `${base}/key`, { value: 1 })
  for (const directory of [`${bench.fresh('dir')}/`, `${base}/other/`]) {
    expect(await bench.call('kv1.list', { path: { directory } }), 'version 1').toHaveStatus(404)
    expect(await bench.call('kv2.list', { path: { directory } }), 'version 2').toHaveStatus(404)
  }
  // A deletion makes nothing there that was not. Whether there is one is not said.
  const path = { path: `${base}/key` }
  await bench.call('kv1.delete', { path })
  await bench.call('kv2.deleteMetadata', { path })
  const never = { directory: `${bench.fresh('dir')}/` }
  expect(await bench.call('kv1.list', { path: never }), 'version 1, after a deletion').toHaveStatus(404)
  expect(await bench.call('kv2.list', { path: never }), 'version 2, after a deletion').toHaveStatus(404)
})

for (const [name, list, type] of [
  ['v1', 'kv1.list', 'kv1'],
  ['v2', 'kv2.list', 'kv2'],
] as const)
  check(
    `kv/${name}-list-empty-mount`,
    'KV-LIST-05',
    'a mount in which nothing was written is answered with 404, by either verb',
    { needs: { mounts: { own: { type } } } },
    async ({ bench, expect }) => {
      for (const method of ['LIST', 'GET'])
        expect(await bench.call(list, { path: { directory: '' }, mount: 'own', method }), method).toHaveStatus(404)
    },
  )

/** More keys than a listing might show at once: nothing in the documents cuts one into pages. */
const MANY = 104

for (const [name, version, clause] of [
  ['v1', VERSION_1, 'KV-LIST-01'],
  ['v2', VERSION_2, 'KV-LIST-09'],
] as const) {
  check(`kv/${name}-long-listing`, clause, 'a listing of more than a hundred keys names each', async ({ bench, expect }) => {
    const directory = `${bench.fresh('dir')}/`
    const keys = Array.from({ length: MANY }, (_, index) => `key-${index}`)
    for (const key of keys) await store(bench, version, `${directory}${key}`, { value: key })
    for (const method of ['LIST', 'GET']) {
      expect(namesIn(await bench.given(version.list, { path: { directory }, method })).sort(), method).toEqual([...keys].sort())
    }
  })

  check(
    `kv/${name}-list-between-writes`,
    clause,
    'a caller who lists a directory again sees what others wrote in between, by either verb',
    { needs: { features: ['identities'] } },
    async ({ bench, expect }) => {
      const directory = `${bench.fresh('dir')}/`
      const as = await bench.identity([{ operation: version.list, path: { directory }, capabilities: ['list'] }])
      for (const method of ['LIST', 'GET'])
        expect(await bench.call(version.list, { path: { directory }, as, method }), `${method} before the first write`).toHaveStatus(404)
      for (const written of [['one'], ['one', 'two'], ['one', 'three', 'two']]) {
        for (const key of written) await store(bench, version, `${directory}${key}`, { value: written.length })
        for (const method of ['LIST', 'GET']) {
          await bench.eventually(
            async () =>
              expect(namesIn(await bench.call(version.list, { path: { directory }, as, method })).sort(), method).toEqual(written),
            { because: 'a listing shows what others wrote' },
          )
        }
      }
    },
  )
}

check('kv/list-hides-values', 'KV-LIST-06', 'a listing shows no stored value', { kind: 'security' }, async ({ bench, expect }) => {
  const base = bench.fresh('dir')
  const value = bench.canary()
  for (const version of [VERSION_1, VERSION_2]) {
    await store(bench, version, `${base}/key`, { value })
    const answer = await bench.given(version.list, { path: { directory: `${base}/` } })
    expect(answer.text).not.toContain(value)
  }
})

check('kv/list-leaf', 'KV-LIST-07', 'a listing of a key', async ({ bench }) => {
  const path = bench.mixedName('key')
  await store(bench, VERSION_1, path, { value: 1 })
  bench.observe('KV-LIST-07', (await bench.call('kv1.list', { path: { directory: path }, method: 'LIST', observing: true })).status)
})

check('kv/list-versioned', 'KV-LIST-09', 'a listing of the versioned engine names the keys', async ({ bench, expect }) => {
  const { here, seen } = await listedWhileWriting(bench, VERSION_2, NAMES)
  for (const [index, listed] of seen.entries()) {
    expect(
      NAMES.slice(0, index + 1).filter((name) => !listed.includes(name)),
      'keys that are not listed',
    ).toEqual([])
    expect(
      listed.filter((name) => ![...NAMES, 'deeper', 'deeper/'].includes(name)),
      'names of other directories',
    ).toEqual([])
  }
  const verb = await bench.given('kv2.list', { path: { directory: `${here}/` }, method: 'LIST' })
  expect(namesIn(verb).sort()).toEqual(seen.at(-1)?.sort())
})
