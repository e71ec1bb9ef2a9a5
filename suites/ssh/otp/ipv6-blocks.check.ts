/**
 * IPv6 blocks where they are taken: whether they are is advised, but a block that was taken bounds the role like any other, of whichever width it is
 * and however it and the address are written.
 */
import { type Answer, type Bench, type CheckContext, check } from '../../../harness/checks/index.ts'
import { addressText, edges, type Network, networkOf, networkText, spellings } from '../cidr.ts'
import { otpFields } from '../fixtures.ts'

const issue = (bench: Bench, name: string, ip: string) => bench.call('ssh.createCredential', { path: { name }, body: { ip } })

/** Asks for a role with these blocks, which a server may refuse. */
const roleOf = async (bench: Bench, cidr_list: string, exclude_cidr_list = ''): Promise<{ name: string; written: Answer }> => {
  const name = bench.mixedName('six')
  return { name, written: await bench.call('ssh.writeRole', { path: { name }, body: otpFields({ cidr_list, exclude_cidr_list }) }) }
}

/** Why nothing is to be held against the server: a refusal of a plain IPv6 block, or of an address in it; undefined where it takes both. */
const refusalOf = async (bench: Bench): Promise<Answer | undefined> => {
  const { name, written } = await roleOf(bench, '2001:db8:40::/42')
  if (!written.ok) return written
  const inside = await issue(bench, name, '2001:db8:40::1')
  return inside.ok ? undefined : inside
}

const CLAUSES = ['SSH-CIDR-06', 'SSH-CIDR-12', 'SSH-CIDR-13']

/** An address is in a block, or not, whatever else the role was asked. */
const expectMembership = async (
  { bench, expect }: CheckContext,
  role: string,
  block: string,
  ip: string,
  isInside: boolean,
): Promise<void> => {
  const answer = await issue(bench, role, ip)
  const judge = () => (isInside ? expect(answer, `${ip} in ${block}`).toHaveStatus(200) : expect(answer, `${ip} in ${block}`).toBeRefused())
  await bench.decide('SSH-CIDR-06', judge)
  await bench.decide(isInside ? 'SSH-CIDR-13' : 'SSH-CIDR-12', judge)
}

/** Whether the server takes IPv6 blocks; where it does not, decides the clauses by its refusal. */
const takesBlocks = async ({ bench, expect }: CheckContext): Promise<boolean> => {
  const refusal = await refusalOf(bench)
  if (refusal === undefined) return true
  await bench.decide('SSH-CIDR-06', () => expect(refusal, 'an IPv6 block, and an address in it').toSucceed())
  for (const clause of ['SSH-CIDR-12', 'SSH-CIDR-13']) await bench.decide(clause, () => expect(refusal).toBeRefused())
  return false
}

const WIDTHS = [3, 16, 31, 32, 33, 48, 63, 64, 65, 80, 96, 112, 127, 128]

check('ssh/cidr-widths-ipv6', CLAUSES, 'IPv6 blocks of every width hold their first and last address', async (context) => {
  const { bench, expect } = context
  if (!(await takesBlocks(context))) return
  const tried: { network: Network; block: string }[] = bench.few(WIDTHS, 4).map((prefix) => {
    const network = networkOf(bench.random, 6, prefix)
    return { network, block: `${bench.random.pick(spellings(network.first))}/${prefix}` }
  })
  for (const { network, block } of tried) {
    const { name, written } = await roleOf(bench, block)
    for (const clause of ['SSH-CIDR-06', 'SSH-CIDR-13'])
      await bench.decide(clause, () => expect(written, `a role for ${block}`).toSucceed())
    if (!written.ok) continue
    for (const { address, inside } of edges(network)) await expectMembership(context, name, block, addressText(6, address), inside)
  }
  const open = await roleOf(bench, '::/0')
  await bench.decide('SSH-CIDR-13', () => expect(open.written, 'a role for ::/0').toSucceed())
  for (const ip of ['2001:db8::1', 'fd00::1', '8000::1']) if (open.written.ok) await expectMembership(context, open.name, '::/0', ip, true)
})

/** Blocks of whole words and of parts of them, with addresses outside whose text begins as that of the block. */
const ALIKE: [prefix: number, first: bigint, outside: string[]][] = [
  [32, 0x20010db8n << 96n, ['2001:db80::1', '2001:db8f:1::', '2001:d::1', '2001:db9::', '2001:db7:ffff::1', '2001::db8']],
  [48, 0x20010db80001n << 80n, ['2001:db8:10::1', '2001:db8:1f:1::', '2001:db8:2::1', '2001:db8::1', '2001:db8:0:1::']],
  [44, 0x20010db80010n << 80n, ['2001:db8:1::1', '2001:db8:100::1', '2001:db8:20::1', '2001:db8:f::1']],
  [64, 0x20010db8_00000001n << 64n, ['2001:db8:0:10::1', '2001:db8:0:2::1', '2001:db8:1::1', '2001:db8::1:0:0:1']],
]

check('ssh/cidr-spelling-ipv6', CLAUSES, 'an IPv6 address is in a block by its value, however both are written', async (context) => {
  const { bench, expect } = context
  if (!(await takesBlocks(context))) return
  for (const [prefix, first, outside] of ALIKE)
    for (const block of spellings(first).map((text) => `${text}/${prefix}`)) {
      const { name, written } = await roleOf(bench, block)
      await bench.decide('SSH-CIDR-13', () => expect(written, `a role for ${block}`).toSucceed())
      if (!written.ok) continue
      for (const ip of [...spellings(first), ...spellings(first + 1n), ...spellings(first + 0xabcdn)])
        await expectMembership(context, name, block, ip, true)
      for (const ip of outside) await expectMembership(context, name, block, ip, false)
    }
})

check('ssh/cidr-excluded-ipv6-edges', 'SSH-EXCL-08', 'an excluded IPv6 block cuts out what it holds', async ({ bench, expect }) => {
  const refusal = await refusalOf(bench)
  if (refusal !== undefined) return expect(refusal).toBeRefused()
  for (const prefix of bench.few([16, 48, 64, 80, 128], 2)) {
    const network = networkOf(bench.random, 6, prefix)
    for (const cut of [networkText(network), `10.9.0.0/16,${spellings(network.first)[0]}/${prefix}`]) {
      const { name, written } = await roleOf(bench, '10.0.0.0/8,::/0', cut)
      expect(written, `a role that excludes ${cut}`).toSucceed()
      for (const { address, inside } of edges(network)) {
        const answer = await issue(bench, name, addressText(6, address))
        const words = `${addressText(6, address)}, ${cut} being excluded`
        if (inside) expect(answer, words).toBeRefused()
        else expect(answer, words).toHaveStatus(200)
      }
    }
  }
})
