import { type Bench, check } from '../../harness/checks/index.ts'
import { otpFields, ownMount, roleWith } from './fixtures.ts'
import { addressText, contains, edges, type Network, networkText, randomNetwork, within } from './networks.ts'

const rolesOf = async (bench: Bench, ip: string): Promise<string[]> => {
  const { data } = await bench.given('ssh.lookupRoles', { body: { ip } })
  return Array.isArray(data.roles) ? data.roles.map(String).sort() : []
}

check(
  'ssh/lookup',
  ['SSH-LOOKUP-01', 'SSH-LOOKUP-02', 'SSH-LOOKUP-03', 'SSH-LOOKUP-04', 'SSH-LOOKUP-08'],
  'a lookup names the roles of an address',
  ownMount,
  async ({ bench, expect }) => {
    const wide = await roleWith(bench, otpFields({ cidr_list: '10.0.0.0/8,2001:db8::/32' }))
    const narrow = await roleWith(bench, otpFields({ cidr_list: '192.0.2.0/24,10.64.0.0/10' }))
    const cut = await roleWith(bench, otpFields({ cidr_list: '10.0.0.0/8', exclude_cidr_list: '10.65.0.0/16' }))
    const [both, one, excluded, none, six] = [
      await rolesOf(bench, '10.127.255.255'),
      await rolesOf(bench, '192.0.2.1'),
      await rolesOf(bench, '10.65.1.1'),
      await rolesOf(bench, '172.16.1.1'),
      await rolesOf(bench, '2001:db8:ffff::1'),
    ]
    await bench.decide('SSH-LOOKUP-01', () => expect(both).toEqual([wide, narrow, cut].sort()))
    await bench.decide('SSH-LOOKUP-02', () => expect(one).toEqual([narrow]))
    await bench.decide('SSH-LOOKUP-03', () => expect(excluded).toEqual([wide, narrow].sort()))
    await bench.decide('SSH-LOOKUP-04', () => expect(none).toEqual([]))
    await bench.decide('SSH-LOOKUP-08', () => expect(six).toEqual([wide]))
  },
)

check(
  'ssh/lookup-random',
  ['SSH-LOOKUP-01', 'SSH-LOOKUP-02', 'SSH-LOOKUP-03'],
  'lookups agree with arithmetic on random networks',
  ownMount,
  async ({ bench, expect }) => {
    const { random } = bench
    const roles: { name: string; blocks: Network[]; cuts: Network[] }[] = []
    for (let index = 0; index < bench.effort(4, 8, 16); index += 1) {
      const blocks = Array.from({ length: random.integer(1, 3) }, () => randomNetwork(random))
      const cuts = index % 2 === 0 ? [] : blocks.slice(0, 1).map((block) => ({ ...block, prefix: block.prefix + 1 }))
      const fields = {
        cidr_list: blocks.map(networkText).join(','),
        ...(cuts.length === 0 ? {} : { exclude_cidr_list: cuts.map(networkText).join(',') }),
      }
      roles.push({ name: await roleWith(bench, otpFields(fields)), blocks, cuts })
    }
    for (const block of roles.flatMap(({ blocks }) => blocks)) {
      for (const address of [...edges(block).map((edge) => edge.address), within(random, block)]) {
        const found = await rolesOf(bench, addressText(block.family, address))
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
        good: { body: { ip: '10.1.2.3' } },
        unchanged: null,
        because: 'a lookup changes nothing',
      })
    })
  await refuses('SSH-LOOKUP-05', {})
  for (const ip of ['somewhere', '10.1.2', '10.1.2.300', '10.0.0.0/8', ':::']) await refuses('SSH-LOOKUP-06', { ip })
  await refuses('SSH-LOOKUP-07', { ip: { a: '10.1.2.3' } })
})
