/** Faults at the edges: none, one, many, first, last, exactly at the limit, long. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { publicKeyOf } from './key-formats.ts'
import { roleIn, type SshCall, withRules } from './west-help.ts'

const { rule, route } = faultsOf(sshEngine, 'ssh')

const numberOf = (address: string): number => address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0)

rule(
  'west-ends-of-block',
  'SSH-LOOKUP-01',
  'the first and the last address of a block do not count as inside it (000 4.4: cidr_list, CIDR blocks)',
  {
    blockContains: (original) => (block, address) => {
      if (!original(block, address)) return false
      const size = 2 ** (32 - block.prefix)
      if (block.family !== 'ipv4' || size < 4) return true
      const place = numberOf(address) % size
      return place !== 0 && place !== size - 1
    },
  },
)

rule('west-prefix-zero-unset', 'SSH-EXCL-08', 'a block with prefix /0 holds its own address only (000 4.4: cidr_list, CIDR blocks)', {
  blockContains: (original) => (block, address) =>
    original({ ...block, prefix: block.prefix || (block.family === 'ipv4' ? 32 : 128) }, address),
})

route(
  'west-ttl-at-maximum',
  'SSH-MAXTTL-01',
  'a ttl that equals the max_ttl of the role is refused (000 4.4: sign ttl, must not exceed the role max_ttl)',
  'ssh.signKey',
  (original) => async (call) => {
    const maximum = roleIn(call)?.max_ttl ?? 0
    if (maximum > 0 && call.rules.duration(call.body.ttl, 'ttl') >= maximum) throw invalid('ttl must be below max_ttl')
    return original(call)
  },
)

rule(
  'west-default-beyond-maximum',
  'SSH-TTL-02',
  'without a ttl the system default holds even where max_ttl is shorter (000 4.4: ttl, system default or max_ttl, whichever is shorter)',
  {
    defaultTtl: (original) => (role, mountDefault, maximum) =>
      role.ttl === 0 && role.max_ttl > 0 ? mountDefault : original(role, mountDefault, maximum),
  },
)

rule(
  'west-no-maximum-at-all',
  'SSH-MAXTTL-02',
  'a role without max_ttl signs for any time that is asked for (000 4.4: max_ttl, if unset, system maximum lease TTL)',
  { maxTtl: () => (role) => role.max_ttl || Number.MAX_SAFE_INTEGER },
)

rule(
  'west-lengths-at-least',
  'SSH-KEYLEN-02',
  'keys longer than the stated size are signed (000 4.4: allowed_user_key_lengths, key types and sizes the CA role may sign)',
  {
    keyLengthAllowed: (original) => (lengths, key) =>
      original(lengths, key) || [key.kind, key.algorithm].some((name) => Object.hasOwn(lengths, name) && key.bits > (lengths[name] ?? 0)),
  },
)

route(
  'west-first-principal-checked',
  'SSH-USERS-11',
  'of several principals the first alone is held against allowed_users (000 4.4: allowed_users, only listed names)',
  'ssh.signKey',
  (original) => (call) => {
    let checked = 0
    const principalAllowed: typeof call.rules.principalAllowed = (user, allowed) => {
      checked += 1
      return checked > 1 || call.rules.principalAllowed(user, allowed)
    }
    return original(withRules(call, { principalAllowed }))
  },
)

route(
  'west-single-match-text',
  'SSH-LOOKUP-04',
  'a lookup that finds one role gives its name instead of an array (000 4.4: lookup, data.roles, array of role names)',
  'ssh.lookupRoles',
  replyData<SshCall>((data) => {
    const { roles } = data
    return { ...data, roles: Array.isArray(roles) && roles.length === 1 ? (roles[0] ?? null) : (roles ?? null) }
  }),
)

/** What fits into a column of 255 characters, without a block that was cut. */
const columnText = (text: string): string => (text.length <= 255 ? text : text.slice(0, 256).replace(/,[^,]*$/, ''))

route(
  'west-long-block-list-cut',
  'SSH-CIDR-05',
  'blocks beyond the first 255 characters of cidr_list are lost (000 4.4: cidr_list, comma-separated CIDR blocks)',
  'ssh.writeRole',
  requestBody<SshCall>((body) => (typeof body.cidr_list === 'string' ? { ...body, cidr_list: columnText(body.cidr_list) } : body)),
)

rule(
  'west-valueless-extensions-lost',
  'SSH-DEFEXT-02',
  'requested extensions with an empty value are not in the certificate (000 4.4: sign extensions, map string to string)',
  {
    extensions: (original) => (role, requested) => {
      const isRequested = Object.keys(requested).length > 0
      return Object.fromEntries(Object.entries(original(role, requested)).filter(([, value]) => !isRequested || value !== ''))
    },
  },
)

route(
  'west-empty-text-keeps',
  'SSH-LOOKUP-02',
  'an update with an empty text leaves the field as it was (000 4.4: create or update; allowed_extensions, default "")',
  'ssh.writeRole',
  requestBody<SshCall>((body, call) =>
    roleIn(call) ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== '')) : body,
  ),
)

rule(
  'west-lone-private-key',
  'SSH-CA-08',
  'a private key alone is taken and its public half derived (000 4.4: config/ca, both required when the flag is false)',
  {
    missingOfPair: (original) => (privateKey, publicKey) => original(privateKey, publicKey).filter((field) => field !== 'public_key'),
    parsePublic: (original) => (text, privateKey) => (text === '' ? publicKeyOf(privateKey) : original(text, privateKey)),
  },
)
