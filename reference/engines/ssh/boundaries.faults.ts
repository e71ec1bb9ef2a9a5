/** Faults at the edges: the first, the last, one, many, exactly at a limit. */
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'

const { rule, route } = faultsOf(sshEngine)

const number = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

rule('boundary-v4-full-width', ['SSH-EXCL-01'], 'a block of one address (/32) holds no address (000 4.4, cidr_list)', {
  blockContains: (original) => (block, address) => !(block.family === 'ipv4' && block.prefix === 32) && original(block, address),
})

rule('boundary-v4-zero-width', ['SSH-CIDR-07'], 'the block of all IPv4 addresses (/0) holds none (000 4.4, cidr_list)', {
  blockContains: (original) => (block, address) => !(block.family === 'ipv4' && block.prefix === 0) && original(block, address),
})

rule('boundary-v6-full-width', ['SSH-CIDR-06'], 'an IPv6 block of one address (/128) holds no address (000 4.4, cidr_list)', {
  blockContains: (original) => (block, address) => block.prefix !== 128 && original(block, address),
})

rule('boundary-last-address', ['SSH-LOOKUP-01'], 'the last address of an IPv4 block is taken for outside (000 4.4, cidr_list)', {
  blockContains: (original) => (block, address) =>
    original(block, address) && !(block.family === 'ipv4' && block.prefix < 31 && (number(address) + 1) % 2 ** (32 - block.prefix) === 0),
})

rule(
  'boundary-first-address',
  ['SSH-EXCL-01', 'SSH-EXCL-02'],
  'the first address of an IPv4 block is taken for outside (000 4.4, cidr_list)',
  {
    blockContains: (original) => (block, address) =>
      original(block, address) && !(block.family === 'ipv4' && block.prefix < 31 && number(address) % 2 ** (32 - block.prefix) === 0),
  },
)

rule('boundary-ttl-equal-max', ['SSH-MAXTTL-01'], 'a ttl equal to the maximum of the role is refused (000 4.4, sign ttl must not exceed)', {
  excessiveTtl: () => () => undefined,
  maxTtl: (original) => (role, mountMaximum) => (role.max_ttl > 0 ? original(role, mountMaximum) - 1 : original(role, mountMaximum)),
})

route(
  'boundary-list-100',
  ['SSH-ROLE-05'],
  'a listing of roles ends after 100 names (000 4.4, LIST roles)',
  'ssh.listRoles',
  replyData((data) => ({ ...data, keys: (data.keys as string[]).slice(0, 100) })),
)

route(
  'boundary-lookup-30',
  ['SSH-LOOKUP-01'],
  'a lookup names 30 roles at most (000 4.4, lookup)',
  'ssh.lookupRoles',
  replyData((data) => ({ ...data, roles: (data.roles as string[]).slice(0, 30) })),
)

rule('boundary-ten-blocks', ['SSH-CIDR-05'], 'blocks after the tenth of cidr_list are not looked at (000 4.4, cidr_list)', {
  includedBlocks: (original) => (role) => original(role).slice(0, 10),
})

rule('boundary-last-excluded', ['SSH-EXCL-01'], 'the last of several excluded blocks is not looked at (000 4.4, exclude_cidr_list)', {
  excludedBlocks: (original) => (role) => {
    const blocks = original(role)
    return blocks.length > 1 ? blocks.slice(0, -1) : blocks
  },
})

let firstPrincipal: string | undefined

rule(
  'boundary-first-principal',
  ['SSH-USERS-11'],
  'only the first of several principals is held against allowed_users (000 4.4, allowed_users)',
  {
    requestedPrincipals: (original) => (text) => {
      const names = original(text)
      firstPrincipal = names[0]
      return names
    },
    principalAllowed: (original) => (user, allowed) => (firstPrincipal !== undefined && user !== firstPrincipal) || original(user, allowed),
  },
)

rule('boundary-deep-subdomain', ['SSH-SUBDOM-05'], 'a subdomain of a subdomain is refused (000 4.4, allow_subdomains)', {
  hostAllowed: (original) => (role, host) =>
    original(role, host) &&
    !entriesOf(role.allowed_domains).some((domain) => host.endsWith(`.${domain}`) && host.slice(0, -domain.length - 1).includes('.')),
})

rule(
  'boundary-first-key-length',
  ['SSH-KEYLEN-01'],
  'only the first entry of allowed_user_key_lengths counts (000 4.4, allowed_user_key_lengths)',
  {
    keyLengthAllowed: (original) => (lengths, key) => original(Object.fromEntries(Object.entries(lengths).slice(0, 1)), key),
  },
)

rule('boundary-key-id-30', ['SSH-KEYID-02'], 'a key id of the caller is ignored when it has more than 30 characters (000 4.4, key_id)', {
  usesRequestedKeyId: (original) => (role, requested) => original(role, requested) && requested.length <= 30,
  refusesForbiddenKeyId: () => () => false,
})

rule('boundary-port-high', ['SSH-PORT-03'], 'ports above 32767 are refused (000 4.4, port)', {
  portAllowed: (original) => (port) => original(port) && port < 32_768,
})
