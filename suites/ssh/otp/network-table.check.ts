/** Blocks of every width that arithmetic goes wrong at, and lists of blocks in which only one holds the address. */
import { type Bench, type CheckContext, check, type JsonObject, type Random } from '../../../harness/checks/index.ts'
import { addressText, edges, type Network, networkOf, networkText, within } from '../cidr.ts'
import { otpFields, refusesCredential, roleWith } from '../fixtures.ts'

const issue = (bench: Bench, name: string, ip: string) => bench.call('ssh.createCredential', { path: { name }, body: { ip } })

const issued = async ({ bench, expect }: CheckContext, role: string, block: string, ip: string): Promise<void> =>
  void expect(await issue(bench, role, ip), `${ip} in ${block}`).toHaveStatus(200)

/** First, last and between, but for what a server may set aside as no address of a host. */
const EVERYWHERE = ['1.0.0.1', '10.1.2.3', '127.255.255.254', '128.0.0.1', '203.0.113.9']

check('ssh/cidr-widths', 'SSH-CIDR-07', 'blocks of every width hold their first and last address', async (context) => {
  const { bench } = context
  const open = await roleWith(bench, otpFields({ cidr_list: '0.0.0.0/0' }))
  for (const ip of EVERYWHERE) await issued(context, open, '0.0.0.0/0', ip)
  for (const prefix of [1, 2, 15, 16, 17, 24, 30, 31, 32]) {
    const network = networkOf(bench.random, 4, prefix)
    const block = networkText(network)
    const role = await roleWith(bench, otpFields({ cidr_list: block }))
    const inside = addressText(4, network.first)
    for (const { address, inside: isInside } of edges(network)) {
      // A server may refuse 0.0.0.0 and 255.255.255.255: no host has them.
      if (address === 0n || address === 0xffff_ffffn) continue
      const ip = addressText(4, address)
      if (isInside) await issued(context, role, block, ip)
      else if (prefix > 2) await refusesCredential(bench, role, { ip }, { ip: inside })
    }
  }
})

/** Blocks of whole octets, and addresses outside whose text begins or goes on as theirs does. */
const WHOLE_OCTETS = [
  { block: '20.0.0.0/8', inside: '20.200.2.3', outside: ['200.0.0.1', '202.0.0.9', '120.0.0.1', '2.0.0.1'] },
  { block: '10.1.0.0/16', inside: '10.1.10.1', outside: ['10.10.0.1', '10.100.1.3', '10.11.1.1', '110.1.0.1', '1.0.10.1'] },
  { block: '192.0.2.0/24', inside: '192.0.2.20', outside: ['192.0.20.1', '192.0.200.2', '192.0.29.3', '92.0.2.1', '192.0.12.2'] },
]

check(
  'ssh/cidr-whole-octets',
  ['SSH-CIDR-03', 'SSH-CIDR-04', 'SSH-EXCL-01', 'SSH-EXCL-03'],
  'a block of whole octets holds no address that merely begins or ends like it',
  async (context) => {
    const { bench, expect } = context
    for (const { block, inside, outside } of WHOLE_OCTETS) {
      const only = await roleWith(bench, otpFields({ cidr_list: block }))
      await bench.decide('SSH-CIDR-03', () => issued(context, only, block, inside))
      await bench.decide('SSH-CIDR-04', async () => {
        for (const ip of outside) await refusesCredential(bench, only, { ip }, { ip: inside })
      })
      const cut = await roleWith(bench, otpFields({ cidr_list: '0.0.0.0/0', exclude_cidr_list: block }))
      await bench.decide('SSH-EXCL-03', async () => {
        for (const ip of outside) expect(await issue(bench, cut, ip), `${ip} beside ${block}, which is excluded`).toHaveStatus(200)
      })
      await bench.decide('SSH-EXCL-01', async () => void (await refusesCredential(bench, cut, { ip: inside }, { ip: outside[0]! })))
    }
  },
)

/** So many blocks beside one another, and one of them to be tried: the first, one within, the last. */
const lists = (random: Random): { blocks: Network[]; tried: Network }[] =>
  [2, 12, 60].flatMap((count) => {
    const blocks = Array.from(
      { length: count },
      (_, index): Network => ({ family: 4, prefix: 24, first: 0x0a000000n + BigInt(index) * 512n }),
    )
    return [blocks[0]!, blocks[random.integer(1, count - 1)]!, blocks[count - 1]!].map((tried) => ({ blocks, tried }))
  })

const text = (blocks: readonly Network[]): string => blocks.map(networkText).join(',')

check(
  'ssh/cidr-long-lists',
  ['SSH-CIDR-05', 'SSH-EXCL-01'],
  'of many blocks each admits, and each excludes, wherever it stands',
  async (context) => {
    const { bench } = context
    const { random } = bench
    for (const { blocks, tried } of lists(random)) {
      const ip = addressText(4, within(random, tried))
      const role = (fields: JsonObject) => roleWith(bench, otpFields(fields))
      await bench.decide('SSH-CIDR-05', async () => issued(context, await role({ cidr_list: text(blocks) }), `${blocks.length} blocks`, ip))
      await bench.decide('SSH-EXCL-01', async () => {
        const cut = await role({ exclude_cidr_list: text(blocks) })
        await refusesCredential(bench, cut, { ip }, { ip: '10.255.0.1' })
      })
    }
  },
)
