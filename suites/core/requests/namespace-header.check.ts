/** Spellings of the header that names a namespace. */
import { check } from '../../../harness/checks/index.ts'
import { namesIn, storedUnder, storeEntry } from '../fixtures.ts'

const namespaces = { needs: { features: ['namespaces' as const] } }

check(
  'core/empty-namespace-header',
  'CORE-NS-12',
  'an empty namespace header leads where none leads, in the root and with the whole namespace in the path',
  namespaces,
  async ({ bench, expect }) => {
    const headers = { 'X-Service-Namespace': '' }
    const inner = await bench.namespace(await bench.namespace())
    const mount = await bench.mount('kv1', { namespace: inner })
    for (const [where, one, namespaceInPath] of [
      ['the root', await bench.mount('kv1'), 0],
      ['a namespace', mount, 2],
    ] as const) {
      const { path, value } = await storeEntry(bench, { mount: one, namespaceInPath })
      const there = { mount: one, namespaceInPath, headers, path: { path } }
      expect(await storedUnder(bench, path, there), `what is read in ${where}`).toBe(value)
      const body = { value: bench.canary('value') }
      expect(await bench.call('kv1.write', { ...there, body }), `a write in ${where}`).toSucceed()
      expect(await storedUnder(bench, path, { mount: one, namespaceInPath }), `what is stored in ${where}`).toBe(body.value)
      expect(namesIn(await bench.call('kv1.list', { ...there, path: { directory: '' } })), `names in ${where}`).toEqual([path])
    }
  },
)

check('core/namespace-without-slash', 'CORE-NS-10', 'the namespace header without a trailing slash', namespaces, async ({ bench }) => {
  const inner = await bench.namespace(await bench.namespace())
  const mount = await bench.mount('kv1', { namespace: inner })
  const { path } = await storeEntry(bench, { mount })
  const headers = { 'X-Service-Namespace': inner.replace(/\/$/, '') }
  bench.observe('CORE-NS-10', (await bench.call('kv1.read', { mount, path: { path }, headers, observing: true })).status)
})
