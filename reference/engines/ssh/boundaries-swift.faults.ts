/** Faults at boundaries: first and last addresses, widths of networks, second and third elements of lists, values exactly at a limit. */
import { faultsOf } from '../../mutations/declare.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'

const { rule, route } = faultsOf(sshEngine)

const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

rule(
  'swift-whole-ipv6-holds-nothing',
  ['SSH-EXCL-08'],
  'the block ::/0 holds no address (000 4.4, cidr_list: comma-separated CIDR blocks)',
  {
    blockContains: (original) => (block, address) => (block.family === 'ipv6' && block.prefix === 0 ? false : original(block, address)),
  },
)

rule(
  'swift-single-address-block',
  ['SSH-EXCL-01'],
  'a block of a single IPv4 address, /32, holds nothing (000 4.4, cidr_list and exclude_cidr_list)',
  {
    blockContains: (original) => (block, address) => !(block.family === 'ipv4' && block.prefix === 32) && original(block, address),
  },
)

rule(
  'swift-last-address-outside',
  ['SSH-LOOKUP-01'],
  'the last address of an IPv4 block counts as outside of it (000 4.4, cidr_list: CIDR blocks)',
  {
    blockContains: (original) => (block, address) => {
      const size = 2 ** (32 - block.prefix)
      const isLast = block.family === 'ipv4' && size > 1 && numberOf(address) % size === size - 1
      return original(block, address) && !isLast
    },
  },
)

rule(
  'swift-prefix-by-whole-octets',
  ['SSH-CIDR-04'],
  'prefixes are compared by whole octets, so that 10.0.0.0/25 holds 10.0.0.200 (000 4.4, cidr_list)',
  {
    blockContains: (original) => (block, address) => original({ ...block, prefix: block.prefix - (block.prefix % 8) }, address),
  },
)

rule(
  'swift-third-block-ignored',
  ['SSH-CIDR-05'],
  'of cidr_list only the first two blocks count (000 4.4, cidr_list: comma-separated CIDR blocks)',
  {
    includedBlocks: (original) => (role) => original(role).slice(0, 2),
  },
)

rule(
  'swift-second-zero-role-ignored',
  ['SSH-ZERO-05'],
  'only the first role of the zero-address list may be used for any address (000 4.4, POST config/zeroaddress)',
  {
    isZeroAddress: () => (names, role) => names?.[0] === role,
  },
)

route(
  'swift-only-first-principal-checked',
  ['SSH-USERS-11'],
  'only the first of valid_principals is held against allowed_users (000 4.4, allowed_users: otherwise only default_user and listed names)',
  'ssh.signKey',
  (original) => (call) => {
    let checked = 0
    const principalAllowed = (user: string, allowed: string[]): boolean => checked++ > 0 || call.rules.principalAllowed(user, allowed)
    return original({ ...call, rules: { ...call.rules, principalAllowed } })
  },
)

rule(
  'swift-key-bits-between',
  ['SSH-BITS-03'],
  'any key_bits from 1024 to 2048 is taken, such as 1536 (000 8, SSH role key_bits: 1024 or 2048)',
  {
    keyBitsAllowed: () => (bits) => bits >= 1024 && bits <= 2048,
  },
)

rule(
  'swift-ttl-at-maximum',
  ['SSH-MAXTTL-01'],
  'a requested ttl that equals max_ttl is refused (000 4.4, sign parameter ttl: must not exceed the role max_ttl)',
  {
    maxTtl: (original) => (role, mountMaximum) => (role.max_ttl > 1 ? role.max_ttl - 1 : original(role, mountMaximum)),
  },
)

rule(
  'swift-second-exclusion-ignored',
  ['SSH-EXCL-01'],
  'of exclude_cidr_list only the first block is rejected (000 4.4, exclude_cidr_list: blocks rejected by the role)',
  {
    excludedBlocks: (original) => (role) => original(role).slice(0, 1),
  },
)

rule(
  'swift-subdomain-of-one-label',
  ['SSH-SUBDOM-05'],
  'a host two labels below a listed domain is refused (000 4.4, allow_subdomains: subdomains of listed domains)',
  {
    hostAllowed: (original) => (role, host) => {
      const domains = entriesOf(role.allowed_domains)
      const isDeep = domains.some((domain) => host.endsWith(`.${domain}`) && host.slice(0, -domain.length - 1).includes('.'))
      return original(role, host) && (!isDeep || domains.includes('*'))
    },
  },
)

rule(
  'swift-only-first-option-checked',
  ['SSH-CRITOPT-03'],
  'only the first requested critical option is held against the list (000 4.4, allowed_critical_options)',
  {
    forbiddenCriticalOptions: (original) => (role, requested) => original(role, Object.fromEntries(Object.entries(requested).slice(0, 1))),
  },
)
