/** Faults at limits: empty, one, many, first, last, exactly at a limit, long. */
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'
import { decidedPerCall, roleIn } from './north-help.ts'

const { rule, route } = faultsOf(sshEngine, 'ssh')

rule(
  'north-blocks-of-whole-octets',
  'SSH-CIDR-04',
  'prefixes of IPv4 blocks are rounded down to whole octets (000 4.4 role parameters: cidr_list, exclude_cidr_list, CIDR blocks)',
  {
    blockContains: (original) => (block, address) =>
      original(block.family === 'ipv4' ? { ...block, prefix: block.prefix - (block.prefix % 8) } : block, address),
  },
)

route(
  'north-first-principal-checked',
  'SSH-USERS-11',
  'only the first of several principals of a user certificate is checked (000 4.4 role parameters: allowed_users, only default_user and listed names)',
  'ssh.signKey',
  decidedPerCall(({ rules }) => {
    let checked = 0
    return {
      principalAllowed: (user, allowed) => {
        checked += 1
        return checked > 1 || rules.principalAllowed(user, allowed)
      },
    }
  }),
)

rule(
  'north-last-block-lost',
  'SSH-LOOKUP-01',
  'the last of several blocks of cidr_list is lost (000 4.4 role parameters: cidr_list, comma-separated CIDR blocks)',
  {
    includedBlocks: (original) => (role) => {
      const blocks = original(role)
      return blocks.length > 1 ? blocks.slice(0, -1) : blocks
    },
  },
)

route(
  'north-ttl-below-maximum-only',
  'SSH-MAXTTL-01',
  'a ttl of exactly the max_ttl of the role is refused (000 4.4 sign parameters: ttl must not exceed the role max_ttl)',
  'ssh.signKey',
  (original) => (call) => {
    const requested = call.rules.duration(call.body.ttl, 'ttl')
    if (requested > 0 && requested === roleIn(call)?.max_ttl) throw invalid('ttl is above the maximum of the role')
    return original(call)
  },
)

rule(
  'north-no-maximum-without-max-ttl',
  'SSH-MAXTTL-02',
  'without max_ttl a certificate may be valid for any time (000 4.4 role parameters: max_ttl, if unset, system maximum lease TTL)',
  { maxTtl: () => (role) => role.max_ttl || Number.POSITIVE_INFINITY },
)

rule(
  'north-default-ttl-beyond-maximum',
  'SSH-TTL-02',
  'without ttl a certificate lives for the system default, however short max_ttl is (000 4.4 role parameters: ttl, system default or max_ttl, whichever is shorter)',
  {
    defaultTtl: (original) => (role, mountDefault, maximum) => (role.ttl === 0 ? mountDefault : original(role, mountDefault, maximum)),
  },
)

route(
  'north-default-user-always-principal',
  'SSH-DEFUSER-06',
  'a certificate that names nobody is signed for a default_user who is not in allowed_users (000 4.4 role parameters: for ca, valid principal only if also in allowed_users)',
  'ssh.signKey',
  decidedPerCall((call) => ({
    principalAllowed: (user, allowed) =>
      call.rules.principalAllowed(user, allowed) || (textOf(call.body, 'valid_principals') === '' && user === roleIn(call)?.default_user),
  })),
)

rule(
  'north-listed-length-is-least',
  'SSH-KEYLEN-02',
  'keys longer than the listed length are signed (000 4.4 role parameters: allowed_user_key_lengths, key types and sizes the CA role may sign)',
  {
    keyLengthAllowed: (original) => (lengths, key) =>
      original(lengths, key) ||
      Object.entries(lengths).some(([name, bits]) => (name === key.kind || name === key.algorithm) && bits > 0 && key.bits > bits),
  },
)

rule(
  'north-one-critical-option-allows-any',
  'SSH-CRITOPT-03',
  'a list of one allowed critical option allows any (000 4.4 role parameters: allowed_critical_options, empty allows any)',
  {
    forbiddenCriticalOptions: (original) => (role, requested) =>
      entriesOf(role.allowed_critical_options).length > 1 ? original(role, requested) : [],
  },
)

rule(
  'north-key-id-cut',
  'SSH-KEYFMT-04',
  'a key id made from the format is cut after 64 characters (000 4.4 role parameters: key_id_format with public_key_hash and other variables)',
  { defaultKeyId: (original) => (role, facts) => original(role, facts).slice(0, 64) },
)

route(
  'north-one-role-is-no-array',
  'SSH-LOOKUP-04',
  'lookup gives the name alone where one role fits (000 4.4: lookup returns data.roles, array of role names)',
  'ssh.lookupRoles',
  replyData((data) => {
    const { roles } = data
    return Array.isArray(roles) && roles.length === 1 ? { ...data, roles: roles[0] ?? null } : data
  }),
)

rule(
  'north-dynamic-keys-of-default-length',
  'SSH-BITS-02',
  'the larger key_bits are shown, but the key has the default length (000 4.4 role parameters: key_bits, RSA dynamic key length, 1024 or 2048)',
  { newDynamicKey: (original) => (role) => original({ ...role, key_bits: 1024 }) },
)
