/** Faults of CIDR blocks, zero-address roles and lookups. */
import { empty, secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfHandling, insteadOfRefusal, isNested, replyData, replyStatus, requestBody } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { type Block, entriesOf } from './networks.ts'
import type { SshRules } from './rules.ts'
import { nameOf } from './wrappers.ts'

const { rule, route } = faultsOf(sshEngine)

/** Reads blocks otherwise. */
const matching = (change: (block: Block) => Block) => ({
  blockContains: (original: SshRules['blockContains']) => (block: Block, address: string) => original(change(block), address),
})

const whole =
  (unit: number, family: Block['family']) =>
  (block: Block): Block =>
    block.family === family ? { ...block, prefix: Math.floor(block.prefix / unit) * unit } : block

/** Leaves some addresses out of every block. */
const excepting = (isLeftOut: (block: Block, address: string) => boolean) => ({
  blockContains: (original: SshRules['blockContains']) => (block: Block, address: string) =>
    original(block, address) && !isLeftOut(block, address),
})

const isBlock = (text: string): boolean => /^[\d.]+\/\d+$/.test(text)

rule('cidr-none-is-all', 'SSH-CIDR-01', 'without blocks every address is admitted', {
  includedBlocks: (original) => (role) => (role.cidr_list === '' ? ['0.0.0.0/0', '::/0'] : original(role)),
})
rule(
  'cidr-no-hosts',
  'SSH-CIDR-03',
  'the address of a network gets no credential',
  excepting((block, address) => address === block.address),
)
rule('cidr-octets', 'SSH-CIDR-04', 'prefixes are rounded to whole octets', matching(whole(8, 'ipv4')))
rule('cidr-first', 'SSH-CIDR-05', 'the first block only counts', {
  includedBlocks: (original) => (role) => original(role).slice(0, 1),
})
rule(
  'cidr-ipv4-only',
  'SSH-CIDR-06',
  'IPv6 addresses are never inside',
  excepting((block) => block.family === 'ipv6'),
)
rule('cidr-ipv6-words', 'SSH-CIDR-06', 'IPv6 prefixes are rounded to whole words', matching(whole(16, 'ipv6')))
rule(
  'cidr-edge',
  'SSH-CIDR-07',
  'the first address of a block does not belong to it',
  excepting((block, address) => address === block.address),
)
rule(
  'cidr-last-edge',
  'SSH-CIDR-07',
  'odd prefixes count as one less',
  matching((block) => ({ ...block, prefix: block.prefix - (block.prefix % 2) })),
)
rule('cidr-nonsense', 'SSH-CIDR-08', 'text that is no block is an empty one', {
  parseBlock: (original) => (text) => original(text) ?? original('0.0.0.0/32'),
})
rule('cidr-prefix', 'SSH-CIDR-09', 'long prefixes are cut', {
  parseBlock: (original) => (text) => original(text) ?? (isBlock(text) ? original(text.replace(/\/.*/, '/32')) : undefined),
})
rule('exclusion-ignored', 'SSH-EXCL-01', 'exclusions are stored and ignored', { excludedBlocks: () => () => [] })
rule('exclusion-default', 'SSH-EXCL-02', 'a network is excluded by default', {
  defaults: (original) => () => ({ ...original(), exclude_cidr_list: '10.255.0.0/16' }),
})
rule('exclusion-wide', 'SSH-EXCL-03', 'exclusions reach over their edge', {
  excludedBlocks: (original) => (role) => original(role).map((text) => text.replace(/\/(\d+)$/, (_, prefix) => `/${Number(prefix) - 1}`)),
})
rule('exclusion-ipv4-only', 'SSH-EXCL-04', 'IPv6 exclusions are ignored', {
  excludedBlocks: (original) => (role) => original(role).filter((text) => !text.includes(':')),
})
route(
  'exclusion-nonsense',
  'SSH-EXCL-05',
  'exclusions that are no blocks are left out',
  'ssh.writeRole',
  requestBody((body, { rules }) =>
    typeof body.exclude_cidr_list === 'string' && !entriesOf(body.exclude_cidr_list).every((text) => rules.parseBlock(text))
      ? { ...body, exclude_cidr_list: '' }
      : body,
  ),
)

route('zero-201', 'SSH-ZERO-01', 'setting the list answers 201', 'ssh.writeZeroAddress', replyStatus(201))
rule('zero-twice', 'SSH-ZERO-02', 'the names are shown twice', {
  nextZeroAddress: () => (_existing, names) => [...names, ...names],
})
rule('zero-ignored', 'SSH-ZERO-03', 'the list changes nothing', { isZeroAddress: () => () => false })
rule('zero-excludes', 'SSH-ZERO-04', 'exclusions hold for roles on the list', {
  addressAllowed: () => (isZeroAddress, isIncluded, isExcluded) => (isZeroAddress || isIncluded) && !isExcluded,
})
route('zero-needs-blocks', 'SSH-ZERO-05', 'a role on the list needs blocks', 'ssh.createCredential', (original) => (call) => {
  if (call.state.roles.get(nameOf(call))?.cidr_list === '') throw invalid('the role has no blocks')
  return original(call)
})
route('zero-optional', 'SSH-ZERO-06', 'no names are no roles', 'ssh.writeZeroAddress', (original) => (call) => {
  if (call.body.roles !== undefined) return original(call)
  call.state.zeroAddress = []
  return empty()
})
route(
  'zero-object',
  'SSH-ZERO-07',
  'an object of names is ignored',
  'ssh.writeZeroAddress',
  insteadOfHandling(empty, ({ body }) => isNested(body.roles)),
)
rule('zero-first', 'SSH-ZERO-08', 'the first name only is kept', {
  zeroAddressNames: (original) => (text) => original(text).slice(0, 1),
})
rule('zero-for-all', 'SSH-ZERO-09', 'a list frees every role', { isZeroAddress: () => (names) => names !== undefined })
rule('zero-kept', 'SSH-ZERO-10', 'the list cannot be deleted', { deleteZeroAddress: () => (existing) => existing })
rule('zero-adds-up', 'SSH-ZERO-11', 'lists add up', { nextZeroAddress: () => (existing, names) => [...(existing ?? []), ...names] })

const hasAddress = (value: unknown): boolean => typeof value === 'string' && value !== ''

route(
  'lookup-first',
  'SSH-LOOKUP-01',
  'a lookup stops at the first role',
  'ssh.lookupRoles',
  replyData(({ roles }) => ({ roles: Array.isArray(roles) ? roles.slice(0, 1) : null })),
)
rule('lookup-any', 'SSH-LOOKUP-02', 'a lookup names every role with blocks', { associated: () => () => true })
rule('lookup-excluded', 'SSH-LOOKUP-03', 'a lookup ignores exclusions', {
  associated: () => (_isZeroAddress, isIncluded) => isIncluded,
})
rule('lookup-none', 'SSH-LOOKUP-04', 'an address without role gets a name', { noRolesShown: () => () => ['default'] })
route(
  'lookup-no-address',
  'SSH-LOOKUP-05',
  'a lookup of nothing finds nothing',
  'ssh.lookupRoles',
  insteadOfRefusal(
    () => secret({ roles: [] }),
    ({ body }) => body.ip === undefined,
  ),
)
route(
  'lookup-any-text',
  'SSH-LOOKUP-06',
  'a lookup of other text finds nothing',
  'ssh.lookupRoles',
  insteadOfRefusal(
    () => secret({ roles: [] }),
    ({ body }) => hasAddress(body.ip),
  ),
)
route(
  'lookup-ipv4-only',
  'SSH-LOOKUP-08',
  'IPv6 addresses are in no block',
  'ssh.lookupRoles',
  (original) => (call) =>
    String(call.body.ip).includes(':') && call.rules.isAddress(String(call.body.ip)) ? secret({ roles: [] }) : original(call),
)
