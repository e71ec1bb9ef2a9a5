import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { expectNone, expectStored, patternsOf, store, VERSION_1 } from '../fixtures.ts'

check('kv/v1-post-stores', 'KV-V1-02', 'POST stores an object', async ({ bench, expect }) => {
  const path = bench.mixedName('key')
  const value = { value: bench.canary() }
  expect(await bench.call('kv1.write', { path: { path }, body: value })).toHaveStatus(200, 204)
  await expectStored(bench, expect, VERSION_1, path, JSON.stringify(value))
})

check('kv/v1-put-stores', 'KV-V1-03', 'PUT stores an object', async ({ bench, expect }) => {
  const path = bench.mixedName('key')
  const values: JsonObject[] = [{ value: bench.canary() }, { other: bench.canary() }]
  for (const value of values) {
    expect(await bench.call('kv1.write', { path: { path }, body: value, method: 'PUT' })).toHaveStatus(200, 204)
    await expectStored(bench, expect, VERSION_1, path, JSON.stringify(value))
  }
})

check('kv/v1-reads-back', 'KV-V1-01', 'GET answers with the stored object', async ({ bench, expect }) => {
  const paths = [bench.mixedName('key'), bench.mixedName('key')]
  for (const path of paths) await store(bench, VERSION_1, path, { value: path })
  for (const path of paths) await expectStored(bench, expect, VERSION_1, path, JSON.stringify({ value: path }))
})

check('kv/v1-replaces', 'KV-V1-04', 'a write replaces the whole object', async ({ bench, expect }) => {
  const path = bench.mixedName('key')
  const values: JsonObject[] = [{ a: 1, b: { c: 2, d: [1, 2] } }, { b: { d: [3] } }, { a: 2 }]
  for (const value of values) {
    await store(bench, VERSION_1, path, value)
    await expectStored(bench, expect, VERSION_1, path, JSON.stringify(value))
  }
})

check('kv/v1-body-is-an-object', 'KV-V1-05', 'a body that is not an object is refused and changes nothing', async ({ bench, expect }) => {
  const path = bench.mixedName('key')
  await store(bench, VERSION_1, path, { value: 'kept' })
  for (const rawBody of ['[]', '[{"value": "other"}]', '"text"', '7', 'true']) {
    expect(await bench.call('kv1.write', { path: { path }, rawBody }), rawBody).toBeRefused()
    await expectStored(bench, expect, VERSION_1, path, '{"value": "kept"}')
  }
})

check('kv/v1-unknown-key', 'KV-V1-08', 'an unknown key is answered with 404', async ({ bench, expect }) => {
  const path = bench.mixedName('key')
  await store(bench, VERSION_1, `${path}/below`, { value: 1 })
  for (const unknown of [bench.fresh('other'), path, `${path}/beside`, `${path}/below/deeper`]) {
    expect(await bench.call('kv1.read', { path: { path: unknown } }), unknown).toHaveStatus(404)
  }
  await expectNone(bench, expect, VERSION_1, await patternsOf(bench, VERSION_1))
})

check('kv/v1-deep-keys', 'KV-V1-09', 'keys of several segments hold objects of their own', async ({ bench, expect }) => {
  const base = bench.fresh('dir')
  // None is also a directory: whether a key and a directory share a name is another matter.
  const paths = [`${base}/a`, `${base}/b/a`, `${base}/b/c/a`, `${base}/b/c/d`]
  for (const path of paths) await store(bench, VERSION_1, path, { value: path })
  for (const path of paths) await expectStored(bench, expect, VERSION_1, path, JSON.stringify({ value: path }))
})

check('kv/v1-case', 'KV-V1-10', 'keys that differ in case are two keys', async ({ bench, expect }) => {
  const path = bench.mixedName('key')
  await store(bench, VERSION_1, path, { value: 'lower' })
  await store(bench, VERSION_1, path.toUpperCase(), { value: 'upper' })
  await expectStored(bench, expect, VERSION_1, path, '{"value": "lower"}')
})

check('kv/v1-shape', ['KV-V1-11', 'KV-V1-12', 'KV-V1-14'], 'what reads, deletions and empty writes answer', async ({ bench }) => {
  const path = bench.mixedName('key')
  await store(bench, VERSION_1, path, { value: 'x' })
  const { body } = await bench.call('kv1.read', { path: { path } })
  bench.observe('KV-V1-11', Object.keys((body ?? {}) as JsonObject).sort())
  const status = async (operation: string) => (await bench.call(operation, { path: { path }, observing: true })).status
  bench.observe('KV-V1-12', { delete: await status('kv1.delete'), read: await status('kv1.read'), again: await status('kv1.delete') })
  const empty: JsonObject = {}
  for (const [name, rawBody] of Object.entries({ 'no body': '', 'empty object': '{}', null: 'null' })) {
    const key = bench.fresh('empty')
    const { status: write } = await bench.call('kv1.write', { path: { path: key }, rawBody, observing: true })
    empty[name] = { write, read: (await bench.call('kv1.read', { path: { path: key }, observing: true })).status }
  }
  bench.observe('KV-V1-14', empty)
})
