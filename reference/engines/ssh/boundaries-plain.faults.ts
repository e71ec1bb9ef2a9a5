/** Faults at the ends of ranges: nothing, one, many, the first, the last, exactly the limit. */
import { generateKeyPairSync } from 'node:crypto'
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { operationSeen, type SshCall } from './plain-help.ts'

const { rule, route } = faultsOf(sshEngine, 'ssh')
const core = faultsOf(coreEngine, 'ssh')

rule(
  'plain-first-excluded-block',
  'SSH-EXCL-01',
  'only the first excluded block rejects addresses (000 4.4: exclude_cidr_list, comma-separated)',
  {
    excludedBlocks: (original) => (role) => original(role).slice(0, 1),
  },
)

rule('plain-prefix-zero', 'SSH-EXCL-08', 'a block with prefix length 0 holds no address (000 4.4: cidr_list, CIDR blocks)', {
  blockContains: (original) => (block, address) => (block.prefix ? original(block, address) : false),
})

const asNumber = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

rule(
  'plain-ends-of-block',
  'SSH-LOOKUP-01',
  'the first and the last address of a block count as outside (000 4.4: cidr_list, CIDR blocks)',
  {
    blockContains: (original) => (block, address) => {
      if (!original(block, address)) return false
      if (block.family === 'ipv6' || block.prefix > 30) return true
      const size = 2 ** (32 - block.prefix)
      const place = asNumber(address) % size
      return place !== 0 && place !== size - 1
    },
  },
)

rule(
  'plain-short-dynamic-key',
  'SSH-BITS-02',
  'a dynamic key has 1024 bits where the role asks for 2048 (000 4.4: key_bits, RSA dynamic key length)',
  {
    newDynamicKey: () => () => generateKeyPairSync('rsa', { modulusLength: 1024 }),
  },
)

rule(
  'plain-longer-keys',
  'SSH-KEYLEN-02',
  'the size in allowed_user_key_lengths is a minimum only (000 4.4: key types and sizes the CA role may sign)',
  {
    keyLengthAllowed: (original) => (lengths, key) =>
      original(lengths, key) || [key.kind, key.algorithm].some((name) => (lengths[name] ?? Number.POSITIVE_INFINITY) < key.bits),
  },
)

rule(
  'plain-first-principal-checked',
  'SSH-USERS-11',
  'of several principals only the first must be allowed (000 4.4: allowed_users, only listed names)',
  {
    principalAllowed: (original) => {
      // The list of one request is an array of its own.
      const checked = new WeakSet<string[]>()
      return (user, allowed) => {
        if (checked.has(allowed)) return true
        checked.add(allowed)
        return original(user, allowed)
      }
    },
  },
)

const longestPrefix = (call: SshCall, name: string, ip: string): number => {
  const role = call.state.roles.get(name)
  const blocks = role ? call.rules.includedBlocks(role).map((text) => call.rules.parseBlock(text)) : []
  return Math.max(-1, ...blocks.map((block) => (block && call.rules.blockContains(block, ip) ? block.prefix : -1)))
}

route(
  'plain-lookup-closest-only',
  'SSH-LOOKUP-01',
  'lookup names only the roles with the narrowest block around the address (000 4.4: lookup, role names associated with the IP)',
  'ssh.lookupRoles',
  replyData((data, call) => {
    const ip = String(call.body.ip)
    const names = (data.roles ?? []) as string[]
    const closest = Math.max(...names.map((name) => longestPrefix(call, name, ip)))
    return { ...data, roles: names.filter((name) => longestPrefix(call, name, ip) === closest) }
  }),
)

rule(
  'plain-unset-maximum',
  'SSH-MAXTTL-02',
  'without max_ttl a requested ttl has no limit (000 4.4: max_ttl, if unset, system maximum lease TTL)',
  {
    maxTtl: () => (role) => role.max_ttl || Number.MAX_SAFE_INTEGER / 1024,
  },
)

rule(
  'plain-default-beyond-maximum',
  'SSH-TTL-02',
  'the system default is used where max_ttl is shorter (000 4.4: ttl, if unset, whichever is shorter)',
  {
    defaultTtl: () => (role, mountDefault) => role.ttl || mountDefault,
  },
)

rule(
  'plain-nobody-named',
  'SSH-SIGN-21',
  'a request without principals gets a certificate for anyone if some user is listed (000 4.4: allowed_users)',
  {
    mayNameNobody: () => (type, allowed) => type === 'user' && allowed.length > 0,
  },
)

const operation = operationSeen()

core.rule('plain-one-megabyte', 'CORE-LIMIT-01', 'bodies above 1 MiB are refused (000 8: maximum request size 32 MB)', {
  needsToken: operation.needsToken,
  parseBody: (original) => (bytes, request) => {
    if (operation.isSsh() && bytes.length > 2 ** 20) throw new ApiError(413, 'request body too large')
    return original(bytes, request)
  },
})

rule('plain-more-key-bits', 'SSH-BITS-03', 'key_bits takes any multiple of 1024 (000 8: SSH role key_bits 1024 or 2048)', {
  keyBitsAllowed: () => (bits) => bits > 0 && bits % 1024 === 0,
})
