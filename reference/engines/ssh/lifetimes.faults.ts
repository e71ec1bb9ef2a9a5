/** Faults of lifetimes and key ids. */

import { createHash } from 'node:crypto'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../faults/declare.ts'
import { requestBody } from '../../faults/wrappers.ts'
import { sshEngine } from './engine.ts'
import { publicKeyLine } from './key-formats.ts'
import type { SshRules } from './rules.ts'
import { nameOf, type SshCall } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(sshEngine)

rule('key-id-30', 'SSH-KEYID-02', 'a key id of the caller is ignored when it has more than 30 characters', {
  usesRequestedKeyId: (original) => (role, requested) => original(role, requested) && requested.length <= 30,
  refusesForbiddenKeyId: () => () => false,
})
route('ttl-equals-max', 'SSH-MAXTTL-01', 'a lifetime of exactly the maximum is refused', 'ssh.signKey', (original) => (call) => {
  const maximum = call.state.roles.get(nameOf(call))?.max_ttl ?? 0
  if (maximum > 0 && call.rules.duration(call.body.ttl, 'ttl') === maximum) throw invalid('ttl must be below the maximum of the role')
  return original(call)
})
rule('default-above-maximum', 'SSH-TTL-02', 'the system default is not bound by the maximum', {
  defaultTtl: () => (role, mountDefault) => role.ttl || mountDefault,
})
rule('default-is-maximum', 'SSH-TTL-03', 'without a lifetime the maximum is given', {
  defaultTtl: () => (role, _mountDefault, maximum) => role.ttl || maximum,
})
/** Replaces the texts of a field that some test finds. */
const replacing = (field: string, isFound: (text: string) => boolean, by: (text: string) => string) =>
  requestBody<SshCall>((body) => {
    const value = body[field]
    return typeof value === 'string' && isFound(value) ? { ...body, [field]: by(value) } : body
  })
const isNoDuration = (text: string): boolean => !/^-?(\d+|(\d+[hms])+)$/.test(text)
const nothing = (): string => ''
route('role-ttl-text', 'SSH-TTL-05', 'a ttl of other text is left out', 'ssh.writeRole', replacing('ttl', isNoDuration, nothing))
const isNegative = (text: string): boolean => text.startsWith('-')
const positive = (text: string): string => text.slice(1)
route('role-ttl-negative', 'SSH-TTL-06', 'a negative ttl loses its sign', 'ssh.writeRole', replacing('ttl', isNegative, positive))
rule('ttls-disagree', 'SSH-TTL-09', 'a role may contradict itself and gives its longer time', {
  ttlsAgree: () => () => true,
  defaultTtl: () => (role, mountDefault, maximum) => role.ttl || Math.min(mountDefault, maximum),
})
const day = 86_400
rule('maximum-of-system-ignored', 'SSH-MAXTTL-02', 'the maximum of the system is not used', {
  maxTtl: () => (role) => role.max_ttl || 365 * day,
})
change('role-max-ttl-text', 'SSH-MAXTTL-04', 'a max_ttl of other text is left out', {
  routes: { 'ssh.writeRole': replacing('max_ttl', isNoDuration, nothing) },
})
change('role-max-ttl-negative', 'SSH-MAXTTL-05', 'a negative max_ttl loses its sign', {
  routes: { 'ssh.writeRole': replacing('max_ttl', isNegative, positive) },
})
route('ttl-negative', 'SSH-SIGN-16', 'a negative ttl loses its sign', 'ssh.signKey', replacing('ttl', isNegative, positive))
route('ttl-text', 'SSH-SIGN-17', 'a ttl of other text is left out', 'ssh.signKey', replacing('ttl', isNoDuration, nothing))
rule('key-id-always', 'SSH-KEYID-01', 'the caller always names the key id', {
  usesRequestedKeyId: () => (_role, requested) => requested !== '',
})
rule('key-id-never', 'SSH-KEYID-02', 'the key id of the caller is never used', {
  usesRequestedKeyId: () => () => false,
  refusesForbiddenKeyId: () => () => false,
})
/** Composes key ids from other facts. */
const composing = (change: (facts: Parameters<SshRules['defaultKeyId']>[1]) => Partial<Parameters<SshRules['defaultKeyId']>[1]>) => ({
  defaultKeyId:
    (original: SshRules['defaultKeyId']): SshRules['defaultKeyId'] =>
    (role, facts) =>
      original(role, { ...facts, ...change(facts) }),
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
change('host-beyond-maximum', 'SSH-MAXTTL-01', 'certificates of hosts outlive the maximum of their role', {
  routes: {
    'ssh.signKey': (original) => (call) =>
      original(call.body.cert_type === 'host' ? { ...call, rules: { ...call.rules, maxTtl: (_role, ofMount) => ofMount } } : call),
  },
})
change('host-default', 'SSH-TTL-01', 'host certificates live for the maximum where no lifetime is asked for', {
  routes: {
    'ssh.signKey': (original) => (call) =>
      call.body.cert_type === 'host'
        ? original({ ...call, rules: { ...call.rules, defaultTtl: (_role, _usual, maximum) => maximum } })
        : original(call),
  },
})
rule('not-yet-valid', 'SSH-SIGN-36', 'a certificate begins twenty seconds after it was signed', {
  validAfter: () => (now) => now + 20,
})
rule('compound-duration', 'SSH-SIGN-15', 'of a duration such as 1h30m only the first unit counts', {
  duration: (original) => (value, field) => original(typeof value === 'string' ? value.replace(/^(\d+[a-zµ]+)\d.*$/, '$1') : value, field),
})
rule('key-id-once', 'SSH-KEYFMT-04', 'a variable of key_id_format is replaced once only', {
  defaultKeyId: (original) => (role, facts) =>
    role.key_id_format === ''
      ? original(role, facts)
      : role.key_id_format
          .replace('{{token_display_name}}', facts.displayName)
          .replace('{{role_name}}', facts.roleName)
          .replace('{{public_key_hash}}', facts.publicKeyHash),
})
rule('empty-key-id', 'SSH-KEYID-03', 'an empty key_id is taken as the key id where the role allows own ones', {
  usesRequestedKeyId: () => (role) => role.allow_user_key_ids,
})
/** Whether the caller's token comes in the header Authorization alone. */
const byBearer = ({ headers, token }: SshCall): boolean =>
  headers.authorization !== undefined && !Object.entries(headers).some(([name, value]) => name !== 'authorization' && value === token?.id)
change(
  'bearer-has-no-name',
  'SSH-KEYID-03',
  'the display name of a token is looked up by the own header, so that the key id is empty for a bearer',
  {
    routes: {
      'ssh.signKey': (original) => (call) =>
        original(call.token && byBearer(call) ? { ...call, token: { ...call.token, displayName: '' } } : call),
    },
  },
)

export const faults = declared
