import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { onVersions, shownBy, store, storeVersion, VERSION_2 } from '../fixtures.ts'

check('kv/config-answers', 'KV-V2-15', 'the configuration path answers a read', async ({ bench, expect }) => {
  expect(await bench.call('kv2.readConfig')).toSucceed()
})

check('kv/metadata-answers', 'KV-V2-16', 'the metadata path of a key answers a read', async ({ bench, expect }) => {
  const path = bench.mixedName('key')
  await store(bench, VERSION_2, path, { value: 1 })
  expect(await bench.call('kv2.readMetadata', { path: { path } })).toSucceed()
})

check(
  'kv/metadata-answers-afterwards',
  'KV-V2-16',
  'the metadata path of a key answers a read, whatever became of its older versions',
  async ({ bench, expect }) => {
    const path = bench.mixedName('key')
    const [first, second] = [await storeVersion(bench, path, { value: 1 }, 1), await storeVersion(bench, path, { value: 2 }, 2)]
    // One version stays as it was written, so that the key exists all along.
    await storeVersion(bench, path, { value: 3 }, 3)
    const steps = [
      ['delete', second],
      ['undelete', second],
      ['destroy', first],
      ['delete', second],
    ] as const
    for (const [route, version] of steps) {
      await onVersions(bench, route, path, [version])
      expect(await bench.call('kv2.readMetadata', { path: { path } }), `the metadata after ${route}`).toSucceed()
    }
  },
)

check(
  'kv/metadata-hides-values',
  'KV-V2-17',
  'the metadata of a key do not show its values',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const path = bench.mixedName('key')
    const value = bench.canary()
    await store(bench, VERSION_2, path, { value })
    expect((await bench.call('kv2.readMetadata', { path: { path } })).text).not.toContain(value)
  },
)

check(
  'kv/metadata-keep-objects',
  'KV-V2-02',
  'an object is shown as it was stored whatever metadata of its key are written',
  async ({ bench, expect }) => {
    const path = bench.mixedName('key')
    const value = { value: bench.canary() }
    await store(bench, VERSION_2, path, value)
    // Which metadata may be written is not shown, and what is taken changes no object.
    for (const body of [{ max_versions: 7 }, { custom_metadata: { owner: 'assay' } }, { cas_required: false }, {}] as JsonObject[]) {
      await bench.call('kv2.writeMetadata', { path: { path }, body })
      expect(await shownBy(bench, path), `after metadata ${JSON.stringify(body)}`).toEqual(value)
    }
  },
)

const membersOf = (body: unknown): string[] => (typeof body === 'object' && body !== null ? Object.keys(body).sort() : [])

check('kv/version-2-shapes', 'KV-V2-21', 'what a write and a read of version 2 show', async ({ bench }) => {
  const path = bench.mixedName('key')
  const written = await store(bench, VERSION_2, path, { value: 1 })
  const { data } = await bench.call('kv2.read', { path: { path } })
  bench.observe('KV-V2-21', { write: membersOf(written.data), read: membersOf(data), metadata: membersOf(data.metadata) })
})

check('kv/metadata-shapes', 'KV-V2-18', 'what the configuration and the metadata of a key show', async ({ bench }) => {
  const path = bench.mixedName('key')
  await store(bench, VERSION_2, path, { value: 1 })
  const [config, metadata] = [
    await bench.call('kv2.readConfig', { observing: true }),
    await bench.call('kv2.readMetadata', { path: { path }, observing: true }),
  ]
  bench.observe('KV-V2-18', { config: membersOf(config.data), metadata: membersOf(metadata.data) })
})

check(
  'kv/metadata-writes',
  'KV-V2-19',
  'what a write of configuration and metadata changes',
  { needs: { mounts: { own: { type: 'kv2', exclusive: true } } } },
  async ({ bench }) => {
    const path = bench.mixedName('key')
    await store(bench, VERSION_2, path, { value: 1 })
    const body: JsonObject = { max_versions: 3 }
    const changed = [
      await bench.call('kv2.writeConfig', { body, observing: true }),
      await bench.call('kv2.writeMetadata', { path: { path }, body, observing: true }),
    ]
    const after = [
      await bench.call('kv2.readConfig', { observing: true }),
      await bench.call('kv2.readMetadata', { path: { path }, observing: true }),
    ]
    bench.observe('KV-V2-19', {
      statuses: changed.map(({ status }) => status),
      max_versions: after.map(({ data }) => data.max_versions ?? null),
    })
  },
)

check('kv/metadata-deletion', 'KV-V2-20', 'what is left of a key whose metadata are deleted', async ({ bench }) => {
  const path = bench.mixedName('key')
  await store(bench, VERSION_2, path, { value: 1 })
  const steps: JsonObject = {}
  for (const operation of ['kv2.deleteLatest', 'kv2.deleteMetadata', 'kv2.deleteMetadata']) {
    const { status } = await bench.call(operation, { path: { path }, observing: true })
    const shown = (await bench.call('kv2.read', { path: { path }, observing: true })).status
    steps[`${Object.keys(steps).length + 1} ${operation}`] = {
      status,
      read: shown,
      metadata: (await bench.call('kv2.readMetadata', { path: { path }, observing: true })).status,
    }
  }
  bench.observe('KV-V2-20', steps)
})

check('kv/older-version', 'KV-V2-22', 'whether a query parameter selects an older version', async ({ bench }) => {
  const path = bench.mixedName('key')
  const first = await storeVersion(bench, path, { value: 'first' }, 1)
  await storeVersion(bench, path, { value: 'second' }, 2)
  const answer = await bench.call('kv2.read', { path: { path }, query: { version: String(first) }, observing: true })
  bench.observe('KV-V2-22', { status: answer.status, shown: answer.data.data ?? null })
})

check('kv/conditional-write', 'KV-V2-23', 'what a condition on the present version does', async ({ bench }) => {
  const path = bench.mixedName('key')
  const write = async (value: string, cas: number) =>
    (await bench.call('kv2.write', { path: { path }, body: { data: { value }, options: { cas } }, observing: true })).status
  bench.observe('KV-V2-23', {
    'cas 0 on a new key': await write('first', 0),
    'cas 0 again': await write('second', 0),
    shown: await shownBy(bench, path),
  })
})

check('kv/version-route-refusals', 'KV-V2-24', 'version routes asked for what is not there', async ({ bench }) => {
  const path = bench.mixedName('key')
  const version = await storeVersion(bench, path, { value: 1 }, 1)
  const bodies = { 'absent version': { versions: [version + 7] }, 'no list': {}, 'not a list': { versions: {} } }
  const seen: JsonObject = {}
  for (const route of ['delete', 'undelete', 'destroy']) {
    const status = async (key: string, body: JsonObject) =>
      (await bench.call(`kv2.${route}Versions`, { path: { path: key }, body, invalid: true, observing: true })).status
    seen[route] = { 'absent key': await status(bench.fresh('absent'), { versions: [1] }) }
    for (const [name, body] of Object.entries(bodies)) (seen[route] as JsonObject)[name] = await status(path, body)
  }
  bench.observe('KV-V2-24', seen)
})
