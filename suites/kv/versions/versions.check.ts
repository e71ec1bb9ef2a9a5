import { check } from '../../../harness/checks/index.ts'
import { onVersions, shownBy, store, storeVersion, VERSION_2 } from '../fixtures.ts'

check('kv/delete-version', 'KV-V2-08', 'a deleted version is no longer shown', async ({ bench, expect }) => {
  const path = bench.mixedName('key')
  const value = bench.canary()
  const version = await storeVersion(bench, path, { value }, 1)
  expect(await shownBy(bench, path)).toEqual({ value })
  await onVersions(bench, 'delete', path, [version])
  const answer = await bench.call('kv2.read', { path: { path } })
  expect(answer.text).not.toContain(value)
})

check(
  'kv/undelete-other-version',
  'KV-V2-08',
  'undeleting one version does not show another that is deleted',
  async ({ bench, expect }) => {
    const path = bench.mixedName('key')
    const value = bench.canary()
    const older = await storeVersion(bench, path, { value: 'older' }, 1)
    const newest = await storeVersion(bench, path, { value }, 2)
    await onVersions(bench, 'delete', path, [older, newest])
    await onVersions(bench, 'undelete', path, [older])
    expect((await bench.call('kv2.read', { path: { path } })).text).not.toContain(value)
  },
)

check('kv/undelete-version', 'KV-V2-09', 'an undeleted version is shown again', async ({ bench, expect }) => {
  const path = bench.mixedName('key')
  const value = { value: bench.canary(), more: [1, { two: null }] }
  const version = await storeVersion(bench, path, value, 1)
  await onVersions(bench, 'delete', path, [version])
  await onVersions(bench, 'undelete', path, [version])
  expect(await shownBy(bench, path)).toEqual(value)
})

check('kv/destroy-version', 'KV-V2-10', 'a destroyed version is no longer shown', async ({ bench, expect }) => {
  const path = bench.mixedName('key')
  const value = bench.canary()
  const version = await storeVersion(bench, path, { value }, 1)
  expect(await shownBy(bench, path)).toEqual({ value })
  await onVersions(bench, 'destroy', path, [version])
  const answer = await bench.call('kv2.read', { path: { path } })
  expect(answer.text).not.toContain(value)
})

check('kv/destroy-is-permanent', 'KV-V2-11', 'undelete does not bring a destroyed version back', async ({ bench, expect }) => {
  const value = bench.canary()
  for (const [before, after] of [
    [[], []],
    [['delete'], []],
    [[], ['delete']],
    [
      ['delete', 'undelete'],
      ['destroy', 'delete', 'undelete'],
    ],
  ] as const) {
    const path = bench.mixedName('key')
    const version = await storeVersion(bench, path, { value }, 1)
    for (const route of before) await onVersions(bench, route, path, [version])
    await onVersions(bench, 'destroy', path, [version])
    // What is done to a version that is destroyed already may be refused.
    for (const route of [...after, 'undelete']) await bench.call(`kv2.${route}Versions`, { path: { path }, body: { versions: [version] } })
    const answer = await bench.call('kv2.read', { path: { path } })
    expect(answer.text, [...before, 'destroy', ...after, 'undelete'].join(', ')).not.toContain(value)
  }
})

for (const [route, clause] of [
  ['delete', 'KV-V2-12'],
  ['destroy', 'KV-V2-13'],
] as const) {
  check(`kv/${route}-one-version`, clause, `${route} leaves the other versions as they are`, async ({ bench, expect }) => {
    const path = bench.mixedName('key')
    const first = await storeVersion(bench, path, { value: 'first' }, 1)
    const second = await storeVersion(bench, path, { value: 'second' }, 2)
    await onVersions(bench, route, path, [first])
    expect(await shownBy(bench, path), `newest after ${route} of the older one`).toEqual({ value: 'second' })
    const third = await storeVersion(bench, path, { value: 'third' }, 3)
    await onVersions(bench, route, path, [second])
    expect(await shownBy(bench, path)).toEqual({ value: 'third' })
    expect(new Set([first, second, third]).size, 'numbers of three versions').toBe(3)
  })
}

check('kv/write-after-delete', 'KV-V2-14', 'a write after a deletion is readable', async ({ bench, expect }) => {
  for (const route of ['delete', 'destroy'] as const) {
    const path = bench.mixedName('key')
    const version = await storeVersion(bench, path, { value: 'old' }, 1)
    await onVersions(bench, route, path, [version])
    await storeVersion(bench, path, { value: 'new' }, 2)
    expect(await shownBy(bench, path), `after ${route}`).toEqual({ value: 'new' })
  }
})

check(
  'kv/no-older-version',
  'KV-V2-31',
  'a read shows no older version once the newest is deleted or destroyed',
  async ({ bench, expect }) => {
    for (const route of ['delete', 'destroy'] as const) {
      const path = bench.mixedName('key')
      const older = bench.canary()
      await storeVersion(bench, path, { value: older }, 1)
      const newest = await storeVersion(bench, path, { value: 'newest' }, 2)
      await onVersions(bench, route, path, [newest])
      expect((await bench.call('kv2.read', { path: { path } })).text, `a read after ${route}`).not.toContain(older)
    }
  },
)

check(
  'kv/concurrent-versions',
  'KV-V2-26',
  'concurrent writes each make a version of their own',
  { kind: 'race' },
  async ({ bench, expect }) => {
    const path = bench.mixedName('key')
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((value) => store(bench, VERSION_2, path, { value })))
    const numbers = answers.map(({ data }) => data.version)
    if (numbers.some((number) => typeof number !== 'number')) {
      return bench.blocked('writes do not tell the number of their version', 'none: what a write answers is not shown')
    }
    expect(new Set(numbers).size, 'different numbers of versions').toBe(numbers.length)
  },
)

check(
  'kv/versions-done-before',
  ['KV-V2-08', 'KV-V2-09', 'KV-V2-10'],
  'of several versions each is worked on, whichever of them were done before and wherever they stand',
  async ({ bench, expect }) => {
    for (const of of [
      (done: number, left: number) => [done, left],
      (done: number, left: number) => [left, done],
      (done: number, left: number, between: number) => [between, done, left],
    ]) {
      const path = bench.mixedName('key')
      const value = bench.canary()
      const [first, second] = [
        await storeVersion(bench, path, { value: 'first' }, 1),
        await storeVersion(bench, path, { value: 'second' }, 2),
      ]
      const last = await storeVersion(bench, path, { value }, 3)
      const shown = async () => (await bench.call('kv2.read', { path: { path } })).text.includes(value)
      await onVersions(bench, 'delete', path, [first])
      await onVersions(bench, 'delete', path, of(first, last, second))
      await bench.decide('KV-V2-08', async () => expect(await shown(), 'a version that was deleted with one deleted before').toBe(false))
      await onVersions(bench, 'undelete', path, [first])
      await onVersions(bench, 'undelete', path, of(first, last, second))
      await bench.decide('KV-V2-09', async () => expect(await shown(), 'a version that was restored with one restored before').toBe(true))
      await onVersions(bench, 'destroy', path, [first])
      await onVersions(bench, 'destroy', path, of(first, last, second))
      await bench.decide('KV-V2-10', async () =>
        expect(await shown(), 'a version that was destroyed with one destroyed before').toBe(false),
      )
    }
  },
)

check(
  'kv/versions-beside-absent',
  ['KV-V2-08', 'KV-V2-09', 'KV-V2-10'],
  'existing versions in a list are worked on, wherever an absent number stands in it',
  async ({ bench, expect }) => {
    const absent = 90
    for (const versions of [
      [1, absent, 2],
      [absent, 1, 2],
      [1, 2, absent],
    ]) {
      const path = bench.mixedName('key')
      const value = bench.canary()
      await storeVersion(bench, path, { value: 'first' }, 1)
      await storeVersion(bench, path, { value }, 2)
      const shown = async () => (await bench.call('kv2.read', { path: { path } })).text.includes(value)
      for (const [route, clause, isShown] of [
        ['delete', 'KV-V2-08', false],
        ['undelete', 'KV-V2-09', true],
        ['destroy', 'KV-V2-10', false],
      ] as const) {
        // Whether a list may name what there is not is not said.
        const { ok, status } = await bench.call(`kv2.${route}Versions`, { path: { path }, body: { versions } })
        if (!ok) bench.observe(clause, status)
        else await bench.decide(clause, async () => expect(await shown(), `${route} of ${versions}: shown`).toBe(isShown))
      }
    }
  },
)
