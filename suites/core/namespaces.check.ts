import { type Bench, check } from '../../harness/checks/index.ts'
import { namesIn, storedUnder, storeEntry } from './fixtures.ts'

const namespaces = { needs: { features: ['namespaces' as const] } }

/** A namespace within a namespace, with a key-value mount in the inner one; both may have one name. */
const nested = async (bench: Bench, areNamesakes = false) => {
  const outer = await bench.namespace()
  const inner = await bench.namespace(outer, areNamesakes ? outer.slice(0, -1) : undefined)
  return { outer, inner, mount: await bench.mount('kv1', { namespace: inner }) }
}

/** How many segments of the inner namespace each equivalent spelling puts into the path. */
const SPELLINGS = { 'all in the header': 0, 'split between header and path': 1, 'all in the path': 2 }

check(
  'core/namespace-spellings',
  ['CORE-NS-01', 'CORE-NS-02', 'CORE-NS-03'],
  'three spellings of a namespace reach one entry',
  namespaces,
  async ({ bench, expect }) => {
    const { mount } = await nested(bench)
    const clauses = ['CORE-NS-01', 'CORE-NS-02', 'CORE-NS-03']
    // The mount exists: a caller who names its namespace may write to it.
    const path = bench.mixedName('key')
    const value = bench.canary('value')
    let stored = 0
    for (const [index, [spelling, namespaceInPath]] of Object.entries(SPELLINGS).entries()) {
      const written = await bench.call('kv1.write', { mount, path: { path }, body: { value }, namespaceInPath })
      await bench.decide(clauses[index]!, () => expect(written, `a write, ${spelling}`).toSucceed())
      stored += written.ok ? 1 : 0
    }
    if (stored === 0) return
    for (const [index, [spelling, namespaceInPath]] of Object.entries(SPELLINGS).entries()) {
      await bench.decide(clauses[index]!, async () => {
        expect(await storedUnder(bench, path, { mount, namespaceInPath }), spelling).toBe(value)
      })
    }
  },
)

check(
  'core/namespace-writes',
  'CORE-NS-04',
  'what is written under one spelling is read under the others',
  namespaces,
  async ({ bench, expect }) => {
    for (const areNamesakes of [false, true]) {
      const { inner, mount } = await nested(bench, areNamesakes)
      for (const [written, from] of Object.entries(SPELLINGS)) {
        const { path, value } = await storeEntry(bench, { mount, namespaceInPath: from })
        for (const [read, to] of Object.entries(SPELLINGS)) {
          const found = await storedUnder(bench, path, { mount, namespaceInPath: to })
          expect(found, `in ${inner}, written ${written}, read ${read}`).toBe(value)
        }
      }
    }
  },
)

check(
  'core/namespace-letters',
  ['CORE-NS-01', 'CORE-NS-02', 'CORE-NS-03'],
  'a namespace whose name has capitals is reached under every spelling',
  namespaces,
  async ({ bench, expect }) => {
    const outer = await bench.namespace('', `${bench.fresh('ns')}-Outer`)
    const inner = await bench.namespace(outer, `${bench.fresh('ns')}-Inner`)
    const mount = await bench.mount('kv1', { namespace: inner })
    const clauses = ['CORE-NS-01', 'CORE-NS-02', 'CORE-NS-03']
    for (const [index, [spelling, namespaceInPath]] of Object.entries(SPELLINGS).entries()) {
      const entry = { mount, path: { path: bench.fresh('key') }, namespaceInPath }
      const written = await bench.call('kv1.write', { ...entry, body: { value: spelling } })
      await bench.decide(clauses[index]!, async () => {
        expect(written, `a write in ${inner}, ${spelling}`).toSucceed()
        expect(await storedUnder(bench, entry.path.path, { mount, namespaceInPath }), spelling).toBe(spelling)
      })
    }
  },
)

check(
  'core/namespace-listings',
  'CORE-NS-09',
  'a listing shows the same names under every spelling',
  namespaces,
  async ({ bench, expect }) => {
    const { mount } = await nested(bench)
    const directory = `${bench.fresh('dir')}/`
    for (const name of ['one', 'two']) await storeEntry(bench, { mount, path: { path: `${directory}${name}` } })
    for (const [spelling, namespaceInPath] of Object.entries(SPELLINGS)) {
      for (const method of ['LIST', 'GET']) {
        const answer = await bench.call('kv1.list', { mount, path: { directory }, namespaceInPath, method })
        expect(namesIn(answer), `${method}, ${spelling}`).toEqual(['one', 'two'])
      }
    }
  },
)

check(
  'core/namespace-isolation',
  ['CORE-NS-05', 'CORE-NS-06', 'CORE-NS-07'],
  'an entry is not reached from outside, beside or around its namespace',
  { kind: 'security', ...namespaces },
  async ({ bench, expect }) => {
    const { outer, inner, mount } = await nested(bench)
    const sibling = await bench.namespace(outer)
    const below = await bench.namespace(inner)
    // In another namespace, one that is called the same.
    const namesake = await bench.namespace(await bench.namespace(), inner.slice(outer.length, -1))
    const { path, value } = await storeEntry(bench, { mount })
    const unreached = async (namespace: string) => {
      const from = namespace === '' ? 'outside' : namespace
      const before = await bench.call('kv1.read', { mount, path: { path }, namespace })
      expect(before, `read from ${from}`).toBeRefused()
      expect(before.text).not.toContain(value)
      const control = await bench.mount('kv1', { namespace, path: bench.mountPath(mount) })
      const after = await bench.call('kv1.read', { mount: control, path: { path } })
      expect(after, `read from ${from}, where the same path is mounted`).toBeRefused()
      expect(after.text).not.toContain(value)
      const own = await storeEntry(bench, { mount: control, path: { path } })
      expect(await storedUnder(bench, path, { mount }), 'the entry after a write to its namesake').toBe(value)
      expect(await storedUnder(bench, path, { mount: control })).toBe(own.value)
    }
    await bench.decide('CORE-NS-05', () => unreached(''))
    await bench.decide('CORE-NS-06', async () => {
      await unreached(sibling)
      await unreached(namesake)
    })
    await bench.decide('CORE-NS-07', async () => {
      await unreached(outer)
      await unreached(below)
    })
  },
)

check(
  'core/namespace-names-apart',
  ['CORE-NS-05', 'CORE-NS-07'],
  'listings of one path in the root and in namespaces, one right after the other, show the names of each',
  namespaces,
  async ({ bench, expect }) => {
    const { outer, inner, mount } = await nested(bench)
    const directory = `${bench.fresh('dir')}/`
    const path = bench.mountPath(mount)
    const mounts = [await bench.mount('kv1', { path }), await bench.mount('kv1', { namespace: outer, path }), mount]
    for (const [index, one] of mounts.entries()) await storeEntry(bench, { mount: one, path: { path: `${directory}of-${index}` } })
    for (const method of ['LIST', 'GET'])
      for (const index of [0, 1, 2, 1, 0, 2]) {
        const answer = await bench.call('kv1.list', { mount: mounts[index]!, path: { directory }, method })
        await bench.decide(index === 0 ? 'CORE-NS-05' : 'CORE-NS-07', () =>
          expect(namesIn(answer), `names by ${method} in ${['the root', outer, inner][index]}`).toEqual([`of-${index}`]),
        )
      }
  },
)

check(
  'core/mount-beside-namespace',
  'CORE-MOUNT-01',
  'a mount whose path only begins with the name of a namespace beside it serves',
  namespaces,
  async ({ bench, expect }) => {
    const outer = await bench.namespace()
    const inner = await bench.namespace(outer)
    for (const [namespace, beside] of [
      ['', outer],
      [outer, inner.slice(outer.length)],
    ] as const)
      for (const more of ['-beside', 'beside/below']) {
        const path = `${beside.replace(/\/$/, '')}${more}`
        const mount = await bench.mount('kv1', { ...(namespace === '' ? {} : { namespace }), path })
        const entry = { mount, path: { path: bench.fresh('entry') } }
        const written = await bench.call('kv1.write', { ...entry, body: { value: path } })
        expect(written, `a write below ${namespace}${path}`).toSucceed()
        expect(await storedUnder(bench, entry.path.path, { mount }), `what is read below ${namespace}${path}`).toBe(path)
      }
  },
)

check(
  'core/unknown-namespace',
  'CORE-NS-08',
  'a namespace that does not exist reaches nothing',
  { kind: 'security', needs: { features: ['namespaces'], mounts: { own: { type: 'kv1' } } } },
  async ({ bench, expect }) => {
    const { path, value } = await storeEntry(bench)
    const outer = await bench.namespace()
    const mount = await bench.mount('kv1', { namespace: outer })
    const within = await storeEntry(bench, { mount })
    // Within a namespace, also names that servers use for what is around it or comes with it.
    const unknown = ['root', 'default', 'admin', bench.fresh('ns')].map(
      (name) => [within, { mount, namespace: `${outer}${name}/` }, 2] as const,
    )
    for (const [entry, where, depth] of [[{ path, value }, { namespace: `${bench.fresh('ns')}/` }, 1] as const, ...unknown])
      for (let namespaceInPath = 0; namespaceInPath <= depth; namespaceInPath += 1) {
        const answer = await bench.call('kv1.read', { ...where, path: { path: entry.path }, namespaceInPath })
        expect(answer, `a read in ${where.namespace}, ${namespaceInPath} segments of it in the path`).toHaveStatus(403, 404)
        expect(answer.text).not.toContain(entry.value)
      }
  },
)

check(
  'core/removed-namespace',
  'CORE-NS-08',
  'a namespace that was removed reaches nothing, nor what is mounted at the same path around it',
  { kind: 'security', ...namespaces },
  async ({ bench, expect }) => {
    for (const outer of ['', await bench.namespace()]) {
      const inner = outer === '' ? await bench.namespace() : await bench.namespace(outer)
      const mounted = { path: bench.fresh('own') }
      const { path, value } = await storeEntry(bench, { mount: await bench.mount('kv1', { namespace: inner, ...mounted }) })
      const around = await bench.mount('kv1', { namespace: outer, ...mounted })
      await storeEntry(bench, { mount: around, path: { path } })
      const before = await storedUnder(bench, path, { mount: around })
      await bench.endNamespace(inner)
      for (const namespaceInPath of outer === '' ? [0, 1] : [0, 1, 2]) {
        const there = { mount: around, namespace: inner, namespaceInPath }
        const read = await bench.call('kv1.read', { ...there, path: { path } })
        expect(read, 'a read in a namespace that was removed').toHaveStatus(403, 404)
        for (const shown of [value, String(before)]) expect(read.text).not.toContain(shown)
        const written = await bench.call('kv1.write', { ...there, path: { path }, body: { value: 'replaced' } })
        expect(written, 'a write in a namespace that was removed').toBeRefused()
        expect(await storedUnder(bench, path, { mount: around }), 'the entry of that path around it').toBe(before)
      }
    }
  },
)

check(
  'core/namespace-asked-before',
  ['CORE-NS-01', 'CORE-NS-03'],
  'what was asked for before its namespace was made is there afterwards',
  namespaces,
  async ({ bench, expect }) => {
    const mounted = { path: bench.fresh('own') }
    const around = await bench.mount('kv1', mounted)
    const [name, path] = [bench.fresh('ns'), bench.mixedName('key')]
    const spellings = [
      ['CORE-NS-01', 0],
      ['CORE-NS-03', 1],
    ] as const
    for (const [, namespaceInPath] of spellings)
      await bench.call('kv1.read', { mount: around, namespace: `${name}/`, namespaceInPath, path: { path } })
    const namespace = await bench.namespace(undefined, name)
    const mount = await bench.mount('kv1', { namespace, ...mounted }).catch(async () => {
      // A mount is made by the header. Where one can be made in a namespace that nobody asked for before, and none here, it is that which hinders it.
      await bench.mount('kv1', { namespace: await bench.namespace(), ...mounted })
      return bench.mount('kv1', { namespace }).catch(() => undefined)
    })
    if (mount === undefined)
      return bench.decide('CORE-NS-01', () => expect(mount, 'a mount in a namespace that was asked for before it was made').toBeDefined())
    const value = bench.canary('value')
    for (const [clause, namespaceInPath] of spellings) {
      const written = await bench.call('kv1.write', { mount, path: { path }, body: { value }, namespaceInPath })
      await bench.decide(clause, async () => {
        expect(written, 'a write where something was asked for before').toSucceed()
        expect(await storedUnder(bench, path, { mount, namespaceInPath }), 'what was asked for before').toBe(value)
      })
    }
  },
)

check(
  'core/namespace-tokens',
  'CORE-NS-11',
  'a token of one namespace does not read in its sibling',
  { kind: 'security', needs: { features: ['namespaces', 'identities'] } },
  async ({ bench, expect }) => {
    const [here, there] = [await bench.namespace(), await bench.namespace()]
    const [mine, theirs] = [await bench.mount('kv1', { namespace: here }), await bench.mount('kv1', { namespace: there })]
    const entry = await storeEntry(bench, { mount: mine })
    const other = await storeEntry(bench, { mount: theirs })
    const reads = (mount: string) => ({ operation: 'kv1.read', mount, path: { path: '*' }, capabilities: ['read' as const] })
    const caller = await bench.identity([reads(mine), reads(theirs)], { namespace: here })
    expect(await storedUnder(bench, entry.path, { mount: mine, as: caller })).toBe(entry.value)
    const answer = await bench.call('kv1.read', { mount: theirs, path: { path: other.path }, as: caller })
    expect(answer).toBeRefused()
    expect(answer.text).not.toContain(other.value)
  },
)
