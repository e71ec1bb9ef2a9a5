/** Faults of the SSH engine: limits, nothing, one and many, first and last. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { sshEngine } from './engine.ts'
import { withRole } from './loose-wrappers.ts'
import { entriesOf } from './networks.ts'
import { nameOf } from './wrappers.ts'

const { rule, route } = faultsOf(sshEngine, 'ssh')

rule(
  'anew-key-bits-any-kilobit',
  ['SSH-BITS-03'],
  'Roles with `key_bits` 3072 or 4096 are accepted (000 4.4 and 8: SSH role `key_bits` "1024 or 2048")',
  { keyBitsAllowed: () => (bits) => bits > 0 && bits % 1024 === 0 },
)

rule(
  'anew-key-bits-default-of-pki',
  ['SSH-BITS-01'],
  'Dynamic roles without `key_bits` issue keys of 2048 bits (000 4.4: `key_bits` default 1024)',
  {
    defaults: (original) => () => ({ ...original(), key_bits: 2048 }),
  },
)

route(
  'anew-ttl-at-maximum-refused',
  ['SSH-MAXTTL-01'],
  'A signing request whose `ttl` equals the `max_ttl` of the role is refused (000 4.4: `ttl` "must not exceed the role `max_ttl`")',
  'ssh.signKey',
  (original) => (call) => {
    const maximum = call.state.roles.get(nameOf(call))?.max_ttl ?? 0
    if (maximum > 0 && call.rules.duration(call.body.ttl, 'ttl') >= maximum) throw invalid('ttl is above the maximum of the role')
    return original(call)
  },
)

rule(
  'anew-maximum-unset-is-default',
  ['SSH-MAXTTL-02'],
  'Where a role has a `ttl` and no `max_ttl`, its `ttl` is the maximum (000 4.4: `max_ttl` "if unset, system maximum lease TTL")',
  { maxTtl: (original) => (role, mountMaximum) => role.max_ttl || role.ttl || original(role, mountMaximum) },
)

rule(
  'anew-default-beyond-maximum',
  ['SSH-TTL-02'],
  'Where a role has a `max_ttl` and no `ttl`, certificates live for the system default (000 4.4: "whichever is shorter")',
  { defaultTtl: () => (role, mountDefault) => role.ttl || mountDefault },
)

rule(
  'anew-single-host-block-empty',
  ['SSH-EXCL-01'],
  'A block of one address, /32 or /128, contains no address (000 4.4: `cidr_list` "comma-separated CIDR blocks")',
  {
    blockContains: (original) => (block, address) => block.prefix < (block.family === 'ipv4' ? 32 : 128) && original(block, address),
  },
)

rule(
  'anew-first-address-outside',
  ['SSH-EXCL-01'],
  'The first address of a block of several counts as outside (000 4.4: `cidr_list`; lookup "role names associated with the IP")',
  {
    blockContains: (original) => (block, address) =>
      original(block, address) && (address !== block.address || block.prefix === (block.family === 'ipv4' ? 32 : 128)),
  },
)

rule(
  'anew-prefix-zero-refused',
  ['SSH-EXCL-08'],
  'The block of all addresses, 0.0.0.0/0 or ::/0, is refused (000 4.4: `cidr_list` "comma-separated CIDR blocks")',
  {
    parseBlock: (original) => (text) => {
      const block = original(text)
      return block?.prefix ? block : undefined
    },
  },
)

rule(
  'anew-third-block-forgotten',
  ['SSH-CIDR-05'],
  'Only the first two blocks of `cidr_list` count (000 4.4: `cidr_list` "comma-separated CIDR blocks")',
  { includedBlocks: (original) => (role) => original(role).slice(0, 2) },
)

rule(
  'anew-second-exclusion-forgotten',
  ['SSH-EXCL-01'],
  'Only the first block of `exclude_cidr_list` rejects addresses (000 4.4: `exclude_cidr_list`: "CIDR blocks rejected by the role")',
  { excludedBlocks: (original) => (role) => original(role).slice(0, 1) },
)

rule(
  'anew-single-user-is-any-user',
  ['SSH-USERS-04'],
  'Where `allowed_users` lists exactly one name, credentials are issued for any user (000 4.4: "only `default_user` and listed names")',
  { userAllowed: (original) => (role, user, allowed) => allowed.length <= 1 || original(role, user, allowed) },
)

rule(
  'anew-key-length-is-minimum',
  ['SSH-KEYLEN-02'],
  'Keys longer than the listed size are signed (000 4.4: `allowed_user_key_lengths`: "key types and sizes the CA role may sign")',
  {
    keyLengthAllowed: (original) => (lengths, key) =>
      original(lengths, key) || [key.kind, key.algorithm].some((name) => key.bits > (lengths[name] ?? Number.POSITIVE_INFINITY)),
  },
)

rule(
  'anew-no-critical-options-listed',
  ['SSH-DEFCRIT-02'],
  'Where `allowed_critical_options` is empty, requested options are refused (000 4.4: `allowed_critical_options`: "empty allows any")',
  {
    forbiddenCriticalOptions: (original) => (role, requested) =>
      role.allowed_critical_options === '' ? Object.keys(requested) : original(role, requested),
  },
)

rule(
  'anew-no-user-allowed-names-nobody',
  ['SSH-SIGN-21'],
  'A role whose `allowed_users` is empty signs certificates without principals (000 4.4: "for `ca` an empty list allows no user")',
  { mayNameNobody: (original) => (type, allowed) => original(type, allowed) || (type === 'user' && allowed.length === 0) },
)

rule(
  'anew-subdomains-one-level-deep',
  ['SSH-SUBDOM-05'],
  'A host two levels below a listed domain is refused (000 4.4: `allow_subdomains`: "subdomains of listed domains")',
  {
    hostAllowed: (original) => (role, host) =>
      original(role, host) &&
      entriesOf(role.allowed_domains).some((domain) => domain === '*' || !host.replace(`.${domain}`, '').includes('.') || host === domain),
  },
)

route(
  'anew-empty-extensions-are-given',
  ['SSH-DEFEXT-01'],
  'A signing request with the empty object as `extensions` gets none (000 4.4: defaults "used when none are provided")',
  'ssh.signKey',
  (original) => (call) => {
    const { extensions } = call.body
    const isEmpty = typeof extensions === 'object' && extensions !== null && Object.keys(extensions).length === 0
    return original(isEmpty ? withRole(call, (role) => ({ ...role, default_extensions: {} })) : call)
  },
)

rule(
  'anew-first-key-option-only',
  ['SSH-OPTSPEC-01'],
  'Of several options only the first is written before the key (000 4.4: `key_option_specs`: "comma-separated options prefixed to keys")',
  {
    authorizedLine: (original) => (role, publicKey) =>
      original({ ...role, key_option_specs: role.key_option_specs.split(',')[0] ?? '' }, publicKey),
  },
)

rule(
  'anew-password-role-without-user',
  ['SSH-DEFUSER-01'],
  'An `otp` role is written without `default_user` (000 4.4: `default_user`: "required for `dynamic` and `otp`")',
  { requiredFields: (original) => (kind) => (kind === 'otp' ? [] : original(kind)) },
)
