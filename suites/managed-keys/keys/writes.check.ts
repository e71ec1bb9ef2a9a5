import { type Bench, type CheckContext, check, type JsonObject } from '../../../harness/checks/index.ts'
import {
  accepts,
  administrativeOf,
  comparableKey,
  givenKey,
  goodBody,
  KINDS,
  type Kind,
  libraryOf,
  READABLE,
  readKey,
  removeLater,
  stateOf,
  writeOf,
} from '../fixtures.ts'

const CREATED = ['MANAGED-KEYS-WRITE-01', 'MANAGED-KEYS-WRITE-02', 'MANAGED-KEYS-WRITE-03', 'MANAGED-KEYS-WRITE-04']

for (const [index, kind] of KINDS.entries())
  check(`managed-keys/${kind}-created`, CREATED[index]!, `a key of kind ${kind} can be created`, async ({ bench, expect }) => {
    const name = await accepts({ bench, expect }, kind, goodBody(bench, kind), kind)
    if (kind !== 'cloudckms') expect((await readKey(bench, kind, name)).name, 'the key that is there').toBe(name)
  })

/** A parameter of each kind that a read shows, and another value of it. */
const CHANGES: Record<(typeof READABLE)[number], JsonObject> = {
  pkcs11: { key_label: 'other', mechanism: '0x1041', force_rw_session: 'true' },
  cloudakms: { any_mount: 'true', allow_store_key: 'true' },
  cloudbkeyvault: { any_mount: 'true', allow_replace_key: 'true' },
}

check(
  'managed-keys/update',
  ['MANAGED-KEYS-WRITE-05', 'MANAGED-KEYS-WRITE-06', 'MANAGED-KEYS-WRITE-07'],
  'a second write updates one key',
  async ({ bench, expect }) => {
    for (const kind of READABLE) {
      const name = bench.fresh('key')
      const neighbours = [`${name}-2`, bench.fresh('key')]
      for (const one of [name, ...neighbours]) await givenKey(bench, kind, undefined, one)
      const before = await readKey(bench, kind, name)
      const beside = await Promise.all(neighbours.map((one) => readKey(bench, kind, one)))
      const written = await bench.call(writeOf(kind), { path: { name }, body: { ...goodBody(bench, kind), ...CHANGES[kind] } })
      const after = comparableKey(await readKey(bench, kind, name))
      await bench.decide('MANAGED-KEYS-WRITE-05', () => {
        expect(written, kind).toSucceed()
        for (const [field, value] of Object.entries(CHANGES[kind]))
          expect(after[field], `${field} after the update of kind ${kind}`).toBe(field === 'mechanism' ? Number(value) : value)
      })
      await bench.decide('MANAGED-KEYS-WRITE-06', async () => {
        for (const [index, one] of neighbours.entries()) expect(await readKey(bench, kind, one), 'a neighbour').toEqual(beside[index])
      })
      await bench.decide('MANAGED-KEYS-WRITE-07', () => expect(after.UUID, `UUID of kind ${kind}`).toBe(before.UUID))
    }
    // No row reads a key of this kind; what becomes of its values is seen where it signs.
    const unread = await givenKey(bench, 'cloudckms')
    await bench.decide('MANAGED-KEYS-WRITE-05', async () => {
      const again = await bench.call(writeOf('cloudckms'), { path: { name: unread }, body: goodBody(bench, 'cloudckms') })
      expect(again, 'cloudckms').toSucceed()
    })
  },
)

check('managed-keys/delete', ['MANAGED-KEYS-DELETE-01', 'MANAGED-KEYS-DELETE-02'], 'a deleted key is gone', async ({ bench, expect }) => {
  for (const kind of READABLE) {
    const name = await givenKey(bench, kind)
    const answer = await bench.call('managedKeys.delete', { path: { type: kind, name } })
    await bench.decide('MANAGED-KEYS-DELETE-01', async () => {
      expect(answer, kind).toSucceed()
      expect(await stateOf(bench, kind, name), 'the key afterwards').toEqual({ status: 404 })
    })
  }
  bench.observe(
    'MANAGED-KEYS-DELETE-02',
    (await bench.call('managedKeys.delete', { path: { type: 'pkcs11', name: bench.fresh('unknown') } })).status,
  )
})

check('managed-keys/delete-and-again', 'MANAGED-KEYS-DELETE-03', 'a key that is made again is a new one', async ({ bench, expect }) => {
  const changed = { curve: 'P384', key_bits: 4096, force_rw_session: 'true', any_mount: 'true', allow_store_key: 'true', slot: '9' }
  const name = await givenKey(bench, 'pkcs11', { ...goodBody(bench, 'pkcs11'), ...changed })
  const before = await readKey(bench, 'pkcs11', name)
  await bench.given('managedKeys.delete', { path: { type: 'pkcs11', name } })
  await givenKey(bench, 'pkcs11', goodBody(bench, 'pkcs11'), name)
  const { UUID, name: _name, ...after } = comparableKey(await readKey(bench, 'pkcs11', name))
  const fresh = comparableKey(await readKey(bench, 'pkcs11', await givenKey(bench, 'pkcs11')))
  expect(after, 'the key that was made again, beside a new one').toEqual(
    Object.fromEntries(Object.entries(fresh).filter(([field]) => !['UUID', 'name'].includes(field))),
  )
  expect(after.curve, 'curve').not.toBe(before.curve)
})

check(
  'managed-keys/delete-other-kind',
  'MANAGED-KEYS-DELETE-04',
  'a deletion under another kind leaves the key',
  async ({ bench, expect }) => {
    for (const kind of READABLE)
      for (const other of KINDS.filter((one) => one !== kind)) {
        const name = await givenKey(bench, kind)
        const before = await readKey(bench, kind, name)
        await bench.call('managedKeys.delete', { path: { type: other, name } })
        expect(await stateOf(bench, kind, name), `a key of kind ${kind} after its deletion as one of kind ${other}`).toEqual(before)
      }
  },
)

check(
  'managed-keys/delete-and-again-clouds',
  'MANAGED-KEYS-DELETE-03',
  'a cloud key that is made again is a new one',
  async ({ bench, expect }) => {
    for (const kind of ['cloudakms', 'cloudbkeyvault'] as const) {
      const body = goodBody(bench, kind)
      const name = await givenKey(bench, kind, { ...body, any_mount: 'true', allow_store_key: 'true', allow_replace_key: 'true' })
      await bench.given('managedKeys.delete', { path: { type: kind, name } })
      await givenKey(bench, kind, body, name)
      const { UUID: _, name: _name, ...after } = comparableKey(await readKey(bench, kind, name))
      const fresh = comparableKey(await readKey(bench, kind, await givenKey(bench, kind, body)))
      expect({ ...after, name: fresh.name, UUID: fresh.UUID }, `kind ${kind}, made again, beside a new one`).toEqual(fresh)
      expect(String(after.any_mount), 'any_mount').toBe('false')
    }
  },
)

const tuned = { needs: { features: ['tuning' as const], mounts: { own: { type: 'kv1' } } } }
const second = { needs: { features: ['tuning' as const], mounts: { own: { type: 'kv1' }, other: { type: 'kv2' } } } }

check(
  'managed-keys/delete-listed',
  ['MANAGED-KEYS-DELETE-05', 'MANAGED-KEYS-DELETE-06', 'MANAGED-KEYS-DELETE-08'],
  'a key that a mount lists is kept',
  second,
  async ({ bench, expect }) => {
    for (const kind of READABLE) {
      const [name, beside, free] = [await givenKey(bench, kind), await givenKey(bench, kind), await givenKey(bench, kind)]
      const path = { type: kind, name }
      await bench.tune('own', { allowedManagedKeys: [beside, name] })
      await bench.decide('MANAGED-KEYS-DELETE-05', () =>
        bench
          .refuses('managedKeys.delete', {
            bad: { path },
            control: { path: { type: kind, name: free } },
            unchanged: { operation: 'managedKeys.read', input: { path } },
            label: `a key of kind ${kind} that a mount lists`,
          })
          .then(() => undefined),
      )
      await bench.tune('own', { allowedManagedKeys: [beside] })
      await bench.tune('other', { allowedManagedKeys: [name] })
      await bench.decide('MANAGED-KEYS-DELETE-05', async () => {
        expect(await bench.call('managedKeys.delete', { path }), 'a deletion while a second mount lists the key').toBeRefused()
        expect(await stateOf(bench, kind, name), 'the key').toMatchObject({ name })
      })
      await bench.tune('other', { allowedManagedKeys: [`${name}x`, name.slice(0, -1)] })
      const after = await bench.call('managedKeys.delete', { path })
      await bench.decide('MANAGED-KEYS-DELETE-06', () => expect(after, 'a deletion once no mount lists the key').toSucceed())
      await bench.decide('MANAGED-KEYS-DELETE-08', async () =>
        expect(await stateOf(bench, kind, name), 'the key, while mounts list others').toEqual({ status: 404 }),
      )
      await bench.tune('own', { allowedManagedKeys: [] })
      expect(
        await bench.call('managedKeys.delete', { path: { type: kind, name: beside } }),
        'the key that the first mount listed',
      ).toSucceed()
    }
  },
)

check(
  'managed-keys/delete-unmounted',
  'MANAGED-KEYS-DELETE-07',
  'a mount that is gone hinders no deletion',
  tuned,
  async ({ bench, expect }) => {
    const name = await givenKey(bench, 'pkcs11')
    const path = { type: 'pkcs11', name }
    const alias = await bench.mount('kv1', { config: { allowedManagedKeys: [name] } })
    expect(await bench.call('managedKeys.delete', { path }), 'a deletion while the mount is there').toBeRefused()
    await bench.unmount(alias)
    expect(await bench.call('managedKeys.delete', { path }), 'a deletion once it is gone').toSucceed()
    expect(await stateOf(bench, 'pkcs11', name)).toEqual({ status: 404 })
  },
)

check(
  'managed-keys/delete-any-mount',
  'MANAGED-KEYS-DELETE-08',
  'any_mount does not hinder a deletion',
  tuned,
  async ({ bench, expect }) => {
    await bench.tune('own', { allowedManagedKeys: [bench.fresh('nothing')] })
    const name = await givenKey(bench, 'pkcs11', { ...goodBody(bench, 'pkcs11'), any_mount: 'true' })
    expect(await bench.call('managedKeys.delete', { path: { type: 'pkcs11', name } })).toSucceed()
    expect(await stateOf(bench, 'pkcs11', name)).toEqual({ status: 404 })
    await bench.tune('own', { allowedManagedKeys: [] })
  },
)

check(
  'managed-keys/administrative',
  'MANAGED-KEYS-NS-01',
  'keys are administered in the administrative namespace',
  async ({ bench, expect }) => {
    const namespace = administrativeOf(bench)
    for (const kind of KINDS) {
      const name = bench.fresh('key')
      removeLater(bench, kind, name, { namespace })
      expect(await bench.call(writeOf(kind), { path: { name }, body: goodBody(bench, kind), namespace }), kind).toSucceed()
      if (kind === 'cloudckms') continue
      const path = { type: kind, name }
      expect((await readKey(bench, kind, name, { namespace })).name).toBe(name)
      expect(await bench.call('managedKeys.list', { path: { type: kind }, namespace })).toHaveStatus(200)
      expect(await bench.call('managedKeys.delete', { path, namespace })).toSucceed()
      expect(await stateOf(bench, kind, name, { namespace })).toEqual({ status: 404 })
    }
  },
)

const attemptsOn = (bench: Bench, path: Record<string, string>): [string, object][] => [
  ['managedKeys.list', { path: { type: 'pkcs11' } }],
  ['managedKeys.read', { path }],
  ['managedKeys.testSign', { path, body: {} }],
  ['managedKeys.delete', { path }],
  ...KINDS.map((kind: Kind): [string, object] => [writeOf(kind), { path: { name: bench.fresh('key') }, body: goodBody(bench, kind) }]),
]

/** Asserts that every operation is refused in a namespace, however it is named. */
const refusedIn = async (
  { bench, expect }: Pick<CheckContext, 'bench' | 'expect'>,
  namespace: string,
  path: Record<string, string>,
): Promise<void> => {
  for (const [operation, input] of attemptsOn(bench, path))
    for (const [place, namespaceInPath] of [
      ['header', 0],
      ['path', namespace.split('/').length - 1],
    ] as const) {
      const answer = await bench.call(operation, { ...input, namespace, namespaceInPath })
      expect(answer, `${operation} in another namespace, named in the ${place}`).toBeRefused()
    }
}

check(
  'managed-keys/other-namespaces',
  'MANAGED-KEYS-NS-02',
  'keys are administered nowhere else',
  { kind: 'security', needs: { features: ['namespaces'] } },
  async ({ bench, expect }) => {
    const first = await bench.namespace()
    const below = await bench.namespace(first)
    libraryOf(bench)
    for (const namespace of [first, below]) {
      const name = await givenKey(bench, 'pkcs11')
      const before = await readKey(bench, 'pkcs11', name)
      const path = { type: 'pkcs11', name }
      await refusedIn({ bench, expect }, namespace, path)
      expect(await readKey(bench, 'pkcs11', name), 'the key of the root').toEqual(before)
      await bench.refuses('managedKeys.read', {
        bad: { path, namespace },
        control: { path },
        unchanged: null,
        because: 'a read changes nothing',
      })
    }
  },
)

check(
  'managed-keys/below-administrative',
  'MANAGED-KEYS-NS-02',
  'keys are administered in no namespace below the administrative one',
  { kind: 'security', needs: { features: ['namespaces'] } },
  async ({ bench, expect }) => {
    const administrative = administrativeOf(bench)
    const first = await bench.namespace(administrative)
    for (const namespace of [first, await bench.namespace(first)]) {
      const name = await givenKey(bench, 'pkcs11', undefined, undefined, { namespace: administrative })
      const before = await readKey(bench, 'pkcs11', name, { namespace: administrative })
      await refusedIn({ bench, expect }, namespace, { type: 'pkcs11', name })
      expect(await readKey(bench, 'pkcs11', name, { namespace: administrative }), 'the key above').toEqual(before)
    }
  },
)
