import { type Bench, check, textsIn } from '../../../harness/checks/index.ts'
import { addressText, contains, edges, type Network, networkOf, networkText, randomNetwork, spellings, within } from '../cidr.ts'
import { otpFields, ownMount, roleWith } from '../fixtures.ts'

const rolesOf = async (bench: Bench, ip: string): Promise<string[]> => {
  const { data } = await bench.given('ssh.lookupRoles', { body: { ip } })
  return textsIn(data.roles).sort()
}

/** The same of the check's own roles: a mount that is given may hold others. */
const ownRolesOf = async (bench: Bench, ip: string, own: string[]): Promise<string[]> =>
  (await rolesOf(bench, ip)).filter((name) => own.includes(name))

check(
  'ssh/lookup',
  ['SSH-LOOKUP-01', 'SSH-LOOKUP-02', 'SSH-LOOKUP-03'],
  'a lookup names the roles of an address',
  async ({ bench, expect }) => {
    const wide = await roleWith(bench, otpFields({ cidr_list: '10.0.0.0/8' }))
    const narrow = await roleWith(bench, otpFields({ cidr_list: '192.0.2.0/24,10.64.0.0/10' }))
    const cut = await roleWith(bench, otpFields({ cidr_list: '10.0.0.0/8', exclude_cidr_list: '10.65.0.0/16' }))
    // One that excludes the address and does not hold it either says nothing of the others.
    const away = await roleWith(bench, otpFields({ cidr_list: '172.16.0.0/12', exclude_cidr_list: '10.65.0.0/16' }))
    // Nor of those that were made after it.
    const behind = await roleWith(bench, otpFields({ cidr_list: '10.0.0.0/8' }))
    const own = [wide, narrow, cut, away, behind]
    const [both, one, excluded] = [
      await ownRolesOf(bench, '10.127.255.255', own),
      await ownRolesOf(bench, '192.0.2.1', own),
      await ownRolesOf(bench, '10.65.1.1', own),
    ]
    await bench.decide('SSH-LOOKUP-01', () => {
      expect(both).toEqual([wide, narrow, cut, behind].sort())
      expect(
        excluded.filter((name) => name !== cut),
        'where another role excludes the address',
      ).toEqual([wide, narrow, behind].sort())
    })
    await bench.decide('SSH-LOOKUP-02', () => expect(one).toEqual([narrow]))
    await bench.decide('SSH-LOOKUP-03', () => expect(excluded).toEqual([wide, narrow, behind].sort()))
  },
)

check(
  'ssh/lookup-follows',
  ['SSH-LOOKUP-02', 'SSH-LOOKUP-03'],
  'a lookup goes by what the roles say now, also of an address that was looked up before',
  ownMount,
  async ({ bench, expect }) => {
    const [name, other] = [await roleWith(bench, otpFields()), await roleWith(bench, otpFields())]
    const [here, there] = ['10.1.2.3', '198.51.100.7']
    const found = async () => [await ownRolesOf(bench, here, [name, other]), await ownRolesOf(bench, there, [name, other])]
    const both = [name, other].sort()
    expect(await found(), 'before').toEqual([both, []])
    await bench.given('ssh.writeRole', { path: { name }, body: otpFields({ cidr_list: '198.51.100.0/24' }) })
    await bench.decide('SSH-LOOKUP-02', async () => expect(await found(), 'with another block').toEqual([[other], [name]]))
    await bench.given('ssh.writeRole', { path: { name }, body: otpFields({ exclude_cidr_list: '10.1.2.0/24' }) })
    await bench.decide('SSH-LOOKUP-03', async () => expect(await found(), 'with what it excludes').toEqual([[other], []]))
    await bench.given('ssh.writeRole', { path: { name }, body: otpFields({ exclude_cidr_list: '' }) })
    await bench.decide('SSH-LOOKUP-02', async () => expect(await found(), 'with its first block').toEqual([both, []]))
  },
)

check(
  'ssh/lookup-after-deletion',
  'SSH-LOOKUP-02',
  'a lookup names no role that was deleted, whether or not it named it before',
  ownMount,
  async ({ bench, expect }) => {
    const ip = '10.99.1.2'
    const [named, silent, kept] = [
      await roleWith(bench, otpFields({ cidr_list: '10.99.0.0/16' })),
      await roleWith(bench, otpFields({ cidr_list: '10.98.0.0/15' })),
      await roleWith(bench, otpFields({ cidr_list: '10.0.0.0/8' })),
    ]
    const own = [named, silent, kept]
    await bench.given('ssh.deleteRole', { path: { name: silent } })
    expect(await ownRolesOf(bench, ip, own), 'once a role was deleted').toEqual([named, kept].sort())
    await bench.given('ssh.deleteRole', { path: { name: named } })
    for (const time of ['first', 'second'])
      expect(await ownRolesOf(bench, ip, own), `the ${time} lookup once a role was deleted that it had named`).toEqual([kept])
  },
)

check(
  'ssh/lookup-none',
  'SSH-LOOKUP-04',
  'an address that no role covers has no role',
  { needs: { ...ownMount.needs, features: ['mounts'] } },
  async ({ bench, expect }) => {
    const name = await roleWith(bench, otpFields())
    expect(await rolesOf(bench, '172.16.1.1')).toEqual([])
    expect(await rolesOf(bench, '10.1.2.3'), 'an address that it covers').toEqual([name])
  },
)

check(
  'ssh/lookup-many',
  'SSH-LOOKUP-01',
  'a lookup names every role of an address, however many there are',
  { needs: { ...ownMount.needs, features: ['mounts'] } },
  async ({ bench, expect }) => {
    const own: string[] = []
    for (let count = 0; count < 110; count += 1) own.push(await roleWith(bench, otpFields({ cidr_list: '203.0.113.0/24' })))
    expect(await ownRolesOf(bench, '203.0.113.9', own)).toEqual(own.sort())
  },
)

check('ssh/lookup-ipv6', ['SSH-LOOKUP-08', 'SSH-LOOKUP-02'], 'a lookup knows IPv6', async ({ bench, expect }) => {
  const [name, other] = [bench.fresh('six'), await roleWith(bench, otpFields())]
  const body = otpFields({ cidr_list: '10.0.0.0/8,2001:db8::/32' })
  const written = await bench.call('ssh.writeRole', { path: { name }, body })
  const namedAt = async (ip: string): Promise<string[]> => {
    const { data } = await bench.call('ssh.lookupRoles', { body: { ip } })
    return textsIn(data.roles)
  }
  const inside = ['2001:db8:ffff::1', ...spellings(0x20010db8_00000000_00000000_00000001n)]
  await bench.decide('SSH-LOOKUP-08', async () => {
    expect(written, 'a role with an IPv6 block').toSucceed()
    for (const ip of inside) expect(await namedAt(ip), ip).toContain(name)
  })
  await bench.decide('SSH-LOOKUP-02', async () => {
    for (const ip of inside) expect(await namedAt(ip), ip).not.toContain(other)
    for (const ip of ['2001:db9::1', '2001:db80::1', '2001:db8f::', '2001:db7:ffff::1', '3fff::10.1.2.3'])
      expect(await namedAt(ip), ip).not.toContain(name)
  })
  for (let round = 0; round < bench.effort(2, 3); round += 1) {
    // The first are wider and narrower than the half of an address.
    const network = [networkOf(bench.random, 6, 80), networkOf(bench.random, 6, 48)][round] ?? randomNetwork(bench.random, 6)
    const random = bench.mixedName('six')
    await bench.call('ssh.writeRole', { path: { name: random }, body: otpFields({ cidr_list: networkText(network) }) })
    for (const { address, inside: isInside } of edges(network)) {
      const [ip, words] = [addressText(6, address), `${addressText(6, address)} at ${networkText(network)}`]
      const isNamed = (await namedAt(ip)).includes(random)
      await bench.decide('SSH-LOOKUP-08', () => expect(isNamed, words).toBe(isInside))
      if (!isInside) await bench.decide('SSH-LOOKUP-02', () => expect(isNamed, words).toBe(false))
    }
  }
})

check(
  'ssh/lookup-random',
  ['SSH-LOOKUP-01', 'SSH-LOOKUP-02', 'SSH-LOOKUP-03'],
  'lookups agree with arithmetic on random networks',
  async ({ bench, expect }) => {
    const { random } = bench
    const roles: { name: string; blocks: Network[]; cuts: Network[] }[] = []
    for (let index = 0; index < bench.effort(4, 8); index += 1) {
      const blocks = Array.from({ length: random.integer(1, 3) }, () => randomNetwork(random, 4))
      const cuts = index % 2 === 0 ? [] : blocks.slice(0, 1).map((block) => ({ ...block, prefix: block.prefix + 1 }))
      const fields = {
        cidr_list: blocks.map(networkText).join(','),
        ...(cuts.length === 0 ? {} : { exclude_cidr_list: cuts.map(networkText).join(',') }),
      }
      roles.push({ name: await roleWith(bench, otpFields(fields)), blocks, cuts })
    }
    for (const block of roles.flatMap(({ blocks }) => blocks)) {
      for (const address of [...edges(block).map((edge) => edge.address), within(random, block)]) {
        const found = await ownRolesOf(
          bench,
          addressText(block.family, address),
          roles.map(({ name }) => name),
        )
        const covered = roles.filter((role) => role.blocks.some((network) => contains(network, block.family, address)))
        const cut = covered.filter((role) => role.cuts.some((network) => contains(network, block.family, address))).map(({ name }) => name)
        const wanted = covered.map(({ name }) => name).filter((name) => !cut.includes(name))
        const words = `${addressText(block.family, address)} at ${networkText(block)}`
        await bench.decide('SSH-LOOKUP-01', () =>
          expect(
            found.filter((name) => wanted.includes(name)),
            words,
          ).toEqual(wanted.sort()),
        )
        await bench.decide('SSH-LOOKUP-03', () =>
          expect(
            found.filter((name) => cut.includes(name)),
            words,
          ).toEqual([]),
        )
        const strangers = found.filter((name) => !wanted.includes(name) && !cut.includes(name))
        await bench.decide('SSH-LOOKUP-02', () => expect(strangers, words).toEqual([]))
      }
    }
  },
)

check('ssh/lookup-refusals', ['SSH-LOOKUP-05', 'SSH-LOOKUP-06', 'SSH-LOOKUP-07'], 'a lookup needs an IP address', async ({ bench }) => {
  const refuses = async (clause: string, body: { ip?: string | { a: string } }) =>
    bench.decide(clause, async () => {
      await bench.refuses('ssh.lookupRoles', {
        bad: { body },
        control: { body: { ip: '10.1.2.3' } },
        unchanged: null,
        because: 'a lookup changes nothing',
      })
    })
  await refuses('SSH-LOOKUP-05', {})
  for (const ip of ['somewhere', '10.1.2', '10.1.2.300', '10.0.0.0/8', ':::']) await refuses('SSH-LOOKUP-06', { ip })
  await refuses('SSH-LOOKUP-07', { ip: { a: '10.1.2.3' } })
})
