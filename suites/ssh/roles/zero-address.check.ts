import { type Bench, check } from '../../../harness/checks/index.ts'
import { otpFields, ownMount, refusesCredential, roleWith } from '../fixtures.ts'

const setRoles = (bench: Bench, ...names: string[]) => bench.given('ssh.writeZeroAddress', { body: { roles: names.join(',') } })

const issue = (bench: Bench, name: string, ip: string) => bench.call('ssh.createCredential', { path: { name }, body: { ip } })

const OUTSIDE = ['172.16.1.1', '203.0.113.9', '9.255.255.255']

const rolesRead = async (bench: Bench): Promise<string[] | undefined> => {
  const { roles } = (await bench.call('ssh.readZeroAddress')).data
  return Array.isArray(roles) ? roles.map(String).sort() : undefined
}

check(
  'ssh/zero-address-reads-back',
  ['SSH-ZERO-01', 'SSH-ZERO-02'],
  'the zero-address roles can be set and read',
  ownMount,
  async ({ bench, expect }) => {
    const name = await roleWith(bench, otpFields())
    const written = await bench.call('ssh.writeZeroAddress', { body: { roles: name } })
    await bench.decide('SSH-ZERO-01', () => expect(written).toHaveStatus(200, 204))
    await bench.decide('SSH-ZERO-02', async () => expect(await rolesRead(bench)).toEqual([name]))
  },
)

check(
  'ssh/zero-address-replaces',
  ['SSH-ZERO-08', 'SSH-ZERO-11'],
  'several zero-address roles take the place of those before',
  ownMount,
  async ({ bench, expect }) => {
    const [a, b, c] = [await roleWith(bench, otpFields()), await roleWith(bench, otpFields()), await roleWith(bench, otpFields())]
    await setRoles(bench, a)
    await setRoles(bench, b, c)
    const after = await rolesRead(bench)
    await bench.decide('SSH-ZERO-08', () => {
      for (const name of [b, c]) expect(after).toContain(name)
    })
    await bench.decide('SSH-ZERO-11', async () => {
      expect(after).toEqual([b, c].sort())
      await bench.given('ssh.deleteZeroAddress')
      await setRoles(bench, a)
      expect(await rolesRead(bench), 'written after a deletion').toEqual([a])
    })
  },
)

check(
  'ssh/zero-address-any-address',
  ['SSH-ZERO-03', 'SSH-ZERO-04', 'SSH-ZERO-09'],
  'zero-address roles take any address, others do not',
  ownMount,
  async ({ bench, expect }) => {
    const fields = otpFields({ exclude_cidr_list: '10.9.0.0/16' })
    const [free, bound] = [await roleWith(bench, fields), await roleWith(bench, fields)]
    await setRoles(bench, free)
    await bench.decide('SSH-ZERO-03', async () => {
      for (const ip of OUTSIDE) expect(await issue(bench, free, ip), ip).toHaveStatus(200)
    })
    await bench.decide('SSH-ZERO-04', async () => expect(await issue(bench, free, '10.9.1.1')).toHaveStatus(200))
    await bench.decide('SSH-ZERO-09', async () => {
      for (const ip of [...OUTSIDE, '10.9.1.1']) await refusesCredential(bench, bound, { ip }, { ip: '10.1.1.1' })
    })
  },
)

check(
  'ssh/zero-address-likenesses',
  'SSH-ZERO-09',
  'a role whose name is like that of a zero-address role is none',
  ownMount,
  async ({ bench, expect }) => {
    // Letters at its end: a name that is cut must not end in a hyphen, which a server may refuse.
    const listed = `${bench.mixedName('zero')}ab`
    const names = [`${listed}-more`, listed.slice(0, -1)]
    for (const name of [listed, ...names]) await bench.given('ssh.writeRole', { path: { name }, body: otpFields() })
    const other = await roleWith(bench, otpFields())
    for (const roles of [[listed], [other, listed], [listed, other]]) {
      await setRoles(bench, ...roles)
      for (const role of roles) expect(await issue(bench, role, OUTSIDE[0]!), role).toHaveStatus(200)
      for (const name of names) await refusesCredential(bench, name, { ip: OUTSIDE[0]! }, { ip: '10.1.1.1' })
    }
  },
)

check('ssh/zero-address-without-blocks', 'SSH-ZERO-05', 'a zero-address role needs no blocks', ownMount, async ({ bench, expect }) => {
  // A server may ask for blocks when the role is written: then it must already be on the list.
  const name = bench.mixedName('bare')
  const body = { key_type: 'otp', default_user: 'ubuntu' }
  const first = await bench.call('ssh.writeRole', { path: { name }, body })
  if (!first.ok) await bench.given('ssh.writeRole', { path: { name }, body: otpFields() })
  await setRoles(bench, await roleWith(bench, otpFields()), name)
  if (!first.ok) expect(await bench.call('ssh.writeRole', { path: { name }, body: { ...body, cidr_list: '' } })).toSucceed()
  expect(await issue(bench, name, '172.16.1.1')).toHaveStatus(200)
})

check('ssh/zero-address-refusals', ['SSH-ZERO-06', 'SSH-ZERO-07'], 'a list of roles must be given as text', ownMount, async ({ bench }) => {
  const [a, b] = [await roleWith(bench, otpFields()), await roleWith(bench, otpFields())]
  await setRoles(bench, a)
  const unchanged = { operation: 'ssh.readZeroAddress', input: {} }
  const good = { body: { roles: b } }
  await bench.decide(
    'SSH-ZERO-06',
    async () => void (await bench.refuses('ssh.writeZeroAddress', { bad: { body: {} }, control: good, unchanged })),
  )
  for (const roles of [{ a: [b] }, [b, {}]]) {
    await setRoles(bench, a)
    await bench.decide(
      'SSH-ZERO-07',
      async () => void (await bench.refuses('ssh.writeZeroAddress', { bad: { body: { roles } }, control: good, unchanged })),
    )
  }
})

check('ssh/zero-address-delete', 'SSH-ZERO-10', 'without the list the blocks apply again', ownMount, async ({ bench, expect }) => {
  const name = await roleWith(bench, otpFields())
  await setRoles(bench, name)
  await bench.given('ssh.createCredential', { path: { name }, body: { ip: '172.16.1.1' } })
  expect(await bench.call('ssh.deleteZeroAddress')).toSucceed()
  await refusesCredential(bench, name, { ip: '172.16.1.1' }, { ip: '10.1.1.1' })
})

check(
  'ssh/zero-address-open',
  ['SSH-ZERO-12', 'SSH-ZERO-13', 'SSH-LOOKUP-09'],
  'what the document leaves open about zero-address roles',
  ownMount,
  async ({ bench }) => {
    const unset = await bench.call('ssh.readZeroAddress')
    bench.observe('SSH-ZERO-12', { status: unset.status, roles: unset.data.roles ?? null })
    bench.observe('SSH-ZERO-13', (await bench.call('ssh.writeZeroAddress', { body: { roles: bench.fresh('unknown') } })).status)
    const name = await roleWith(bench, otpFields())
    await setRoles(bench, name)
    const { data } = await bench.call('ssh.lookupRoles', { body: { ip: '172.16.1.1' } })
    bench.observe('SSH-LOOKUP-09', { listed: Array.isArray(data.roles) && data.roles.includes(name) })
  },
)
