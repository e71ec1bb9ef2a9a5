/** Faults at edges: nothing, one, several, first, last, exactly at a limit, beyond one. */
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { publicKeyOf } from './key-formats.ts'
import { ipv4Number } from './later-help.ts'
import { entriesOf } from './networks.ts'
import type { SshCall } from './wrappers.ts'

const { rule, route } = faultsOf(sshEngine, 'ssh')

rule(
  'later-last-address-outside',
  ['SSH-LOOKUP-01'],
  'the last address of a block does not count as inside it (000 4.4, cidr_list: "CIDR blocks")',
  {
    blockContains: (original) => (block, address) => {
      const size = 2 ** (32 - block.prefix)
      const isLast = block.family === 'ipv4' && block.prefix < 31 && ipv4Number(address) % size === size - 1
      return original(block, address) && !isLast
    },
  },
)

rule(
  'later-prefix-zero-as-none',
  ['SSH-EXCL-08'],
  'a block /0 counts as one of a single address (000 4.4, cidr_list: "comma-separated CIDR blocks")',
  {
    parseBlock: (original) => (text) => {
      const block = original(text)
      return block && { ...block, prefix: block.prefix || (block.family === 'ipv4' ? 32 : 128) }
    },
  },
)

rule(
  'later-last-exclusion-only',
  ['SSH-EXCL-01'],
  'of several excluded blocks the last alone counts (000 4.4, exclude_cidr_list: "blocks rejected by the role")',
  {
    excludedBlocks: (original) => (role) => original(role).slice(-1),
  },
)

rule(
  'later-exclusion-beats-zeroaddress',
  ['SSH-ZERO-04'],
  'excluded blocks bind zero-address roles, too (000 4.4: "CIDR blocks of these roles are ignored")',
  {
    addressAllowed: () => (isZeroAddress, isIncluded, isExcluded) => (isZeroAddress || isIncluded) && !isExcluded,
  },
)

rule('later-key-bits-between', ['SSH-BITS-03'], 'lengths between the two that are allowed are accepted (000 8: "key_bits 1024 or 2048")', {
  keyBitsAllowed: () => (bits) => bits >= 1024 && bits <= 2048,
})

rule(
  'later-default-ttl-is-maximum',
  ['SSH-TTL-03'],
  'without ttl a role signs for max_ttl beyond the system default (000 4.4, ttl: "system default or max_ttl, whichever is shorter")',
  {
    defaultTtl: (original) => (role, mountDefault, maximum) =>
      role.ttl === 0 && role.max_ttl > 0 ? role.max_ttl : original(role, mountDefault, maximum),
  },
)

rule(
  'later-no-maximum-no-limit',
  ['SSH-MAXTTL-02'],
  'a role without max_ttl signs for any time (000 4.4, max_ttl: "if unset, system maximum lease TTL")',
  {
    maxTtl: () => (role) => role.max_ttl || Number.POSITIVE_INFINITY,
  },
)

rule(
  'later-domain-ends-alike',
  ['SSH-SUBDOM-04'],
  'a domain of another that ends like a listed one is signed (000 4.4, allow_subdomains: "subdomains of listed domains")',
  {
    hostAllowed: (original) => (role, host) =>
      original(role, host) ||
      (role.allow_subdomains && entriesOf(role.allowed_domains).some((domain) => host !== domain && host.endsWith(domain))),
  },
)

rule(
  'later-nobody-named',
  ['SSH-SIGN-21'],
  'without principals and default user a certificate for anyone comes out (000 4.4, allowed_users: only "listed names")',
  {
    mayNameNobody: (original) => (type, allowed) => original(type, allowed) || (type === 'user' && allowed.length > 0),
  },
)

rule(
  'later-serial-rounded',
  ['SSH-SIGN-07'],
  'serial_number is the serial of the certificate rounded to 53 bits (000 2.7: "serial_number (string)" of the certificate)',
  {
    serialShown: () => (serial) => Number(serial).toString(16),
  },
)

route(
  'later-lookup-one-as-text',
  ['SSH-LOOKUP-04'],
  'a single role comes as a text (000 4.4, lookup: "array of role names")',
  'ssh.lookupRoles',
  replyData<SshCall>((data) => {
    const roles = data.roles ?? null
    return { ...data, roles: Array.isArray(roles) && roles.length === 1 ? (roles[0] ?? null) : roles }
  }),
)

rule(
  'later-ca-without-public-key',
  ['SSH-CA-08'],
  'a pair without public_key is accepted (000 4.4, config/ca: both "required when generate_signing_key is false")',
  {
    missingOfPair: (original) => (privateKey) => original(privateKey, 'derived'),
    parsePublic: (original) => (text, privateKey) => (text === '' ? publicKeyOf(privateKey) : original(text, privateKey)),
  },
)
