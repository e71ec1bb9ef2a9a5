import { type CallInput, type Capability, type CheckContext, check } from '../../harness/checks/index.ts'
import { namesIn, storedUnder, storeEntry } from './fixtures.ts'

const namespaces = { features: ['namespaces' as const] }

type Entry = Awaited<ReturnType<typeof storeEntry>>

/** An entry of a mount is neither read nor written by a request that goes elsewhere. */
const isOutOfReach = async (
  { bench, expect }: CheckContext,
  { path, value }: Entry,
  mount: Awaited<ReturnType<CheckContext['bench']['mount']>>,
  elsewhere: CallInput,
): Promise<void> => {
  const there = { ...elsewhere, mount, path: { path } }
  const read = await bench.call('kv1.read', there)
  expect(read, 'a read there').toHaveStatus(403, 404)
  expect(read.text).not.toContain(value)
  for (const method of ['POST', 'PUT'])
    expect(await bench.call('kv1.write', { ...there, method, body: { value: 'elsewhere' } }), `${method} there`).toHaveStatus(403, 404)
  expect(await storedUnder(bench, path, { mount }), 'the entry of the namespace that exists').toBe(value)
}

check(
  'core/namespace-of-like-name',
  ['CORE-NS-06', 'CORE-NS-08'],
  'a name that only begins with that of a namespace reaches nothing, and another namespace once there is one of that name',
  { kind: 'security', needs: namespaces },
  async (context) => {
    const { bench } = context
    const outer = await bench.namespace()
    for (const [parent, known] of [
      ['', outer],
      [outer, await bench.namespace(outer)],
    ] as const) {
      const mount = await bench.mount('kv1', { namespace: known })
      const entry = await storeEntry(bench, { mount })
      const namespace = `${known.slice(0, -1)}-beside/`
      const isApart = async () => {
        for (const namespaceInPath of [0, 1]) await isOutOfReach(context, entry, mount, { namespace, namespaceInPath })
      }
      await bench.decide('CORE-NS-08', isApart)
      await bench.namespace(parent, namespace.slice(parent.length, -1))
      await bench.decide('CORE-NS-06', isApart)
    }
  },
)

check(
  'core/namespace-named-twice',
  'CORE-NS-08',
  'a namespace in the header and again in the path is one within itself, which does not exist',
  { kind: 'security', needs: namespaces },
  async (context) => {
    const { bench } = context
    const outer = await bench.namespace()
    for (const known of [outer, await bench.namespace(outer)]) {
      const mount = await bench.mount('kv1', { namespace: known })
      const namespaceInPath = known.split('/').filter((segment) => segment !== '').length
      const twice = { namespace: `${known}${known}`, namespaceInPath }
      await isOutOfReach(context, await storeEntry(bench, { mount }), mount, twice)
    }
  },
)

check(
  'core/bearer-in-namespace',
  'CORE-AUTH-07',
  'the Authorization header carries the token under every spelling of a namespace',
  { needs: namespaces },
  async ({ bench, expect }) => {
    const outer = await bench.namespace()
    const mount = await bench.mount('kv1', { namespace: await bench.namespace(outer) })
    for (const namespaceInPath of [0, 1, 2]) {
      // With the service's own header the same requests are served: what fails then is not due to carriers.
      const { path } = await storeEntry(bench, { mount, namespaceInPath })
      const there = { mount, path: { path }, namespaceInPath, carrier: 'bearer' as const }
      const value = bench.canary('value')
      expect(await bench.call('kv1.write', { ...there, body: { value } }), 'a write').toSucceed()
      expect(await storedUnder(bench, path, there), 'what a bearer reads').toBe(value)
      expect(await storedUnder(bench, path, { mount, namespaceInPath }), 'what is stored').toBe(value)
      expect(namesIn(await bench.call('kv1.list', { ...there, path: { directory: '' } })), 'what a bearer lists').toContain(path)
    }
  },
)

check(
  'core/namespace-token-spellings',
  ['CORE-NS-01', 'CORE-NS-02', 'CORE-NS-03'],
  'a token of a namespace is served there under every spelling of it, and so is one of the root',
  { needs: { features: ['namespaces', 'identities'] } },
  async ({ bench, expect }) => {
    const clauses = ['CORE-NS-01', 'CORE-NS-02', 'CORE-NS-03']
    const outer = await bench.namespace()
    const own = await bench.namespace(outer)
    const mount = await bench.mount('kv1', { namespace: own })
    const directory = `${bench.fresh('dir')}/`
    const all: Capability[] = ['create', 'read', 'update', 'delete', 'list']
    const grants = [
      { operation: 'kv1.read', mount, path: { path: `${directory}*` } as Record<string, string>, capabilities: all },
      { operation: 'kv1.list', mount, path: { directory }, capabilities: all },
    ]
    const asRoot = grants.map((grant) => ({ ...grant, namespace: own }))
    const callers = {
      'the namespace': await bench.identity(grants, { namespace: own }),
      'the root': await bench.identity(asRoot),
    }
    for (const [where, as] of Object.entries(callers))
      for (const [namespaceInPath, clause] of clauses.entries()) {
        const there = { mount, namespaceInPath }
        const { path, value } = await storeEntry(bench, { ...there, path: { path: `${directory}${bench.fresh('key')}` } })
        await bench.decide(clause, async () => {
          const what = `with a token of ${where} and ${namespaceInPath} segments of it in the path`
          expect(await storedUnder(bench, path, { ...there, as }), `what is read ${what}`).toBe(value)
          const listed = await bench.call('kv1.list', { ...there, as, path: { directory } })
          expect(namesIn(listed), `what is listed ${what}`).toContain(path.slice(directory.length))
          for (const method of ['POST', 'PUT']) {
            const body = { value: bench.canary('value') }
            expect(await bench.call('kv1.write', { ...there, as, method, path: { path }, body }), `${method} ${what}`).toSucceed()
            expect(await storedUnder(bench, path, there), `what is stored by ${method} ${what}`).toBe(body.value)
          }
          // The documents do not say that the path can be deleted. Where root can delete it, this caller can too.
          const deleted = await bench.call('kv1.delete', { ...there, as, path: { path } })
          if (!deleted.ok)
            expect((await bench.call('kv1.delete', { ...there, path: { path } })).ok, `a deletion by root alone ${what}`).toBe(false)
        })
      }
  },
)

check(
  'core/namespaces-in-turn',
  ['CORE-NS-05', 'CORE-NS-06', 'CORE-NS-07'],
  'each request of one caller goes to the namespace that it names itself, whatever the one before named',
  { kind: 'security', needs: { features: ['namespaces', 'identities'] } },
  async ({ bench, expect }) => {
    const outer = await bench.namespace()
    const inner = await bench.namespace(outer)
    const sibling = await bench.namespace(outer)
    const path = bench.fresh('kv1')
    const key = bench.fresh('key')
    const entries = new Map<string, { mount: string; value: string }>()
    const grants = []
    for (const namespace of ['', outer, inner, sibling]) {
      const mount = await bench.mount('kv1', { namespace, path })
      entries.set(namespace, { mount, value: (await storeEntry(bench, { mount, path: { path: key } })).value })
      grants.push({ operation: 'kv1.read', mount, namespace, path: { path: key }, capabilities: ['read' as const] })
    }
    const caller = await bench.identity(grants)
    const expectIn = async (namespace: string, before: string) => {
      const { mount, value } = entries.get(namespace)!
      expect(await storedUnder(bench, key, { mount, as: caller }), `in ${namespace || 'the root'}, after ${before}`).toBe(value)
    }
    await expectIn('', 'nothing')
    await bench.decide('CORE-NS-05', async () => {
      await expectIn(outer, 'the root')
      await expectIn('', 'a namespace')
    })
    await bench.decide('CORE-NS-07', async () => {
      await expectIn(inner, 'the root')
      await expectIn(outer, 'the namespace within')
    })
    await bench.decide('CORE-NS-06', async () => {
      await expectIn(sibling, 'the namespace around')
      await expectIn(inner, 'its sibling')
    })
  },
)

check(
  'core/namespace-token-above',
  'CORE-CAP-14',
  'a capability in a namespace gives nothing at the same path outside of it',
  { kind: 'security', needs: { features: ['namespaces', 'identities'] } },
  async ({ bench, expect }) => {
    const outer = await bench.namespace()
    const inner = await bench.namespace(outer)
    const [path, key] = [bench.fresh('kv1'), bench.fresh('key')]
    const mounts = new Map<string, string>()
    for (const namespace of ['', outer, inner]) mounts.set(namespace, await bench.mount('kv1', { namespace, path }))
    const mine = await storeEntry(bench, { mount: mounts.get(inner)!, path: { path: key } })
    const grant = {
      operation: 'kv1.read',
      mount: mounts.get(inner)!,
      path: { path: key },
      capabilities: ['create', 'read', 'update'] as const,
    }
    const caller = await bench.identity([{ ...grant, capabilities: [...grant.capabilities] }], { namespace: inner })
    expect(await storedUnder(bench, key, { mount: mounts.get(inner)!, as: caller })).toBe(mine.value)
    for (const namespace of ['', outer]) {
      const mount = mounts.get(namespace)!
      const { value } = await storeEntry(bench, { mount, path: { path: key } })
      const read = await bench.call('kv1.read', { mount, path: { path: key }, as: caller })
      expect(read, `a read in ${namespace || 'the root'}`).toHaveStatus(403, 404)
      expect(read.text).not.toContain(value)
      expect(await bench.call('kv1.write', { mount, path: { path: key }, as: caller, body: { value: 'x' } }), 'a write').toHaveStatus(
        403,
        404,
      )
      expect(await storedUnder(bench, key, { mount }), 'the entry afterwards').toBe(value)
    }
  },
)
