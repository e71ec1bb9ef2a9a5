/** Faults that show at an edge: the widest and the narrowest block, the exact limit, the second and third element, nothing given. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { withRole, withState } from './loose-wrappers.ts'
import { entriesOf } from './networks.ts'

const { rule, route } = faultsOf(sshEngine)
const core = faultsOf(coreEngine, 'ssh')

const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

rule('block-of-one-ipv6', ['SSH-CIDR-13'], 'a /128 is refused as no block (000 4.4, cidr_list: comma-separated CIDR blocks)', {
  parseBlock: (original) => (text) => {
    const block = original(text)
    return block?.prefix === 128 ? undefined : block
  },
})

rule('block-without-last', ['SSH-LOOKUP-01'], 'the last address of an IPv4 block counts as outside (000 4.4, cidr_list: CIDR blocks)', {
  blockContains: (original) => (block, address) => {
    const isLast = block.family === 'ipv4' && block.prefix < 31 && (numberOf(address) + 1) % 2 ** (32 - block.prefix) === 0
    return !isLast && original(block, address)
  },
})

rule(
  'block-of-all',
  ['SSH-CIDR-07'],
  'a prefix of 0 is taken for one of 32, so that 0.0.0.0/0 holds a single address (000 4.4, cidr_list: CIDR blocks)',
  {
    blockContains: (original) => (block, address) =>
      original(block.family === 'ipv4' && block.prefix === 0 ? { ...block, prefix: 32 } : block, address),
  },
)

rule(
  'block-by-octets',
  ['SSH-CIDR-04'],
  'IPv4 prefixes are rounded down to whole octets, so that a /20 lets a /16 in (000 4.4, cidr_list: CIDR blocks)',
  {
    blockContains: (original) => (block, address) =>
      original(block.family === 'ipv4' ? { ...block, prefix: block.prefix - (block.prefix % 8) } : block, address),
  },
)

rule(
  'block-half-ipv6',
  ['SSH-CIDR-12', 'SSH-EXCL-08'],
  'only the first 64 bits of IPv6 addresses are compared (000 4.4, cidr_list: CIDR blocks)',
  {
    blockContains: (original) => (block, address) =>
      original(block.family === 'ipv6' ? { ...block, prefix: Math.min(block.prefix, 64) } : block, address),
  },
)

rule(
  'exclude-first-only',
  ['SSH-EXCL-01'],
  'only the first block of exclude_cidr_list rejects (000 4.4, exclude_cidr_list: comma-separated CIDR blocks rejected by the role)',
  { excludedBlocks: (original) => (role) => original(role).slice(0, 1) },
)

rule('key-bits-between', ['SSH-BITS-03'], 'any key_bits between 1024 and 2048 is taken (000 4.4, key_bits: 1024 or 2048; 8)', {
  keyBitsAllowed: () => (bits) => bits >= 1024 && bits <= 2048,
})

route(
  'ttl-equal-refused',
  ['SSH-MAXTTL-01'],
  'a ttl that equals the max_ttl of the role is refused (000 4.4, sign ttl: must not exceed the role max_ttl)',
  'ssh.signKey',
  (original) => (call) => {
    const longest = call.state.roles.get(call.params.name ?? '')?.max_ttl ?? 0
    if (longest > 0 && call.rules.duration(call.body.ttl, 'ttl') === longest) throw invalid('ttl must be below max_ttl')
    return original(call)
  },
)

route(
  'principals-first-checked',
  ['SSH-USERS-11'],
  'of several users in valid_principals only the first is held against allowed_users (000 4.4, allowed_users: only listed names)',
  'ssh.signKey',
  (original) => (call) => {
    const [, ...rest] = call.rules.requestedPrincipals(String(call.body.valid_principals ?? ''))
    return original(withRole(call, (role) => ({ ...role, allowed_users: [role.allowed_users, ...rest].join(',') })))
  },
)

rule('users-two-only', ['SSH-USERS-08'], 'names after the second of allowed_users are not allowed (000 4.4, allowed_users: listed names)', {
  allowedUsers: (original) => (role, token) => original(role, token).slice(0, 2),
})

rule(
  'critical-first-checked',
  ['SSH-CRITOPT-03'],
  'only the first requested critical option is held against the list (000 4.4, allowed_critical_options: empty allows any)',
  {
    forbiddenCriticalOptions: (original) => (role, requested) => original(role, Object.fromEntries(Object.entries(requested).slice(0, 1))),
  },
)

rule(
  'zero-address-first-only',
  ['SSH-ZERO-05'],
  'only the first name of the zero-address list counts (000 4.4, config/zeroaddress: CIDR blocks of these roles are ignored)',
  { isZeroAddress: () => (names, role) => names?.[0] === role },
)

route(
  'lookup-stops-early',
  ['SSH-LOOKUP-02'],
  'lookup stops at the first role that does not hold the address (000 4.4, lookup: array of role names associated with the IP)',
  'ssh.lookupRoles',
  (original) => async (call) => {
    const roles: typeof call.state.roles = new Map()
    for (const [name, role] of call.state.roles) {
      const { body } = await original(withState(call, { roles: new Map([[name, role]]) }))
      const found = ((body as JsonObject).data as JsonObject).roles as string[]
      if (role.key_type !== 'ca' && found.length === 0) break
      roles.set(name, role)
    }
    return original(withState(call, { roles }))
  },
)

route(
  'list-to-100',
  ['SSH-ROLE-05'],
  'the list of roles ends after 100 names (000 1, Listing: returns the keys at the path)',
  'ssh.listRoles',
  replyData((data) => {
    const keys = (data.keys as string[]).slice(0, 100)
    return { ...data, keys, key_info: Object.fromEntries(keys.map((name) => [name, (data.key_info as JsonObject)[name] ?? null])) }
  }),
)

rule(
  'key-id-one-variable',
  ['SSH-KEYFMT-04'],
  'only the first variable of key_id_format is filled in (000 4.4, key_id_format: variables)',
  {
    defaultKeyId: (original) => (role, facts) => {
      const variable = /\{\{\w+\}\}/.exec(role.key_id_format)?.[0]
      if (variable === undefined) return original(role, facts)
      return role.key_id_format.replace(variable, () => original({ ...role, key_id_format: variable }, facts))
    },
  },
)

rule(
  'key-length-at-least',
  ['SSH-KEYLEN-02'],
  'allowed_user_key_lengths is a minimum (000 4.4, allowed_user_key_lengths: key types and sizes the CA role may sign)',
  {
    keyLengthAllowed: (original) => (lengths, key) =>
      original(lengths, key) || [key.kind, key.algorithm].some((name) => key.bits >= (lengths[name] ?? Number.POSITIVE_INFINITY)),
  },
)

rule(
  'domains-first-only',
  ['SSH-DOMAIN-04'],
  'only the first of allowed_domains counts (000 4.4, allowed_domains: domains for host certificates)',
  { hostAllowed: (original) => (role, host) => original({ ...role, allowed_domains: entriesOf(role.allowed_domains)[0] ?? '' }, host) },
)

rule(
  'subdomain-without-dot',
  ['SSH-SUBDOM-04'],
  'a host that only ends with the letters of a domain counts as its subdomain (000 4.4, allow_subdomains: subdomains of listed domains)',
  {
    hostAllowed: (original) => (role, host) =>
      original(role, host) ||
      (role.allow_subdomains && entriesOf(role.allowed_domains).some((domain) => host !== domain && host.endsWith(domain))),
  },
)

core.rule(
  'period-second-allowed',
  ['CORE-PERIOD-02'],
  'a name that ends in a period is taken where it holds another period (000 2.1, Path parameters: must not end in a period)',
  { pathParameterAllowed: (original) => (value) => original(value) || value.indexOf('.') < value.length - 1 },
)

route(
  'username-empty-kept',
  ['SSH-CREDS-08'],
  'an empty username stays empty, only a missing one becomes default_user (000 4.4, creds: role default_user is used when empty)',
  'ssh.createCredential',
  (original) => (call) => original(call.body.username === '' ? withRole(call, (role) => ({ ...role, default_user: '' })) : call),
)

rule(
  'key-options-first-only',
  ['SSH-OPTSPEC-01'],
  'only the first of key_option_specs gets into the authorized-keys file (000 4.4, key_option_specs: options prefixed to keys)',
  {
    authorizedLine: (original) => (role, publicKey) =>
      original({ ...role, key_option_specs: role.key_option_specs.split(',')[0] ?? '' }, publicKey),
  },
)
