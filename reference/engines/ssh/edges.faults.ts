/** Faults at the edges of blocks, names, key sizes and lifetimes. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'
import { nameOf } from './wrappers.ts'

const { rule, route } = faultsOf(sshEngine)

const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

rule('boundary-block-of-one', 'SSH-EXCL-01', 'a block of one address holds nobody', {
  blockContains: (original) => (block, address) => (block.family !== 'ipv4' || block.prefix !== 32) && original(block, address),
})
rule('boundary-block-of-all', 'SSH-CIDR-07', 'the block of all addresses holds nobody', {
  blockContains: (original) => (block, address) => block.prefix !== 0 && original(block, address),
})
rule('boundary-block-last', ['SSH-CIDR-07', 'SSH-LOOKUP-01'], 'the last address of a block lies outside', {
  blockContains: (original) => (block, address) => {
    const size = 2 ** (32 - block.prefix)
    const isLast = block.family === 'ipv4' && size > 1 && numberOf(address) % size === size - 1
    return !isLast && original(block, address)
  },
})
rule('boundary-excluded-first-only', 'SSH-EXCL-01', 'only the first excluded block counts', {
  excludedBlocks: (original) => (role) => original(role).slice(0, 1),
})
route('boundary-ttl-equals-max', 'SSH-MAXTTL-01', 'a lifetime of exactly the maximum is refused', 'ssh.signKey', (original) => (call) => {
  const maximum = call.state.roles.get(nameOf(call))?.max_ttl ?? 0
  if (maximum > 0 && call.rules.duration(call.body.ttl, 'ttl') === maximum) throw invalid('ttl must be below the maximum of the role')
  return original(call)
})

rule('crypto-lengths-unlisted-kind', 'SSH-KEYLEN-03', 'kinds of keys that the list of lengths does not name are signed', {
  keyLengthAllowed: (original) => (lengths, key) =>
    original(lengths, key) || ![key.kind, key.algorithm, 'ec'].some((name) => Object.hasOwn(lengths, name)),
})
rule('names-default-user-unlisted', ['SSH-CREDS-08', 'SSH-USERS-05'], 'the default user of a role for passwords must be listed', {
  userAllowed: (original) => (role, user, allowed) =>
    original(role, user, allowed) && (allowed.length === 0 || allowed.includes('*') || allowed.includes(user)),
})
rule('names-templates-only', 'SSH-TEMPLATE-03', 'with templates switched on, plain names are no longer allowed', {
  allowedUsers: (original) => (role, token) =>
    role.allowed_users_template
      ? original(
          {
            ...role,
            allowed_users: entriesOf(role.allowed_users)
              .filter((name) => name.includes('{{'))
              .join(','),
          },
          token,
        )
      : original(role, token),
})
rule('names-subdomain-one-level', 'SSH-SUBDOM-05', 'host names may be one level below a domain only', {
  hostAllowed: (original) => (role, host) =>
    original(role, host) &&
    (role.allowed_domains.includes('*') ||
      entriesOf(role.allowed_domains).some((domain) => host.split('.').length <= domain.split('.').length + 1)),
})
rule('crypto-lengths-as-minimum', 'SSH-KEYLEN-02', 'the permitted length of a key is the least one', {
  keyLengthAllowed: (original) => (lengths, key) =>
    original(lengths, key) || (lengths[key.kind] !== undefined && key.bits >= (lengths[key.kind] ?? 0)),
})
