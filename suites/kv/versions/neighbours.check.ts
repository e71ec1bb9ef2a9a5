import { type Bench, type Caller, check, type Expect } from '../../../harness/checks/index.ts'
import { onVersions, shownBy, store, storeVersion, VERSION_2 } from '../fixtures.ts'

const numbered = async (bench: Bench, path: string, version: number) =>
  (await bench.call('kv2.read', { path: { path }, query: { version: String(version) } })).data.data

/** Versions of a key, by number; null where the target does not read older ones by number, which is left open. */
const readable = async (bench: Bench, path: string, count = 3): Promise<Map<number, string> | null> => {
  const versions = new Map<number, string>()
  for (let turn = 1; turn <= count; turn += 1)
    versions.set(await storeVersion(bench, path, { value: `version ${turn}` }, turn), `version ${turn}`)
  for (const [number, value] of versions) {
    const shown = await numbered(bench, path, number)
    if (JSON.stringify(shown) !== JSON.stringify({ value })) return null
  }
  return versions
}

const expectOthers = async (bench: Bench, expect: Expect, path: string, versions: Map<number, string> | null, but: number) => {
  expect(await shownBy(bench, path), 'the newest version').toEqual({ value: 'version 3' })
  for (const [number, value] of versions ?? []) {
    if (number !== but) expect(await numbered(bench, path, number), `version ${number}`).toEqual({ value })
  }
}

check(
  'kv/v2-other-versions',
  ['KV-V2-12', 'KV-V2-13'],
  'what becomes of the middle version becomes of no other, as far as older ones are read',
  async ({ bench, expect }) => {
    for (const [route, clause] of [
      ['delete', 'KV-V2-12'],
      ['destroy', 'KV-V2-13'],
    ] as const) {
      const path = bench.mixedName('key')
      const versions = await readable(bench, path)
      const middle = [...(versions?.keys() ?? [])][1] ?? 2
      await onVersions(bench, route, path, [middle])
      await bench.decide(clause, () => expectOthers(bench, expect, path, versions, middle))
    }
  },
)

type Versions = readonly (readonly [number, string])[]

const expectShown = async (bench: Bench, expect: Expect, path: string, versions: Versions, after: string): Promise<void> => {
  for (const [number, value] of versions) expect(await numbered(bench, path, number), `version ${number}, ${after}`).toEqual({ value })
}

for (const [route, kept, gone] of [
  ['delete', 'KV-V2-12', 'KV-V2-08'],
  ['destroy', 'KV-V2-13', 'KV-V2-10'],
] as const)
  check(
    `kv/v2-${route}-several-versions`,
    [kept, gone],
    `${route} of several versions at once is done to each of them and to none between, as far as older ones are read`,
    async ({ bench, expect }) => {
      const path = bench.mixedName('key')
      const versions = [...((await readable(bench, path, 6)) ?? [])]
      const numbers = versions.length > 0 ? versions.map(([number]) => number) : [1, 2, 3, 4, 5, 6]
      const [odd, even] = [1, 0].map((rest) => numbers.filter((_, index) => (index + 1) % 2 === rest)) as [number[], number[]]
      await onVersions(bench, route, path, odd)
      await bench.decide(kept, async () => {
        expect(await shownBy(bench, path), `the newest version, after ${route} of three older ones`).toEqual({ value: 'version 6' })
        const others = versions.filter(([number]) => even.includes(number))
        await expectShown(bench, expect, path, others, `after ${route} of those beside it`)
      })
      for (const [number, value] of versions.filter(([one]) => odd.includes(one)))
        await bench.decide(gone, async () =>
          expect(await numbered(bench, path, number), `version ${number}, which was read before the ${route}`).not.toEqual({ value }),
        )
      await onVersions(bench, route, path, even)
      await bench.decide(gone, async () => expect(await shownBy(bench, path), `the newest version, after ${route} of all`).toBe('nothing'))
      const stayGone = async (when: string) => {
        for (const [number, value] of versions)
          expect(await numbered(bench, path, number), `version ${number}, ${when}`).not.toEqual({ value })
      }
      // Whether older versions are read by number is open.
      if (versions.length > 0) await bench.decide(gone, () => stayGone(`after ${route} of all`))
      await storeVersion(bench, path, { value: 'version 7' }, 7)
      await bench.decide(kept, async () =>
        expect(await shownBy(bench, path), `a version that was written after ${route} of all`).toEqual({ value: 'version 7' }),
      )
      if (versions.length > 0) await bench.decide(gone, () => stayGone(`after ${route} of all and another write`))
    },
  )

check(
  'kv/v2-undelete-several-versions',
  ['KV-V2-09', 'KV-V2-08'],
  'undelete of some or all versions restores each of them and no other, as far as older ones are read',
  async ({ bench, expect }) => {
    const path = bench.mixedName('key')
    const versions = [...((await readable(bench, path, 4)) ?? [])]
    const all = versions.length > 0 ? versions.map(([number]) => number) : [1, 2, 3, 4]
    const [first, , third] = versions
    const two = [first?.[0] ?? 1, third?.[0] ?? 3]
    const restored = (shown: Versions, when: string, isNewest = true) =>
      bench.decide('KV-V2-09', async () => {
        if (isNewest) expect(await shownBy(bench, path), `the newest version, ${when}`).toEqual({ value: 'version 4' })
        await expectShown(bench, expect, path, shown, when)
      })
    await onVersions(bench, 'delete', path, two)
    // Those that are not deleted stand between those that are.
    await onVersions(bench, 'undelete', path, all)
    await restored(versions, 'after all were undeleted, two of which were deleted')
    await onVersions(bench, 'delete', path, two)
    // One alone, with newer ones there; then all of them at once.
    await onVersions(bench, 'undelete', path, [two[0]!])
    if (versions.length > 0) await restored(versions.slice(0, 1), 'undeleted while newer ones are there', false)
    await onVersions(bench, 'delete', path, all)
    await onVersions(bench, 'undelete', path, all)
    await restored(versions, 'after all were undeleted at once')
    if (versions.length === 0) return bench.observe('KV-V2-08', 'older versions are not read by number')
    // Each alone of all that are deleted.
    for (const [number] of versions.toReversed()) {
      await onVersions(bench, 'delete', path, all)
      await onVersions(bench, 'undelete', path, [number])
      await restored(
        versions.filter(([one]) => one === number),
        'undeleted alone',
        number === versions.at(-1)?.[0],
      )
      await bench.decide('KV-V2-08', async () => {
        for (const [other, value] of versions)
          if (other !== number)
            expect(await numbered(bench, path, other), `version ${other}, while ${number} alone is undeleted`).not.toEqual({ value })
      })
    }
  },
)

check(
  'kv/v2-many-versions',
  ['KV-V2-12', 'KV-V2-13'],
  'of ten versions one is chosen by its number, not by what its digits hold',
  async ({ bench, expect }) => {
    // The digits of the one are in the last number, those of the other are not.
    for (const [route, clause] of [
      ['delete', 'KV-V2-12'],
      ['destroy', 'KV-V2-13'],
    ] as const)
      for (const at of [0, 1]) {
        const path = bench.mixedName('key')
        // No more: a server may keep ten only.
        const versions = [...((await readable(bench, path, 10)) ?? [])]
        const [chosen, newest] = [versions[at]?.[0] ?? at + 1, versions.at(-1)?.[0] ?? 10]
        await onVersions(bench, route, path, [chosen])
        await bench.decide(clause, async () =>
          expect(await shownBy(bench, path), `the newest version, after ${route} of version ${chosen}`).toEqual({ value: 'version 10' }),
        )
        await onVersions(bench, route, path, [newest])
        const others = versions.filter(([number]) => number !== chosen && number !== newest)
        if (others.length === 0) continue
        await bench.decide(clause, async () => {
          for (const [number, value] of others)
            expect(await numbered(bench, path, number), `version ${number}, after ${route} of version ${newest}`).toEqual({ value })
        })
      }
  },
)

check('kv/v2-equal-versions', ['KV-V2-12', 'KV-V2-13'], 'versions with one content are as apart as any', async ({ bench, expect }) => {
  for (const [route, clause] of [
    ['delete', 'KV-V2-12'],
    ['destroy', 'KV-V2-13'],
  ] as const) {
    const path = bench.mixedName('key')
    const value = { value: bench.canary() }
    const first = await storeVersion(bench, path, value, 1)
    await storeVersion(bench, path, { value: 'between' }, 2)
    await storeVersion(bench, path, value, 3)
    await onVersions(bench, route, path, [first])
    await bench.decide(clause, async () =>
      expect(await shownBy(bench, path), `the newest version, after ${route} of the first, which held the same`).toEqual(value),
    )
  }
})

check(
  'kv/v2-destroy-beside-deleted',
  'KV-V2-09',
  'a deleted version can be undeleted whatever became of the others meanwhile',
  async ({ bench, expect }) => {
    for (const route of ['destroy', 'delete', 'undelete'] as const) {
      const path = bench.mixedName('key')
      const other = await storeVersion(bench, path, { value: 'other' }, 1)
      const version = await storeVersion(bench, path, { value: 'deleted' }, 2)
      await onVersions(bench, 'delete', path, [version])
      await onVersions(bench, route, path, [other])
      expect(await shownBy(bench, path), `the deleted version, after ${route} of the other`).not.toEqual({ value: 'deleted' })
      await onVersions(bench, 'undelete', path, [version])
      expect(await shownBy(bench, path), `the version, undeleted after ${route} of the other`).toEqual({ value: 'deleted' })
    }
  },
)

check(
  'kv/v2-undelete-beside-newer',
  'KV-V2-09',
  'a deleted version can be undeleted though a newer one was written meanwhile, as far as older ones are read',
  async ({ bench, expect }) => {
    const path = bench.mixedName('key')
    const versions = await readable(bench, path, 2)
    if (versions === null) return bench.observe('KV-V2-09', 'older versions are not read by number')
    await onVersions(bench, 'delete', path, [1, 2])
    await storeVersion(bench, path, { value: 'newer' }, 3)
    await onVersions(bench, 'undelete', path, [1, 2])
    await expectShown(bench, expect, path, [...versions], 'undeleted once a newer one was written')
  },
)

check('kv/v2-delete-again', 'KV-V2-08', 'a version that is deleted twice stays away', async ({ bench, expect }) => {
  const path = bench.mixedName('key')
  const version = await storeVersion(bench, path, { value: 'deleted' }, 1)
  await onVersions(bench, 'delete', path, [version])
  await bench.call('kv2.deleteVersions', { path: { path }, body: { versions: [version] } })
  expect(await shownBy(bench, path)).not.toEqual({ value: 'deleted' })
})

check(
  'kv/v2-destroy-by-caller',
  ['KV-V2-10', 'KV-V2-11'],
  'what a caller who may destroys is gone for good',
  { needs: { features: ['identities'] } },
  async ({ bench, expect }) => {
    const path = bench.mixedName('key')
    await store(bench, VERSION_2, path, { value: 'destroyed' })
    const version = await storeVersion(bench, path, { value: 'destroyed' }, 2)
    const grant = { operation: 'kv2.destroyVersions', path: { path }, capabilities: ['create' as const, 'update' as const] }
    // Where no callers can be made root stands for one: the clauses hold for every caller.
    const as = await bench.identity([grant]).catch((): Caller => 'root')
    await bench.given('kv2.destroyVersions', { path: { path }, body: { versions: [version - 1, version] }, as })
    await bench.decide('KV-V2-10', async () => expect(await shownBy(bench, path)).not.toEqual({ value: 'destroyed' }))
    await bench.call('kv2.undeleteVersions', { path: { path }, body: { versions: [version - 1, version] } })
    await bench.decide('KV-V2-11', async () => expect(await shownBy(bench, path)).not.toEqual({ value: 'destroyed' }))
  },
)
