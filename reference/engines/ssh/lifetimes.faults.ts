/** Faults of lifetimes and key ids. */
import { createHash } from 'node:crypto'
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { publicKeyLine } from './key-formats.ts'
import type { SshRules } from './rules.ts'
import { asIf, type SshCall } from './wrappers.ts'

const { rule, route } = faultsOf(sshEngine)

/** Replaces the texts of a field that some test finds. */
const replacing = (field: string, isFound: (text: string) => boolean, by: (text: string) => string) =>
  requestBody<SshCall>((body) => {
    const value = body[field]
    return typeof value === 'string' && isFound(value) ? { ...body, [field]: by(value) } : body
  })

const isNegative = (text: string): boolean => text.startsWith('-')

const isNoDuration = (text: string): boolean => !/^-?(\d+|(\d+[hms])+)$/.test(text)

const positive = (text: string): string => text.slice(1)

const nothing = (): string => ''

const day = 86_400

rule('ttl-of-role-ignored', 'SSH-TTL-01', 'the lifetime of the role is not used', {
  defaultTtl: (original) => asIf(() => ({ ttl: 0 }), original),
})
rule('default-above-maximum', 'SSH-TTL-02', 'the system default is not bound by the maximum', {
  defaultTtl: () => (role, mountDefault) => role.ttl || mountDefault,
})
rule('default-is-maximum', 'SSH-TTL-03', 'without a lifetime the maximum is given', {
  defaultTtl: () => (role, _mountDefault, maximum) => role.ttl || maximum,
})
route('role-ttl-text', 'SSH-TTL-05', 'a ttl of other text is left out', 'ssh.writeRole', replacing('ttl', isNoDuration, nothing))
route('role-ttl-negative', 'SSH-TTL-06', 'a negative ttl loses its sign', 'ssh.writeRole', replacing('ttl', isNegative, positive))
rule('ttls-disagree', 'SSH-TTL-09', 'a role may contradict itself and gives its longer time', {
  ttlsAgree: () => () => true,
  defaultTtl: () => (role, mountDefault, maximum) => role.ttl || Math.min(mountDefault, maximum),
})
rule('maximum-ignored', 'SSH-MAXTTL-01', 'the maximum of the role is not used', {
  maxTtl: () => (_role, mountMaximum) => mountMaximum,
})
rule('maximum-of-system-ignored', 'SSH-MAXTTL-02', 'the maximum of the system is not used', {
  maxTtl: () => (role) => role.max_ttl || 365 * day,
})
route(
  'role-max-ttl-text',
  'SSH-MAXTTL-04',
  'a max_ttl of other text is left out',
  'ssh.writeRole',
  replacing('max_ttl', isNoDuration, nothing),
)
route(
  'role-max-ttl-negative',
  'SSH-MAXTTL-05',
  'a negative max_ttl loses its sign',
  'ssh.writeRole',
  replacing('max_ttl', isNegative, positive),
)
route(
  'ttl-ignored',
  'SSH-SIGN-15',
  'the requested ttl is not used',
  'ssh.signKey',
  replacing('ttl', (text) => !isNegative(text) && !isNoDuration(text), nothing),
)
route('ttl-negative', 'SSH-SIGN-16', 'a negative ttl loses its sign', 'ssh.signKey', replacing('ttl', isNegative, positive))
route('ttl-text', 'SSH-SIGN-17', 'a ttl of other text is left out', 'ssh.signKey', replacing('ttl', isNoDuration, nothing))
rule('valid-later', 'SSH-SIGN-36', 'certificates begin five minutes later', { validAfter: () => (now) => now + 300 })

/** Composes key ids from other facts. */
const composing = (change: (facts: Parameters<SshRules['defaultKeyId']>[1]) => Partial<Parameters<SshRules['defaultKeyId']>[1]>) => ({
  defaultKeyId:
    (original: SshRules['defaultKeyId']): SshRules['defaultKeyId'] =>
    (role, facts) =>
      original(role, { ...facts, ...change(facts) }),
})

rule('key-id-always', 'SSH-KEYID-01', 'the caller always names the key id', {
  usesRequestedKeyId: () => (_role, requested) => requested !== '',
})
rule('key-id-never', 'SSH-KEYID-02', 'the key id of the caller is never used', {
  usesRequestedKeyId: () => () => false,
  refusesForbiddenKeyId: () => () => false,
})
rule('key-id-of-role', 'SSH-KEYID-03', 'the default key id is the name of the role', {
  defaultKeyId: (original) => (role, facts) => (role.key_id_format === '' ? facts.roleName : original(role, facts)),
})
rule(
  'key-id-display-name',
  'SSH-KEYFMT-01',
  'the display name in a key id is cut',
  composing(({ displayName }) => ({ displayName: displayName.slice(0, 5) })),
)
rule(
  'key-id-role-name',
  'SSH-KEYFMT-02',
  'the name of the role in a key id is in capitals',
  composing(({ roleName }) => ({ roleName: roleName.toUpperCase() })),
)
rule('key-id-hash', 'SSH-KEYFMT-03', 'the hash in a key id is of the text of the key', {
  publicKeyHash: () => (key) => createHash('sha256').update(publicKeyLine(key)).digest('hex'),
})
rule('key-id-plain', 'SSH-KEYFMT-04', 'other characters of a key id are left out', {
  defaultKeyId: (original) => (role, facts) => original(role, facts).replace(/[^\w{}-]/g, ''),
})
route(
  'host-beyond-maximum',
  'SSH-MAXTTL-01',
  'certificates of hosts outlive the maximum of their role',
  'ssh.signKey',
  (original) => (call) =>
    original(call.body.cert_type === 'host' ? { ...call, rules: { ...call.rules, maxTtl: (_role, ofMount) => ofMount } } : call),
)
