import { check } from '../../harness/checks/index.ts'
import { namesIn, store, VERSION_1, VERSION_2 } from './entries.ts'

check(
  'kv/list-names',
  ['KV-LIST-01', 'KV-LIST-02', 'KV-LIST-04'],
  'a listing names the keys of its directory',
  async ({ bench, expect }) => {
    const [here, there] = [bench.fresh('dir'), bench.fresh('dir')]
    const names = ['one', 'two', 'three']
    for (const name of names) await store(bench, VERSION_1, `${here}/${name}`, { value: 1 })
    await store(bench, VERSION_1, `${here}/two`, { value: 2 })
    await store(bench, VERSION_1, `${there}/other`, { value: 1 })
    await store(bench, VERSION_1, `${here}/deeper/nested`, { value: 1 })
    const listed = namesIn(await bench.given('kv1.list', { path: { directory: `${here}/` } }))
    await bench.decide('KV-LIST-01', () =>
      expect(
        names.filter((name) => !listed.includes(name)),
        'keys that are not listed',
      ).toEqual([]),
    )
    await bench.decide('KV-LIST-02', () => expect(listed.filter((name) => ['other', 'nested', here, there].includes(name))).toEqual([]))
    await bench.decide('KV-LIST-04', () => expect(new Set(listed).size).toBe(listed.length))
  },
)

check(
  'kv/list-directories',
  ['KV-LIST-03', 'KV-LIST-08'],
  'directories are named with a slash, beside a key of the same name',
  async ({ bench, expect }) => {
    const base = bench.fresh('dir')
    for (const path of ['a', 'a/b', 'c/d/e']) await store(bench, VERSION_1, `${base}/${path}`, { value: path })
    const listed = namesIn(await bench.given('kv1.list', { path: { directory: `${base}/` } }))
    await bench.decide('KV-LIST-03', () => expect(listed).toContain('c/'))
    await bench.decide('KV-LIST-08', () => expect(listed.filter((name) => ['a', 'a/'].includes(name)).sort()).toEqual(['a', 'a/']))
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
})

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
  const path = bench.fresh('key')
  await store(bench, VERSION_1, path, { value: 1 })
  bench.observe('KV-LIST-07', (await bench.call('kv1.list', { path: { directory: path }, method: 'LIST' })).status)
})

check('kv/list-versioned', 'KV-LIST-09', 'a listing of the versioned engine names the keys', async ({ bench, expect }) => {
  const base = bench.fresh('dir')
  const names = ['one', 'two']
  for (const name of names) await store(bench, VERSION_2, `${base}/${name}`, { value: 1 })
  await store(bench, VERSION_2, `${base}/deeper/nested`, { value: 1 })
  for (const method of ['LIST', 'GET']) {
    const listed = namesIn(await bench.given('kv2.list', { path: { directory: `${base}/` }, method }))
    expect(
      names.filter((name) => !listed.includes(name)),
      `keys that are not listed by ${method}`,
    ).toEqual([])
    expect(listed, method).not.toContain('nested')
  }
})
