/** Faults of CIDR blocks and lookups. */

import { secret } from '../../core/envelope.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfRefusal, replyData, requestBody } from '../../faults/wrappers.ts'
import { sshEngine } from './engine.ts'
import { type Block, entriesOf } from './networks.ts'
import type { SshRules } from './rules.ts'
import type { SshCall } from './wrappers.ts'

const { rule, change, declared } = faultsOf(sshEngine)

rule('v4-full-width', 'SSH-EXCL-01', 'a block of one address (/32) holds no address', {
  blockContains: (original) => (block, address) => !(block.family === 'ipv4' && block.prefix === 32) && original(block, address),
})
rule('v4-zero-width', 'SSH-CIDR-07', 'the block of all IPv4 addresses (/0) holds none', {
  blockContains: (original) => (block, address) => !(block.family === 'ipv4' && block.prefix === 0) && original(block, address),
})
rule('v6-full-width', 'SSH-CIDR-06', 'an IPv6 block of one address (/128) holds no address', {
  blockContains: (original) => (block, address) => block.prefix !== 128 && original(block, address),
})
const number = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
rule('first-address', ['SSH-EXCL-01', 'SSH-EXCL-02'], 'the first address of an IPv4 block is taken for outside', {
  blockContains: (original) => (block, address) =>
    original(block, address) && !(block.family === 'ipv4' && block.prefix < 31 && number(address) % 2 ** (32 - block.prefix) === 0),
})
change('lookup-30', 'SSH-LOOKUP-01', 'a lookup names 30 roles at most', {
  routes: { 'ssh.lookupRoles': replyData((data) => ({ ...data, roles: (data.roles as string[]).slice(0, 30) })) },
})
rule('ten-blocks', 'SSH-CIDR-05', 'blocks after the tenth of cidr_list are not looked at', {
  includedBlocks: (original) => (role) => original(role).slice(0, 10),
})
rule('last-excluded', 'SSH-EXCL-01', 'the last of several excluded blocks is not looked at', {
  excludedBlocks: (original) => (role) => {
    const blocks = original(role)
    return blocks.length > 1 ? blocks.slice(0, -1) : blocks
  },
})
const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
rule('block-last', ['SSH-CIDR-07', 'SSH-LOOKUP-01'], 'the last address of a block lies outside', {
  blockContains: (original) => (block, address) => {
    const size = 2 ** (32 - block.prefix)
    const isLast = block.family === 'ipv4' && size > 1 && numberOf(address) % size === size - 1
    return !isLast && original(block, address)
  },
})
rule('cidr-none-is-all', 'SSH-CIDR-01', 'without blocks every address is admitted', {
  includedBlocks: (original) => (role) => (role.cidr_list === '' ? ['0.0.0.0/0', '::/0'] : original(role)),
})
/** Leaves some addresses out of every block. */
const excepting = (isLeftOut: (block: Block, address: string) => boolean) => ({
  blockContains: (original: SshRules['blockContains']) => (block: Block, address: string) =>
    original(block, address) && !isLeftOut(block, address),
})
rule(
  'cidr-no-hosts',
  'SSH-CIDR-03',
  'the address of a network gets no credential',
  excepting((block, address) => address === block.address),
)
/** Reads blocks otherwise. */
const matching = (change: (block: Block) => Block) => ({
  blockContains: (original: SshRules['blockContains']) => (block: Block, address: string) => original(change(block), address),
})
const whole =
  (unit: number, family: Block['family']) =>
  (block: Block): Block =>
    block.family === family ? { ...block, prefix: Math.floor(block.prefix / unit) * unit } : block
rule('cidr-octets', 'SSH-CIDR-04', 'prefixes are rounded to whole octets', matching(whole(8, 'ipv4')))
rule('cidr-first', 'SSH-CIDR-05', 'the first block only counts', {
  includedBlocks: (original) => (role) => original(role).slice(0, 1),
})
rule('cidr-ipv6-words', 'SSH-CIDR-06', 'IPv6 prefixes are rounded to whole words', matching(whole(16, 'ipv6')))
rule(
  'cidr-last-edge',
  'SSH-CIDR-07',
  'odd prefixes count as one less',
  matching((block) => ({ ...block, prefix: block.prefix - (block.prefix % 2) })),
)
rule('cidr-nonsense', 'SSH-CIDR-08', 'a text other than a block counts as an empty one', {
  parseBlock: (original) => (text) => original(text) ?? original('0.0.0.0/32'),
})
const isBlock = (text: string): boolean => /^[\d.]+\/\d+$/.test(text)
rule('cidr-prefix', 'SSH-CIDR-09', 'long prefixes are cut', {
  parseBlock: (original) => (text) => original(text) ?? (isBlock(text) ? original(text.replace(/\/.*/, '/32')) : undefined),
})
rule('exclusion-wide', 'SSH-EXCL-03', 'exclusions reach over their edge', {
  excludedBlocks: (original) => (role) => original(role).map((text) => text.replace(/\/(\d+)$/, (_, prefix) => `/${Number(prefix) - 1}`)),
})
rule('exclusion-ipv4-only', 'SSH-EXCL-04', 'IPv6 exclusions are ignored', {
  excludedBlocks: (original) => (role) => original(role).filter((text) => !text.includes(':')),
})
change('exclusion-nonsense', 'SSH-EXCL-05', 'exclusions other than blocks are left out', {
  routes: {
    'ssh.writeRole': requestBody((body, { rules }) =>
      typeof body.exclude_cidr_list === 'string' && !entriesOf(body.exclude_cidr_list).every((text) => rules.parseBlock(text))
        ? { ...body, exclude_cidr_list: '' }
        : body,
    ),
  },
})
rule('lookup-any', 'SSH-LOOKUP-02', 'a lookup names every role with blocks', { associated: () => () => true })
rule('lookup-excluded', 'SSH-LOOKUP-03', 'a lookup ignores exclusions', {
  associated: () => (_isZeroAddress, isIncluded) => isIncluded,
})
rule('lookup-none', 'SSH-LOOKUP-04', 'an address without role gets a name', { noRolesShown: () => () => ['default'] })
change('lookup-no-address', 'SSH-LOOKUP-05', 'a lookup of nothing finds nothing', {
  routes: {
    'ssh.lookupRoles': insteadOfRefusal(
      () => secret({ roles: [] }),
      ({ body }) => body.ip === undefined,
    ),
  },
})
const hasAddress = (value: unknown): boolean => typeof value === 'string' && value !== ''
change('lookup-any-text', 'SSH-LOOKUP-06', 'a lookup of other text finds nothing', {
  routes: {
    'ssh.lookupRoles': insteadOfRefusal(
      () => secret({ roles: [] }),
      ({ body }) => hasAddress(body.ip),
    ),
  },
})
change('lookup-ipv4-only', 'SSH-LOOKUP-08', 'IPv6 addresses are in no block', {
  routes: {
    'ssh.lookupRoles': (original) => (call) =>
      String(call.body.ip).includes(':') && call.rules.isAddress(String(call.body.ip)) ? secret({ roles: [] }) : original(call),
  },
})
change('lookup-of-same-blocks', 'SSH-LOOKUP-01', 'a lookup names only the last of the roles with the same list of blocks', {
  routes: {
    'ssh.lookupRoles': replyData<SshCall>((data, { state }) => {
      const names = (data.roles ?? []) as string[]
      const byBlocks = new Map(names.map((name) => [state.roles.get(name)?.cidr_list, name]))
      return { ...data, roles: names.filter((name) => byBlocks.get(state.roles.get(name)?.cidr_list) === name) }
    }),
  },
})
rule('v6-long', 'SSH-CIDR-06', 'an IPv6 address that is written without :: lies in no block', {
  blockContains: (original) => (block, address) => original(block, address) && !(block.family === 'ipv6' && !address.includes('::')),
})
rule('ipv6-by-half', ['SSH-CIDR-12', 'SSH-EXCL-08'], 'only the first 64 bits of IPv6 addresses are compared', {
  blockContains: (original) => (block, address) =>
    original(block.family === 'ipv6' ? { ...block, prefix: Math.min(block.prefix, 64) } : block, address),
})
rule('ipv6-block-of-one', 'SSH-CIDR-13', 'a block /128 is refused', {
  parseBlock: (original) => (text) => {
    const block = original(text)
    return block?.prefix === 128 ? undefined : block
  },
})

export const faults = declared
