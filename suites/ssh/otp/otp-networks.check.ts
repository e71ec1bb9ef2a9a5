import { type Bench, type CheckContext, check, type JsonObject } from '../../../harness/checks/index.ts'
import { addressText, edges, networkText, randomNetwork } from '../cidr.ts'
import { otpFields, refusesCredential, roleWith } from '../fixtures.ts'

const issue = (bench: Bench, name: string, ip: string) => bench.call('ssh.createCredential', { path: { name }, body: { ip } })

const role = (bench: Bench, cidr_list: string, more: JsonObject = {}) => roleWith(bench, otpFields({ cidr_list, ...more }))

const expectIssued = async ({ bench, expect }: CheckContext, name: string, addresses: string[]): Promise<void> => {
  for (const ip of addresses) expect(await issue(bench, name, ip), ip).toHaveStatus(200)
}

const expectRefused = async ({ bench }: CheckContext, name: string, addresses: string[], inside: string): Promise<void> => {
  for (const ip of addresses) await refusesCredential(bench, name, { ip }, { ip: inside })
}

check(
  'ssh/cidr-membership',
  ['SSH-CIDR-03', 'SSH-CIDR-04', 'SSH-CIDR-05'],
  'credentials are for addresses inside the blocks only',
  async (context) => {
    const { bench } = context
    const one = await role(bench, '192.0.2.0/25')
    await bench.decide('SSH-CIDR-03', () => expectIssued(context, one, ['192.0.2.0', '192.0.2.77', '192.0.2.127']))
    await bench.decide('SSH-CIDR-04', () => expectRefused(context, one, ['192.0.2.128', '192.0.3.1', '10.0.0.1', '193.0.2.1'], '192.0.2.1'))
    const several = await role(bench, '10.0.0.0/8,172.16.0.0/12,192.168.7.0/24')
    await bench.decide('SSH-CIDR-05', () => expectIssued(context, several, ['10.255.0.1', '172.31.255.255', '192.168.7.9']))
  },
)

check('ssh/cidr-edges', 'SSH-CIDR-07', 'a block begins and ends where its prefix says', async (context) => {
  for (let round = 0; round < context.bench.effort(2, 5); round += 1) {
    const network = randomNetwork(context.bench.random, 4)
    const name = await role(context.bench, networkText(network))
    const text = (wanted: boolean) =>
      edges(network)
        .filter(({ inside }) => inside === wanted)
        .map(({ address }) => addressText(4, address))
    await expectIssued(context, name, text(true))
    await expectRefused(context, name, text(false), addressText(4, network.first))
  }
})

check('ssh/cidr-ipv6', 'SSH-CIDR-06', 'IPv6 blocks admit their addresses and no others', async (context) => {
  const { bench, expect } = context
  const name = bench.fresh('six')
  const body = otpFields({ cidr_list: '2001:db8:40::/42' })
  expect(await bench.call('ssh.writeRole', { path: { name }, body }), 'a role with an IPv6 block').toSucceed()
  await expectIssued(context, name, ['2001:db8:40::', '2001:db8:7f:ffff::1', '2001:DB8:0055:0:0:0:0:1'])
  await expectRefused(context, name, ['2001:db8:80::', '2001:db8:3f:ffff:ffff:ffff:ffff:ffff', '::1'], '2001:db8:40::1')
  for (let round = 0; round < bench.effort(1, 3); round += 1) {
    const network = randomNetwork(bench.random, 6)
    const random = await role(bench, networkText(network))
    for (const { address, inside } of edges(network)) {
      const [ip, first] = [addressText(6, address), addressText(6, network.first)]
      await (inside ? expectIssued(context, random, [ip]) : expectRefused(context, random, [ip], first))
    }
  }
})

check('ssh/cidr-required', 'SSH-CIDR-01', 'a role without blocks issues nothing', async ({ bench, expect }) => {
  const name = bench.mixedName('role')
  const body = { key_type: 'otp', default_user: 'ubuntu' }
  await bench.call('ssh.writeRole', { path: { name }, body })
  for (const ip of ['10.1.2.3', '0.0.0.0', '203.0.113.9']) expect(await issue(bench, name, ip), ip).toBeRefused()
  await bench.given('ssh.writeRole', { path: { name }, body: { ...body, cidr_list: '10.0.0.0/8' } })
  expect(await issue(bench, name, '10.1.2.3'), 'with a block').toHaveStatus(200)
})

check(
  'ssh/cidr-excluded',
  ['SSH-EXCL-01', 'SSH-EXCL-02', 'SSH-EXCL-03'],
  'excluded blocks are cut out of the admitted ones',
  async (context) => {
    const { bench } = context
    const plain = await role(bench, '10.0.0.0/8')
    await bench.decide('SSH-EXCL-02', () => expectIssued(context, plain, ['10.0.0.0', '10.9.1.1', '10.255.255.255']))
    const cut = await role(bench, '10.0.0.0/8', { exclude_cidr_list: '10.9.0.0/16,10.10.10.10/32' })
    await bench.decide('SSH-EXCL-01', () => expectRefused(context, cut, ['10.9.0.0', '10.9.255.255', '10.10.10.10'], '10.1.1.1'))
    await bench.decide('SSH-EXCL-03', () => expectIssued(context, cut, ['10.8.255.255', '10.10.0.0', '10.10.10.9', '10.10.10.11']))
  },
)

check('ssh/cidr-excluded-ipv6', 'SSH-EXCL-04', 'excluded IPv6 blocks are cut out too', async (context) => {
  const { bench, expect } = context
  const name = bench.fresh('six')
  const body = otpFields({ cidr_list: '10.0.0.0/8,2001:db8::/32', exclude_cidr_list: '10.9.0.0/16,2001:db8:ff00::/40' })
  expect(await bench.call('ssh.writeRole', { path: { name }, body }), 'a role with IPv6 blocks').toSucceed()
  await expectRefused(context, name, ['2001:db8:ff00::', '2001:db8:ffff:ffff::9'], '2001:db8::1')
  await expectIssued(context, name, ['2001:db8:feff::1'])
})
