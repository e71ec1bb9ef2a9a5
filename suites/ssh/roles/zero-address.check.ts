import { type Bench, check, textsIn } from '../../../harness/checks/index.ts'
import { otpFields, ownMount, refusesCredential, roleWith } from '../fixtures.ts'

const setRoles = (bench: Bench, ...names: string[]) => bench.given('ssh.writeZeroAddress', { body: { roles: names.join(',') } })

const issue = (bench: Bench, name: string, ip: string) => bench.call('ssh.createCredential', { path: { name }, body: { ip } })

const OUTSIDE = ['172.16.1.1', '203.0.113.9', '9.255.255.255']

const rolesRead = async (bench: Bench): Promise<string[] | undefined> => {
  const { roles } = (await bench.call('ssh.readZeroAddress')).data
  return Array.isArray(roles) ? textsIn(roles).sort() : undefined
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

/** Lists of three roles, one after the other, by number; an empty one stands for the deletion. */
const SERIES = [[0], [1, 2], [], [2], [0]]

check(
  'ssh/zero-address-replaces',
  ['SSH-ZERO-03', 'SSH-ZERO-08', 'SSH-ZERO-09', 'SSH-ZERO-10', 'SSH-ZERO-11'],
  'several zero-address roles take the place of those before',
  ownMount,
  async ({ bench, expect }) => {
    const all = [await roleWith(bench, otpFields()), await roleWith(bench, otpFields()), await roleWith(bench, otpFields())]
    for (const [turn, numbers] of SERIES.entries()) {
      const listed = numbers.map((number) => all[number]!)
      const label = `list ${turn}`
      if (listed.length === 0) await bench.given('ssh.deleteZeroAddress')
      else await setRoles(bench, ...listed)
      // A server whose lists add up may free more than were written, if it says so: what is read decides who is bound.
      const shown = listed.length === 0 ? [] : await rolesRead(bench)
      if (listed.length > 0) {
        await bench.decide('SSH-ZERO-08', () => {
          for (const name of listed) expect(shown, label).toContain(name)
        })
        await bench.decide('SSH-ZERO-11', () => expect(shown, label).toEqual(listed.toSorted()))
        await bench.decide('SSH-ZERO-03', async () => {
          for (const name of listed) expect(await issue(bench, name, OUTSIDE[0]!), label).toHaveStatus(200)
        })
      }
      for (const name of all.filter((one) => shown?.includes(one) === false))
        await bench.decide(
          listed.length === 0 ? 'SSH-ZERO-10' : 'SSH-ZERO-09',
          async () => void (await refusesCredential(bench, name, { ip: OUTSIDE[0]! }, { ip: '10.1.1.1' })),
        )
    }
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

/** Whether the list was changed so that it does not name the role; a server may keep one that has no blocks on it. */
const takesOff = async (bench: Bench, name: string, other: string | undefined): Promise<boolean> => {
  if (other === undefined) return (await bench.given('ssh.deleteZeroAddress')).ok
  const { ok } = await bench.call('ssh.writeZeroAddress', { body: { roles: other } })
  return ok && (await rolesRead(bench))?.includes(name) === false
}

check(
  'ssh/zero-address-without-blocks',
  ['SSH-ZERO-05', 'SSH-CIDR-01'],
  'a zero-address role needs no blocks while it is one',
  ownMount,
  async ({ bench, expect }) => {
    // A server may ask for blocks when the role is written: then it must already be on the list.
    const name = bench.mixedName('bare')
    const body = { key_type: 'otp', default_user: 'ubuntu' }
    const first = await bench.call('ssh.writeRole', { path: { name }, body })
    if (!first.ok) await bench.given('ssh.writeRole', { path: { name }, body: otpFields() })
    const other = await roleWith(bench, otpFields())
    // Taken off by another list, and by none.
    for (const left of [other, undefined]) {
      await setRoles(bench, other, name)
      await bench.decide('SSH-ZERO-05', async () => {
        if (!first.ok) expect(await bench.call('ssh.writeRole', { path: { name }, body: { ...body, cidr_list: '' } })).toSucceed()
        expect(await issue(bench, name, '172.16.1.1')).toHaveStatus(200)
      })
      if (await takesOff(bench, name, left))
        await bench.decide('SSH-CIDR-01', async () => {
          // None of the blocks that a server may have kept has these.
          for (const ip of OUTSIDE) expect(await issue(bench, name, ip), ip).toBeRefused()
        })
    }
  },
)

check('ssh/zero-address-refusals', ['SSH-ZERO-06', 'SSH-ZERO-07'], 'a list of roles must be given as text', ownMount, async ({ bench }) => {
  const [a, b] = [await roleWith(bench, otpFields()), await roleWith(bench, otpFields())]
  await setRoles(bench, a)
  const unchanged = { operation: 'ssh.readZeroAddress', input: {} }
  const good = { body: { roles: b } }
  // With an existing list, a write without one may be a partial update.
  await bench.given('ssh.deleteZeroAddress')
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
    const unset = await bench.call('ssh.readZeroAddress', { observing: true })
    bench.observe('SSH-ZERO-12', { status: unset.status, roles: unset.data.roles ?? null })
    bench.observe(
      'SSH-ZERO-13',
      (await bench.call('ssh.writeZeroAddress', { body: { roles: bench.fresh('unknown') }, observing: true })).status,
    )
    const name = await roleWith(bench, otpFields())
    await setRoles(bench, name)
    const { data } = await bench.call('ssh.lookupRoles', { body: { ip: '172.16.1.1' } })
    bench.observe('SSH-LOOKUP-09', { listed: Array.isArray(data.roles) && data.roles.includes(name) })
  },
)
