import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { expectNone, expectStored, patternsOf, store, VERSION_2 } from '../fixtures.ts'

check('kv/v2-stores', 'KV-V2-01', 'POST stores the object under data', async ({ bench, expect }) => {
  const path = bench.mixedName('key')
  const value = { value: bench.canary() }
  expect(await bench.call('kv2.write', { path: { path }, body: { data: value } })).toHaveStatus(200, 204)
  await expectStored(bench, expect, VERSION_2, path, JSON.stringify(value))
})

check('kv/v2-stores-data-alone', 'KV-V2-01', 'a field beside data does not become a member of the object', async ({ bench, expect }) => {
  const path = bench.mixedName('key')
  const body = { data: { value: 'one' }, options: {}, more: 'two', value: 'three' }
  // Members that nobody knows are ignored or refused.
  if (!(await bench.call('kv2.write', { path: { path }, body })).ok) await store(bench, VERSION_2, path, body.data)
  await expectStored(bench, expect, VERSION_2, path, JSON.stringify(body.data))
})

check('kv/v2-reads-back', 'KV-V2-02', 'GET answers with the stored object', async ({ bench, expect }) => {
  const base = bench.mixedName('key')
  const paths = [`${base}-plain`, `${base}/a`, `${base}/b/a`]
  for (const path of paths) await store(bench, VERSION_2, path, { value: path })
  for (const path of paths) await expectStored(bench, expect, VERSION_2, path, JSON.stringify({ value: path }))
})

check('kv/v2-needs-data', 'KV-V2-04', 'a write without data is refused and changes nothing', async ({ bench, expect }) => {
  const path = bench.mixedName('key')
  await store(bench, VERSION_2, path, { value: 'kept' })
  const bodies: JsonObject[] = [{}, { value: 'other' }]
  for (const body of bodies) {
    await bench.refuses('kv2.write', {
      bad: { path: { path }, body },
      control: { path: { path: bench.fresh('control') }, body: { data: { value: 'other' } } },
      unchanged: async () => expectStored(bench, expect, VERSION_2, path, '{"value": "kept"}'),
    })
  }
})

const NO_OBJECTS = { 'empty-array': [], array: [{ value: 1 }], text: 'text', number: 7, boolean: true }

for (const [name, data] of Object.entries(NO_OBJECTS)) {
  check(
    `kv/v2-data-${name}`,
    'KV-V2-05',
    `data other than an object (${name}) is refused and changes nothing`,
    async ({ bench, expect }) => {
      const path = bench.mixedName('key')
      await store(bench, VERSION_2, path, { value: 'kept' })
      await bench.refuses('kv2.write', {
        bad: { path: { path }, body: { data } },
        control: { path: { path: bench.fresh('control') }, body: { data: { value: 'other' } } },
        unchanged: async () => expectStored(bench, expect, VERSION_2, path, '{"value": "kept"}'),
      })
    },
  )
}

check('kv/v2-replaces', 'KV-V2-06', 'a write replaces the whole object', async ({ bench, expect }) => {
  const path = bench.mixedName('key')
  const values: JsonObject[] = [{ a: 1, b: { c: 2, d: [1, 2] } }, { b: { d: [3] } }, { a: 2 }]
  for (const value of values) {
    await store(bench, VERSION_2, path, value)
    await expectStored(bench, expect, VERSION_2, path, JSON.stringify(value))
  }
})

check('kv/v2-many-writes', 'KV-V2-06', 'the latest of a dozen writes is shown', async ({ bench, expect }) => {
  const path = bench.mixedName('key')
  for (let write = 1; write <= 12; write += 1) await store(bench, VERSION_2, path, { write })
  await expectStored(bench, expect, VERSION_2, path, '{"write":12}')
})

check('kv/v2-unknown-key', 'KV-V2-07', 'an unknown key is answered with 404', async ({ bench, expect }) => {
  const path = bench.mixedName('key')
  await store(bench, VERSION_2, `${path}/below`, { value: 1 })
  for (const unknown of [bench.fresh('other'), path, `${path}/beside`]) {
    expect(await bench.call('kv2.read', { path: { path: unknown } }), unknown).toHaveStatus(404)
  }
  await expectNone(bench, expect, VERSION_2, await patternsOf(bench, VERSION_2))
})

check(
  'kv/v2-needs-data-segment',
  'KV-V2-28',
  'without its own segment in the path the stored object is not reached',
  { needs: { mounts: { own: { type: 'kv2' } } } },
  async ({ bench, expect }) => {
    const path = bench.mixedName('key')
    const value = bench.canary()
    await store(bench, VERSION_2, path, { value })
    const answer = await bench.call('core.readAny', { path: { anyPath: `${bench.mountPath('own')}/${path}` } })
    expect(answer.text).not.toContain(value)
    await expectStored(bench, expect, VERSION_2, path, JSON.stringify({ value }))
  },
)
