/** Deletions: what is gone, what hinders them, and what is there when a name is used again. */
import { check } from '../../../harness/checks/index.ts'
import {
  administrativeOf,
  anyKind,
  comparableKey,
  givenKey,
  goodBody,
  inSlot,
  kindsOf,
  namesOf,
  placesOf,
  readableOf,
  readKey,
  rowOf,
  stateOf,
  writeOf,
} from '../fixtures.ts'

check('managed-keys/delete', ['MANAGED-KEYS-DELETE-01', 'MANAGED-KEYS-DELETE-02'], 'a deleted key is gone', async ({ bench, expect }) => {
  for (const kind of readableOf(bench)) {
    const name = await givenKey(bench, kind)
    const answer = await bench.call('managedKeys.delete', { path: { type: kind, name } })
    await bench.decide('MANAGED-KEYS-DELETE-01', async () => {
      expect(answer, kind).toSucceed()
      expect(await stateOf(bench, kind, name), 'the key afterwards').toEqual({ status: 404 })
    })
  }
  bench.observe(
    'MANAGED-KEYS-DELETE-02',
    (await bench.call('managedKeys.delete', { path: { type: anyKind(bench), name: bench.fresh('unknown') }, observing: true })).status,
  )
})

check('managed-keys/delete-and-again', 'MANAGED-KEYS-DELETE-03', 'a key that is made again is a new one', async ({ bench, expect }) => {
  const changed = { key_bits: 4096, force_rw_session: 'true', any_mount: 'true', allow_store_key: 'true' }
  const name = await givenKey(bench, 'pkcs11', { ...inSlot(bench, '9'), ...changed })
  const before = await readKey(bench, 'pkcs11', name)
  await bench.given('managedKeys.delete', { path: { type: 'pkcs11', name } })
  await givenKey(bench, 'pkcs11', goodBody(bench, 'pkcs11'), name)
  const { UUID, name: _name, ...after } = comparableKey(await readKey(bench, 'pkcs11', name))
  const fresh = comparableKey(await readKey(bench, 'pkcs11', await givenKey(bench, 'pkcs11')))
  expect(rowOf({ ...after, name: fresh.name! }), 'the key that was made again, beside a new one').toEqual(rowOf(fresh))
  expect(after.key_bits, 'key_bits').not.toBe(before.key_bits)
})

check(
  'managed-keys/delete-other-kind',
  'MANAGED-KEYS-DELETE-04',
  'a deletion under another kind leaves the key',
  async ({ bench, expect }) => {
    for (const kind of readableOf(bench))
      for (const other of bench.few(
        kindsOf(bench).filter((one) => one !== kind),
        1,
      )) {
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
      expect(rowOf({ ...after, name: fresh.name! }), `kind ${kind}, made again, beside a new one`).toEqual(rowOf(fresh))
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
    for (const kind of readableOf(bench)) {
      // Whether any mount may use it has nothing to do with whether one lists it.
      const open = { ...goodBody(bench, kind), any_mount: 'true' }
      const [name, beside, free] = [await givenKey(bench, kind, open), await givenKey(bench, kind), await givenKey(bench, kind)]
      const unlisted = await givenKey(bench, kind)
      const path = { type: kind, name }
      for (const names of [
        [name],
        [name, beside],
        [beside, name],
        [beside, name, free],
        [beside, free, name],
        [beside, free, `${name}x`, name],
      ])
        await bench.decide('MANAGED-KEYS-DELETE-05', async () => {
          await bench.tune('own', { allowedManagedKeys: names })
          expect(await bench.call('managedKeys.delete', { path }), `a deletion while a mount lists ${names.length}`).toBeRefused()
          const there = await bench.call('managedKeys.read', { path })
          expect(there, 'the key').toHaveStatus(200)
          expect(namesOf(await bench.given('managedKeys.list', { path: { type: kind } })), `the listing of kind ${kind}`).toContain(name)
        })
      await bench.tune('own', { allowedManagedKeys: [beside, name] })
      await bench.decide('MANAGED-KEYS-DELETE-05', () =>
        bench
          .refuses('managedKeys.delete', {
            bad: { path },
            control: { path: { type: kind, name: unlisted } },
            unchanged: { operation: 'managedKeys.read', input: { path } },
            label: `a key of kind ${kind} that a mount lists`,
          })
          .then(() => undefined),
      )
      for (const [listing, another] of [
        ['own', 'other'],
        ['other', 'own'],
      ] as const) {
        await bench.tune(another, { allowedManagedKeys: [beside] })
        await bench.tune(listing, { allowedManagedKeys: [name] })
        await bench.decide('MANAGED-KEYS-DELETE-05', async () => {
          expect(await bench.call('managedKeys.delete', { path }), 'a deletion while one of two mounts lists the key').toBeRefused()
          expect(await stateOf(bench, kind, name), 'the key').toMatchObject({ name })
        })
      }
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
    const kind = anyKind(bench)
    const name = await givenKey(bench, kind)
    const path = { type: kind, name }
    const alias = await bench.mount('kv1', { config: { allowedManagedKeys: [name] } })
    expect(await bench.call('managedKeys.delete', { path }), 'a deletion while the mount is there').toBeRefused()
    await bench.unmount(alias)
    expect(await bench.call('managedKeys.delete', { path }), 'a deletion once it is gone').toSucceed()
    expect(await stateOf(bench, kind, name)).toEqual({ status: 404 })
  },
)

check(
  'managed-keys/delete-any-mount',
  'MANAGED-KEYS-DELETE-08',
  'any_mount does not hinder a deletion',
  tuned,
  async ({ bench, expect }) => {
    await bench.tune('own', { allowedManagedKeys: [bench.fresh('nothing')] })
    const kind = anyKind(bench)
    const name = await givenKey(bench, kind, { ...goodBody(bench, kind), any_mount: 'true' })
    expect(await bench.call('managedKeys.delete', { path: { type: kind, name } })).toSucceed()
    expect(await stateOf(bench, kind, name)).toEqual({ status: 404 })
    await bench.tune('own', { allowedManagedKeys: [] })
  },
)

check(
  'managed-keys/delete-listed-within',
  ['MANAGED-KEYS-DELETE-05', 'MANAGED-KEYS-DELETE-08'],
  'a mount lists keys of its own namespace',
  tuned,
  async ({ bench, expect }) => {
    const namespace = administrativeOf(bench)
    for (const kind of readableOf(bench)) {
      const name = await givenKey(bench, kind, undefined, undefined, { namespace })
      await givenKey(bench, kind, undefined, name)
      const path = { type: kind, name }
      const alias = await bench.mount('kv1', { namespace, config: { allowedManagedKeys: [bench.fresh('other'), name] } })
      const kept = await bench.call('managedKeys.delete', { path, namespace })
      await bench.decide('MANAGED-KEYS-DELETE-05', async () => {
        expect(kept, `a deletion of kind ${kind} while a mount of the namespace lists the key`).toBeRefused()
        expect(await stateOf(bench, kind, name, { namespace }), 'the key').toMatchObject({ name })
      })
      const gone = await bench.call('managedKeys.delete', { path })
      await bench.decide('MANAGED-KEYS-DELETE-08', async () => {
        expect(gone, `a deletion of kind ${kind} in the root, where no mount lists the name`).toSucceed()
        expect(await stateOf(bench, kind, name), 'the key of the root').toEqual({ status: 404 })
        expect(await stateOf(bench, kind, name, { namespace }), 'the other one').toMatchObject({ name })
      })
      await bench.unmount(alias)
    }
  },
)

check(
  'managed-keys/delete-listed-in-any-order',
  ['MANAGED-KEYS-DELETE-05', 'MANAGED-KEYS-DELETE-06'],
  'a mount keeps the key that it lists, whichever was there first',
  { needs: { features: ['tuning', 'mounts'] } },
  async ({ bench, expect }) => {
    for (const kind of bench.few(readableOf(bench), 1))
      for (const where of placesOf(bench)) {
        const [name, there] = [bench.fresh('key'), await givenKey(bench, kind, undefined, undefined, where)]
        const path = { type: kind, name }
        const kept = (when: string): Promise<void> =>
          bench.decide('MANAGED-KEYS-DELETE-05', async () => {
            expect(await bench.call('managedKeys.delete', { ...where, path }), `a deletion of kind ${kind} ${when}`).toBeRefused()
            expect(await stateOf(bench, kind, name, where), `the key of kind ${kind} ${when}`).toMatchObject({ name })
          })
        // Whether a mount may list what is not there is not said: what counts is the list that is written once the key is there.
        const alias = await bench.mount('kv1', { ...where, config: { allowedManagedKeys: [there, name] } })
        await givenKey(bench, kind, undefined, name, where)
        await bench.tune(alias, { allowedManagedKeys: [name] })
        await kept('that the mount lists, which named it before it was made')
        await bench.given(writeOf(kind), { ...where, path: { name }, body: { ...goodBody(bench, kind), any_mount: 'true' } })
        await kept('that was updated while the mount lists it')
        await bench.tune(alias, { allowedManagedKeys: [there] })
        const gone = await bench.call('managedKeys.delete', { ...where, path })
        await bench.decide('MANAGED-KEYS-DELETE-06', async () => {
          expect(gone, `a deletion of kind ${kind} once the mount lists another`).toSucceed()
          expect(await stateOf(bench, kind, name, where), `the key of kind ${kind}`).toEqual({ status: 404 })
        })
        await givenKey(bench, kind, undefined, name, where)
        await bench.tune(alias, { allowedManagedKeys: [there, name] })
        await kept('that was made again and is listed')
        await bench.unmount(alias)
      }
  },
)
