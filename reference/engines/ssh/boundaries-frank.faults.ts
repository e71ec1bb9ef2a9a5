/** Faults at limits: the first and the last, none, one and many, the shortest and the longest. */

import { faultsOf } from '../../mutations/declare.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'

const { rule, route } = faultsOf(sshEngine)

rule(
  'frank-port-of-sixteen-bits',
  'SSH-PORT-04',
  'ports above 32767 come negative with a one-time password (000 4.4: port, returned with the OTP)',
  {
    otpCredential: (original) => (role, otp, password) => {
      const port = role.port > 0x7fff ? role.port - 0x10000 : role.port
      return { ...original(role, otp, password), port }
    },
  },
)

rule(
  'frank-whole-octets-only',
  'SSH-CIDR-04',
  'the prefix of an IPv4 block counts in whole octets, so that /25 is as wide as /24 (000 4.4: cidr_list, exclude_cidr_list, CIDR blocks)',
  {
    blockContains: (original) => (block, address) =>
      original(block.family === 'ipv4' ? { ...block, prefix: block.prefix - (block.prefix % 8) } : block, address),
  },
)

rule(
  'frank-first-excluded-block',
  'SSH-EXCL-01',
  'of several excluded blocks only the first is rejected (000 4.4: exclude_cidr_list, blocks rejected by the role)',
  { excludedBlocks: (original) => (role) => original(role).slice(0, 1) },
)

rule(
  'frank-ttl-below-the-maximum',
  'SSH-MAXTTL-01',
  'a ttl of exactly the max_ttl of the role is refused at signing (000 4.4: sign ttl must not exceed the role max_ttl)',
  { maxTtl: (original) => (role, mountMaximum) => original(role, mountMaximum) - 1 },
)

route(
  'frank-key-id-of-sixty-four',
  'SSH-KEYID-02',
  'a requested key id is cut after 64 characters (000 4.4: sign key_id)',
  'ssh.signKey',
  requestBody((body) => (typeof body.key_id === 'string' ? { ...body, key_id: body.key_id.slice(0, 64) } : body)),
)

rule(
  'frank-unset-ttl-beyond-maximum',
  'SSH-TTL-02',
  'where neither role nor request has a ttl, the certificate gets the system default though max_ttl is shorter (000 4.4: ttl, whichever is shorter)',
  {
    defaultTtl: (original) => (role, mountDefault, maximum) => (role.ttl === 0 ? mountDefault : original(role, mountDefault, maximum)),
  },
)

rule(
  'frank-quarter-hour-at-least',
  'SSH-SIGN-15',
  'a certificate lives for a quarter of an hour at least, whatever shorter ttl is asked for (000 4.4: sign ttl)',
  { validBefore: (original) => (now, ttl) => original(now, Math.max(ttl, 900)) },
)

rule(
  'frank-nobody-listed-default-user-only',
  'SSH-USERS-01',
  'an empty allowed_users of an otp role lets in the default user only (000 4.4: allowed_users, if empty any user is allowed)',
  {
    userAllowed: (original) => (role, user, allowed) =>
      role.key_type === 'otp' && allowed.length === 0 ? user === role.default_user : original(role, user, allowed),
  },
)

rule(
  'frank-variable-replaced-once',
  'SSH-KEYFMT-04',
  'a variable that stands twice in key_id_format is replaced the first time only (000 4.4: key_id_format, variables)',
  {
    defaultKeyId: (original) => (role, facts) =>
      role.key_id_format === ''
        ? original(role, facts)
        : role.key_id_format
            .replace('{{token_display_name}}', () => facts.displayName)
            .replace('{{role_name}}', () => facts.roleName)
            .replace('{{public_key_hash}}', () => facts.publicKeyHash),
  },
)

rule(
  'frank-prefix-zero-taken-for-none',
  'SSH-CIDR-07',
  'a block of prefix 0 holds its own address only (000 4.4: cidr_list, CIDR blocks)',
  {
    blockContains: (original) => (block, address) =>
      original({ ...block, prefix: block.prefix || (block.family === 'ipv4' ? 32 : 128) }, address),
  },
)

route(
  'frank-single-zero-address-role',
  'SSH-ZERO-02',
  'a zero-address list of one role is read as a text (000 4.4: GET /ssh/config/zeroaddress, data.roles is an array)',
  'ssh.readZeroAddress',
  replyData((data) => {
    const roles = data.roles as string[]
    return { ...data, roles: roles.length === 1 ? (roles[0] ?? '') : roles }
  }),
)

rule(
  'frank-critical-option-without-value',
  'SSH-CRITOPT-01',
  'critical options with an empty value do not get into the certificate (000 4.4: sign critical_options, default_critical_options)',
  {
    criticalOptions: (original) => (role, requested) =>
      Object.fromEntries(Object.entries(original(role, requested)).filter(([, value]) => value !== '')),
  },
)
