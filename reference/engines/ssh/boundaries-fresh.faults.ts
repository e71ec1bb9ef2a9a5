/** Faults that show at limits, in second elements, with many of something. */
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import type { SshCall } from './loose-wrappers.ts'
import { entriesOf } from './networks.ts'
import type { SshRules } from './rules.ts'
import { type Handle, nameOf } from './wrappers.ts'

const { rule, route } = faultsOf(sshEngine, 'ssh')

const withRules = (call: SshCall, rules: Partial<SshRules>): SshCall => ({ ...call, rules: { ...call.rules, ...rules } })

const firstOf = <Value>(values: Record<string, Value>): Record<string, Value> => Object.fromEntries(Object.entries(values).slice(0, 1))

route(
  'fresh-host-one-allowed-of-several',
  ['SSH-DOMAIN-05'],
  'a host certificate for several names is signed as soon as one of them is allowed (000 4.4: allowed_domains)',
  'ssh.signKey',
  (original) => (call) => {
    const asked = entriesOf(String(call.body.valid_principals ?? ''))
    return original(withRules(call, { hostAllowed: (role, host) => [host, ...asked].some((name) => call.rules.hostAllowed(role, name)) }))
  },
)

rule(
  'fresh-critical-options-first-checked',
  ['SSH-CRITOPT-03'],
  'of several requested critical options only the first is held against allowed_critical_options (000 4.4: allowed_critical_options)',
  { forbiddenCriticalOptions: (original) => (role, requested) => original(role, firstOf(requested)) },
)

rule(
  'fresh-exclude-first-block-only',
  ['SSH-EXCL-01'],
  'of several blocks in exclude_cidr_list only the first rejects addresses (000 4.4: comma-separated CIDR blocks rejected by the role)',
  { excludedBlocks: (original) => (role) => original(role).slice(0, 1) },
)

const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

rule(
  'fresh-block-without-last-address',
  ['SSH-LOOKUP-01'],
  'the last address of an IPv4 block is taken for its broadcast address, outside the block (000 4.4: cidr_list)',
  {
    blockContains: (original) => (block, address) => {
      const size = 2 ** (32 - block.prefix)
      const isBroadcast = block.family === 'ipv4' && block.prefix < 31 && numberOf(address) % size === size - 1
      return original(block, address) && !isBroadcast
    },
  },
)

rule(
  'fresh-block-in-whole-bytes',
  ['SSH-CIDR-04'],
  'IPv4 prefixes are rounded down to whole bytes, so that a /20 holds what its /16 holds (000 4.4: cidr_list)',
  {
    blockContains: (original) => (block, address) =>
      original(block.family === 'ipv4' ? { ...block, prefix: block.prefix - (block.prefix % 8) } : block, address),
  },
)

rule(
  'fresh-otp-port-signed',
  ['SSH-PORT-04'],
  'a port above 32767 comes with the one-time password as a negative number (000 4.4: port, returned with the OTP)',
  { otpCredential: (original) => (role, otp, password) => ({ ...original(role, otp, password), port: (role.port << 16) >> 16 }) },
)

route(
  'fresh-lookup-first-hundred',
  ['SSH-LOOKUP-01'],
  'lookup names at most 100 roles (000 4.4: array of role names associated with the IP)',
  'ssh.lookupRoles',
  replyData((data) => (Array.isArray(data.roles) ? { ...data, roles: data.roles.slice(0, 100) } : data)),
)

route(
  'fresh-key-info-first-thirty',
  ['SSH-ROLE-06'],
  'key_info of a listing holds the first 30 roles only, while keys names them all (000 4.4: key_info, object name -> object)',
  'ssh.listRoles',
  replyData((data) => ({ ...data, key_info: Object.fromEntries(Object.entries((data.key_info ?? {}) as JsonObject).slice(0, 30)) })),
)

rule(
  'fresh-key-lengths-first-kind',
  ['SSH-KEYLEN-01'],
  'of several kinds in allowed_user_key_lengths only the first is signed (000 4.4: key types and sizes the CA role may sign)',
  { keyLengthAllowed: (original) => (lengths, key) => original(firstOf(lengths), key) },
)

rule(
  'fresh-key-options-first-only',
  ['SSH-OPTSPEC-01'],
  'of several key_option_specs only the first is written before the installed key (000 4.4: comma-separated options prefixed to keys)',
  {
    authorizedLine: (original) => (role, publicKey) =>
      original({ ...role, key_option_specs: role.key_option_specs.split(',')[0] ?? '' }, publicKey),
  },
)

const belowMaximum =
  (original: Handle): Handle =>
  (call) => {
    const maximum = call.state.roles.get(nameOf(call))?.max_ttl ?? 0
    if (maximum > 0 && call.rules.duration(call.body.ttl, 'ttl') >= maximum) throw invalid('ttl must be below the maximum of the role')
    return original(call)
  }

route(
  'fresh-sign-ttl-at-maximum-refused',
  ['SSH-MAXTTL-01'],
  'a ttl that equals the max_ttl of the role is refused (000 4.4, sign parameters: ttl must not exceed the role max_ttl)',
  'ssh.signKey',
  belowMaximum,
)
