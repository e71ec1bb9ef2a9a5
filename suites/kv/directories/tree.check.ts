import { type Bench, check } from '../../../harness/checks/index.ts'
import { exactJson } from '../exact.ts'
import { meantBy, namesIn, store, VERSION_1, VERSION_2, type Version } from '../fixtures.ts'
import { expectTree, plant, type Tree, type TreeClauses } from './tree.ts'

interface VersionClauses extends TreeClauses {
  absent: string
  /** Of keys below the path that a deletion names. */
  above: string
  /** Of keys that differ in case only. */
  cases: string
  version: Version
}

const V1: VersionClauses = {
  version: VERSION_1,
  read: 'KV-V1-01',
  listed: 'KV-LIST-01',
  absent: 'KV-V1-08',
  cases: 'KV-V1-10',
  above: 'KV-V1-16',
}
const V2: VersionClauses = {
  version: VERSION_2,
  read: 'KV-V2-02',
  listed: 'KV-LIST-09',
  absent: 'KV-V2-07',
  cases: 'KV-V2-30',
  above: 'KV-V2-32',
}
const BEARER: TreeClauses = { read: 'CORE-AUTH-07', listed: 'CORE-AUTH-07' }
const GRANTED: TreeClauses = { read: 'CORE-CAP-03', listed: 'CORE-CAP-11' }

/** Directories of the tree. The documents do not say that a deletion of such a path leaves the keys below it. */
const DIRECTORIES = ['abd', 'b', 'deep/2', 'many']
/** Names that neither a key nor a directory of the tree has. */
const ABSENT = ['abx', 'ab/x', 'deep/2/x', 'man']

/** Both clauses of the tree in one. */
const both = (clause: string): TreeClauses => ({ read: clause, listed: clause })

const forget = (tree: Tree, name: string): void => {
  tree.stored.delete(name)
  tree.unsaid.add(name)
}

const granted = (bench: Bench, version: Version, root: string) => {
  const below = (operation: string, path: Record<string, string>, capabilities: ('read' | 'list')[]) => ({ operation, path, capabilities })
  return bench.identity([
    below(version.read, { path: `${root}/*` }, ['read', 'list']),
    below(version.list, { directory: `${root}/*` }, ['read', 'list']),
    below(version.list, { directory: '' }, ['list']),
  ])
}

for (const [name, clauses] of Object.entries({ v1: V1, v2: V2 })) {
  const { version } = clauses

  check(
    `kv/${name}-tree`,
    [clauses.read, clauses.listed, 'KV-LIST-03', 'CORE-AUTH-07'],
    'keys with names that are near one another are all read and listed, with either carrier',
    async ({ bench, expect }) => {
      const tree = await plant(bench, version)
      await expectTree(bench, expect, version, tree, clauses)
      await expectTree(bench, expect, version, tree, BEARER, { carrier: 'bearer' })
    },
  )

  check(
    `kv/${name}-tree-callers`,
    ['CORE-CAP-03', 'CORE-CAP-11', 'KV-LIST-03'],
    'a caller with the capabilities reads and lists what root does',
    { needs: { features: ['identities'] } },
    async ({ bench, expect }) => {
      const tree = await plant(bench, version)
      const as = await granted(bench, version, tree.root)
      await expectTree(bench, expect, version, tree, GRANTED, { as })
      const key = bench.fresh('key')
      await store(bench, version, key, { value: key })
      await bench.decide('CORE-CAP-11', async () => {
        const top = namesIn(await bench.call(version.list, { path: { directory: '' }, as }))
        expect(top, 'the top of the mount').toContain(key)
      })
    },
  )

  check(`kv/${name}-bearer-writes`, 'CORE-AUTH-07', 'what a bearer writes by either verb is stored', async ({ bench, expect }) => {
    for (const method of ['POST', 'PUT']) {
      const path = { path: bench.mixedName('key') }
      for (const value of ['first', 'second']) {
        expect(await bench.call(version.write, { path, method, body: version.body({ value }), carrier: 'bearer' }), method).toSucceed()
        expect(meantBy(version, await bench.call(version.read, { path })), `written by ${method}`).toContainEqual({ value })
      }
    }
  })

  check(
    `kv/${name}-case-variants`,
    [clauses.cases, clauses.absent, clauses.listed],
    'keys that differ in case are two, and a third is neither read nor left out of listings',
    async ({ bench, expect }) => {
      const root = bench.fresh('case')
      const pathOf = (key: string) => ({ path: { path: `${root}/${key}` } })
      const written = ['name', 'Name', 'NAMe']
      for (const key of written) await store(bench, version, `${root}/${key}`, { value: key })
      let areTwo = false
      await bench.decide(clauses.cases, async () => {
        for (const key of written)
          expect(meantBy(version, await bench.call(version.read, pathOf(key))), `the object stored as ${key}`).toContainEqual({
            value: key,
          })
        areTwo = true
      })
      // Keys that differ in case may be one: then no third was left unwritten.
      if (!areTwo) {
        for (const clause of [clauses.absent, clauses.listed]) bench.observe(clause, 'keys that differ in case are one')
        return
      }
      const third = await bench.call(version.read, pathOf('NAME'))
      const listed = namesIn(await bench.given(version.list, { path: { directory: `${root}/` } }))
      await bench.decide(clauses.absent, () => expect(third, 'a key of which variants were written').toHaveStatus(404))
      await bench.decide(clauses.listed, () => expect(listed.sort()).toEqual([...written].sort()))
    },
  )
}

check(
  'kv/v1-tree-deletion',
  ['KV-V1-01', 'KV-V1-04', 'KV-LIST-01', 'KV-LIST-03', 'KV-V1-16'],
  'a deletion leaves the keys beside and below alone, that of an absent key too, and a key written again has its new object only',
  async ({ bench, expect }) => {
    const tree = await plant(bench, VERSION_1)
    const remove = (name: string) => bench.call('kv1.delete', { path: { path: `${tree.root}/${name}` } })
    const path = { path: `${tree.root}/ab` }
    for (const absent of ABSENT) await remove(absent)
    await remove('ab')
    forget(tree, 'ab')
    await expectTree(bench, expect, VERSION_1, tree, V1)
    await store(bench, VERSION_1, path.path, { again: true })
    await bench.decide('KV-V1-04', async () => {
      expect(meantBy(VERSION_1, await bench.call('kv1.read', { path }))).toContainEqual(exactJson('{"again": true}'))
    })
    tree.stored.set('ab', { again: true })
    tree.unsaid.delete('ab')
    // Upwards: nothing is below the key that is deleted.
    for (const key of ['a/b/c', 'a/b', 'a'].filter((name) => tree.stored.has(name))) {
      await remove(key)
      forget(tree, key)
      await expectTree(bench, expect, VERSION_1, tree, V1)
    }
    for (const name of DIRECTORIES) await remove(name)
    await expectTree(bench, expect, VERSION_1, tree, both('KV-V1-16'))
  },
)

check(
  'kv/v2-tree-deletion',
  ['KV-V2-02', 'KV-LIST-09', 'KV-LIST-03', 'KV-V2-32'],
  'deletions of every kind leave the keys beside and below alone',
  async ({ bench, expect }) => {
    const tree = await plant(bench, VERSION_2)
    const removeAll = async (operation: string, names: readonly string[]): Promise<void> => {
      for (const name of names) {
        const there = { path: `${tree.root}/${name}` }
        await bench.call(operation, operation.endsWith('Versions') ? { path: there, body: { versions: [1] } } : { path: there })
      }
    }
    const operations = ['kv2.deleteLatest', 'kv2.deleteVersions', 'kv2.destroyVersions', 'kv2.deleteMetadata']
    forget(tree, 'ab')
    for (const operation of operations) {
      await removeAll(operation, [...ABSENT, 'ab'])
      await expectTree(bench, expect, VERSION_2, tree, V2)
    }
    const keys = ['a'].filter((name) => tree.stored.has(name))
    for (const key of keys) forget(tree, key)
    for (const operation of operations) await removeAll(operation, [...DIRECTORIES, ...keys])
    await expectTree(bench, expect, VERSION_2, tree, both('KV-V2-32'))
  },
)

check(
  'kv/two-mounts',
  ['KV-V1-01', 'KV-V2-02'],
  'mounts share no key',
  { needs: { mounts: { one: { type: 'kv1' }, other: { type: 'kv1' }, third: { type: 'kv2' }, fourth: { type: 'kv2' } } } },
  async ({ bench, expect }) => {
    const path = { path: bench.mixedName('key') }
    const sides = [
      { version: VERSION_1, clause: 'KV-V1-01', mounts: ['one', 'other'] },
      { version: VERSION_2, clause: 'KV-V2-02', mounts: ['third', 'fourth'] },
    ]
    for (const { version, clause, mounts: aliases } of sides) {
      // Of a target with fixed mounts two aliases may name one.
      const mounts = aliases.filter(
        (alias, index) => aliases.findIndex((other) => bench.mountPath(other) === bench.mountPath(alias)) === index,
      )
      const held = new Map<string, string>()
      for (const [turn, mount] of [...mounts, ...mounts].entries()) {
        held.set(mount, `${mount} ${turn}`)
        await bench.given(version.write, { path, mount, body: version.body({ value: `${mount} ${turn}` }) })
        await bench.decide(clause, async () => {
          for (const [alias, value] of held) {
            expect(meantBy(version, await bench.call(version.read, { path, mount: alias })), 'a key of one mount').toContainEqual({ value })
          }
        })
      }
    }
  },
)
