import { type CheckContext, check, type JsonObject } from '../../../harness/checks/index.ts'
import { caFields, otpFields, ownMount, roleRefusesToSign, roleWith, userPair, withCa } from '../fixtures.ts'

check(
  'ssh/role-create-and-update',
  ['SSH-ROLE-01', 'SSH-ROLE-02'],
  'a write creates a role, another updates it',
  async ({ bench, expect }) => {
    const path = { name: bench.mixedName('role') }
    const before = await bench.call('ssh.readRole', { path })
    const created = await bench.call('ssh.writeRole', { path, body: otpFields({ default_user: 'first' }) })
    const read = await bench.call('ssh.readRole', { path })
    await bench.decide('SSH-ROLE-01', () => {
      expect(before, 'before the write').toHaveStatus(404)
      expect(created).toHaveStatus(200, 204)
      expect(read.data).toMatchObject({ key_type: 'otp', default_user: 'first' })
    })
    const updated = await bench.call('ssh.writeRole', { path, body: otpFields({ default_user: 'second', port: 2222 }) })
    const again = await bench.call('ssh.readRole', { path })
    await bench.decide('SSH-ROLE-02', () => {
      expect(updated).toHaveStatus(200, 204)
      expect(again.data).toMatchObject({ key_type: 'otp', default_user: 'second', port: 2222 })
    })
  },
)

check('ssh/role-unknown', 'SSH-ROLE-04', 'reading an unknown role gives 404', async ({ bench, expect }) => {
  const name = await roleWith(bench, otpFields())
  for (const unknown of [bench.fresh('unknown'), `${name}x`, name.slice(0, -2)])
    expect(await bench.call('ssh.readRole', { path: { name: unknown } }), unknown).toHaveStatus(404)
  expect(await bench.call('ssh.readRole', { path: { name } })).toHaveStatus(200)
})

check('ssh/role-list', ['SSH-ROLE-05', 'SSH-ROLE-06'], 'the listing names every role and its kind', ownMount, async ({ bench, expect }) => {
  const kinds: Record<string, string> = {}
  for (const body of [otpFields(), caFields(), otpFields(), caFields()]) kinds[await roleWith(bench, body)] = String(body.key_type)
  // What a role is now is listed, and not what it was at first.
  const changed = Object.keys(kinds)[2]!
  await bench.call('ssh.listRoles')
  if ((await bench.call('ssh.writeRole', { path: { name: changed }, body: caFields() })).ok) kinds[changed] = 'ca'
  const { data } = await bench.call('ssh.listRoles')
  await bench.decide('SSH-ROLE-05', () => expect(data.keys).toEqual(expect.arrayContaining(Object.keys(kinds))))
  await bench.decide('SSH-ROLE-06', () => {
    const info = (data.key_info ?? {}) as Record<string, JsonObject>
    for (const [name, key_type] of Object.entries(kinds)) expect(info[name]?.key_type, name).toBe(key_type)
  })
})

/** Asserts that either way of listing names these roles with their kinds, and no other. */
const listsExactly = async ({ bench, expect }: CheckContext, kinds: Record<string, unknown>): Promise<void> => {
  for (const method of ['LIST', 'GET']) {
    const { data } = await bench.call('ssh.listRoles', { method })
    await bench.decide('SSH-ROLE-05', () => expect([...((data.keys ?? []) as string[])].sort(), method).toEqual(Object.keys(kinds).sort()))
    await bench.decide('SSH-ROLE-06', () => {
      const info = Object.entries((data.key_info ?? {}) as Record<string, JsonObject>)
      expect(Object.fromEntries(info.map(([name, { key_type }]) => [name, key_type])), method).toEqual(kinds)
    })
  }
}

check(
  'ssh/role-list-whole',
  ['SSH-ROLE-05', 'SSH-ROLE-06'],
  'the listing names the roles of the mount, whatever else it holds, and nothing else',
  { needs: { ...ownMount.needs, features: ['mounts'] } },
  async (context) => {
    const { bench } = context
    await withCa(bench)
    const keys = [bench.mixedName('key'), bench.mixedName('key')] as const
    // Where the target keeps no keys of hosts its roles are of the other kinds.
    const written = []
    for (const name of keys) written.push(await bench.call('ssh.writeKey', { path: { name }, body: { key: userPair().privateKey } }))
    const dynamic = { [bench.mixedName('dynamic')]: otpFields({ key_type: 'dynamic', key: keys[0], admin_user: 'root' }) }
    // A role may be called as a key is.
    const bodies: Record<string, JsonObject> = {
      [bench.mixedName('otp')]: otpFields(),
      [bench.mixedName('ca')]: caFields(),
      ...(written.every(({ ok }) => ok) ? dynamic : {}),
      [keys[1]]: otpFields(),
    }
    for (const [name, body] of Object.entries(bodies)) await bench.given('ssh.writeRole', { path: { name }, body })
    const [free = ''] = Object.keys(bodies)
    await bench.given('ssh.writeZeroAddress', { body: { roles: free } })
    const gone = await roleWith(bench, otpFields())
    for (const name of [free, gone]) await bench.given('ssh.createCredential', { path: { name }, body: { ip: '10.1.2.3' } })
    await bench.given('ssh.deleteRole', { path: { name: gone } })
    const kinds = Object.fromEntries(Object.entries(bodies).map(([name, { key_type }]) => [name, key_type]))
    await listsExactly(context, kinds)
  },
)

check(
  'ssh/role-list-many',
  ['SSH-ROLE-05', 'SSH-ROLE-06'],
  'the listing of many roles names each of them and its kind',
  { needs: { ...ownMount.needs, features: ['mounts'] } },
  async (context) => {
    const { bench } = context
    const kinds: Record<string, unknown> = {}
    for (let index = 0; index < 110; index += 1) {
      const body = index % 3 === 0 ? caFields() : otpFields()
      kinds[await roleWith(bench, body)] = body.key_type
    }
    await listsExactly(context, kinds)
  },
)

/** A mount that nobody used before: one that is given may hold anything. */
const newMount = { needs: { ...ownMount.needs, features: ['mounts' as const] } }

check('ssh/role-list-empty', 'SSH-ROLE-07', 'an empty mount lists nothing: 404', newMount, async ({ bench, expect }) => {
  expect(await bench.call('ssh.listRoles')).toHaveStatus(404)
  const name = await roleWith(bench, otpFields())
  expect(await bench.call('ssh.listRoles')).toHaveStatus(200)
  await bench.given('ssh.deleteRole', { path: { name } })
  expect(await bench.call('ssh.listRoles'), 'after the last role is gone').toHaveStatus(404)
})

check('ssh/role-delete', 'SSH-ROLE-08', 'a deleted role is neither read nor listed', async ({ bench, expect }) => {
  const [name, kept] = [await roleWith(bench, otpFields()), await roleWith(bench, otpFields())]
  expect(await bench.call('ssh.deleteRole', { path: { name } })).toSucceed()
  expect(await bench.call('ssh.readRole', { path: { name } })).toHaveStatus(404)
  const { data } = await bench.given('ssh.listRoles')
  expect(data.keys).not.toContain(name)
  expect(data.keys, 'the role beside it').toContain(kept)
})

check('ssh/role-delete-ends-passwords', 'SSH-ROLE-09', 'a deleted role issues no passwords', async ({ bench }) => {
  const [gone, kept] = [await roleWith(bench, otpFields()), await roleWith(bench, otpFields())]
  const body = { ip: '10.1.2.3' }
  await bench.given('ssh.createCredential', { path: { name: gone }, body })
  await bench.given('ssh.deleteRole', { path: { name: gone } })
  await bench.refuses('ssh.createCredential', {
    bad: { path: { name: gone }, body },
    control: { path: { name: kept }, body },
    unchanged: null,
    because: 'the role is gone already',
  })
})

check('ssh/role-delete-ends-signing', 'SSH-ROLE-10', 'a deleted role signs nothing', ownMount, async ({ bench }) => {
  await withCa(bench)
  const [gone, kept] = [await roleWith(bench, caFields()), await roleWith(bench, caFields())]
  const body = { public_key: userPair().publicKey, valid_principals: 'ubuntu' }
  await bench.given('ssh.signKey', { path: { name: gone }, body })
  await bench.given('ssh.deleteRole', { path: { name: gone } })
  await roleRefusesToSign(bench, { bad: gone, good: kept }, body)
})

check(
  'ssh/role-per-mount',
  'SSH-ROLE-12',
  'two mounts keep their roles apart',
  { needs: { features: ['mounts'] } },
  async ({ bench, expect }) => {
    const [here, there] = [await bench.mount('ssh'), await bench.mount('ssh')]
    const path = { name: bench.mixedName('role') }
    await bench.given('ssh.writeRole', { path, body: otpFields({ default_user: 'here' }), mount: here })
    expect(await bench.call('ssh.readRole', { path, mount: there })).toHaveStatus(404)
    await bench.given('ssh.writeRole', { path, body: otpFields({ default_user: 'there' }), mount: there })
    expect((await bench.call('ssh.readRole', { path, mount: here })).data).toMatchObject({ default_user: 'here' })
  },
)
