/** Faults at limits: first and last, one and many, exactly at the limit, long and large. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { roleIn } from './east-help.ts'
import { sshEngine } from './engine.ts'

const { rule, route } = faultsOf(sshEngine, 'ssh')
const core = faultsOf(coreEngine, 'ssh')

const ipv4Number = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

rule('east-last-address-outside', 'SSH-LOOKUP-01', 'the last address of an IPv4 block is not in it (000 4.4: cidr_list, CIDR blocks)', {
  blockContains: (original) => (block, address) => {
    const size = 2 ** (32 - block.prefix)
    const isLast = block.family === 'ipv4' && size > 2 && ipv4Number(address) % size === size - 1
    return !isLast && original(block, address)
  },
})

rule(
  'east-prefix-zero-is-unset',
  'SSH-CIDR-07',
  'a block with prefix length 0 holds its own address only (000 4.4: cidr_list, CIDR blocks)',
  {
    parseBlock: (original) => (text) => {
      const block = original(text)
      return block && { ...block, prefix: block.prefix || (block.family === 'ipv4' ? 32 : 128) }
    },
  },
)

rule(
  'east-first-exclusion-only',
  'SSH-EXCL-01',
  'only the first block of exclude_cidr_list is rejected (000 4.4: exclude_cidr_list, blocks rejected)',
  {
    excludedBlocks: (original) => (role) => original(role).slice(0, 1),
  },
)

route(
  'east-ttl-at-maximum-refused',
  'SSH-MAXTTL-01',
  'a ttl of exactly max_ttl is refused (000 4.4: ttl must not exceed the role max_ttl)',
  'ssh.signKey',
  (original) => (call) => {
    const role = roleIn(call)
    if (role?.key_type === 'ca' && role.max_ttl > 0 && call.rules.duration(call.body.ttl, 'ttl') === role.max_ttl)
      throw invalid('ttl is above the maximum of the role')
    return original(call)
  },
)

rule('east-key-bits-between', 'SSH-BITS-03', 'any key_bits from 1024 to 2048 are taken (000 8: SSH role key_bits, 1024 or 2048)', {
  keyBitsAllowed: () => (bits) => bits >= 1024 && bits <= 2048,
})

rule(
  'east-host-certificate-for-any-host',
  'SSH-SIGN-21',
  'a host certificate without principals is signed, valid for any host (000 4.4: allowed_domains, domains for host certificates)',
  { mayNameNobody: (original) => (type, allowed) => type === 'host' || original(type, allowed) },
)

rule(
  'east-key-id-cut',
  'SSH-KEYFMT-04',
  'key ids made by key_id_format end after 64 characters (000 4.4: key_id_format, public_key_hash)',
  {
    defaultKeyId: (original) => (role, facts) => original(role, facts).slice(0, 64),
  },
)

route(
  'east-single-lookup-as-text',
  'SSH-LOOKUP-01',
  'a lookup that finds one role shows its name instead of an array (000 4.4: lookup returns data.roles, an array)',
  'ssh.lookupRoles',
  replyData((data) => {
    const names = data.roles
    return Array.isArray(names) && names.length === 1 ? { ...data, roles: names[0] ?? '' } : data
  }),
)

rule(
  'east-blocks-of-64-bits',
  'SSH-LOOKUP-02',
  'IPv6 blocks are compared by their first 64 bits, so that a /128 holds its whole network (000 4.4: cidr_list, CIDR blocks)',
  {
    blockContains: (original) => (block, address) =>
      original({ ...block, prefix: block.prefix > 64 && block.family === 'ipv6' ? 64 : block.prefix }, address),
  },
)

rule(
  'east-longer-keys-allowed',
  'SSH-KEYLEN-02',
  'keys longer than the listed length are signed (000 4.4: allowed_user_key_lengths, key types and sizes the role may sign)',
  {
    keyLengthAllowed: (original) => (lengths, key) => {
      const listed = lengths[key.kind] ?? lengths[key.algorithm]
      return original(lengths, key) || (listed !== undefined && key.bits > listed)
    },
  },
)

rule(
  'east-first-key-option-only',
  'SSH-OPTSPEC-01',
  'only the first of several key options is put before the installed key (000 4.4: key_option_specs, comma-separated options)',
  {
    authorizedLine: (original) => (role, line) => original({ ...role, key_option_specs: role.key_option_specs.split(',')[0] ?? '' }, line),
  },
)

const sshRequests = requestsTo('ssh')
core.rule('east-body-of-a-megabyte', 'CORE-LIMIT-01', 'requests above 1 MB are refused at SSH mounts (000 8: maximum request size 32 MB)', {
  ...sshRequests.locating,
  parseBody: (original) => (bytes, request) => {
    if (sshRequests.here() && bytes.length > 2 ** 20) throw new ApiError(413, 'request body too large')
    return original(bytes, request)
  },
})
