/** Faults in form: the same thing shown by another route, spelled in another way, of another type, or left out when it is plain. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply, replyData, requestBody } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'

const { rule, route } = faultsOf(sshEngine)
const core = faultsOf(coreEngine, 'ssh')

const without = (object: JsonObject, field: string): JsonObject => {
  const { [field]: _dropped, ...rest } = object
  return rest
}

const mapped = (values: Record<string, string>, change: (name: string, value: string) => [string, string]): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => change(name, value)))

route(
  'zero-address-single-text',
  ['SSH-ZERO-02'],
  'a zero-address list of one role is read as text, not as an array (000 4.4, GET config/zeroaddress: data.roles (array))',
  'ssh.readZeroAddress',
  replyData((data) => {
    const roles = data.roles as string[]
    return { ...data, roles: roles.length === 1 ? (roles[0] ?? null) : roles }
  }),
)

rule(
  'otp-port-omitted',
  ['SSH-CREDS-05'],
  'a credential lacks its port where that is 22 (000 2.7, Credential (otp): port; 4.4, port: default 22, returned with the OTP)',
  {
    otpCredential: (original) => (role, otp, password) =>
      role.port === 22 ? without(original(role, otp, password), 'port') : original(role, otp, password),
  },
)

rule(
  'read-omits-false',
  ['SSH-CAREAD-01', 'SSH-CAREAD-02'],
  'the read of a role leaves out flags that are false (000 4.4, GET roles: the fields of a ca role)',
  { readRole: (original) => (role) => Object.fromEntries(Object.entries(original(role)).filter(([, value]) => value !== false)) },
)

rule(
  'read-wraps-days',
  ['SSH-TTL-04', 'SSH-MAXTTL-03'],
  'durations of a day and more are read without their whole days (000 4.4, ttl: duration with suffix, hour is largest)',
  { readRole: (original) => (role) => original({ ...role, ttl: role.ttl % 86_400, max_ttl: role.max_ttl % 86_400 }) },
)

rule(
  'verify-lowers-user',
  ['SSH-VERIFY-02'],
  'verify shows the user in lower case, creds as it was asked for (000 4.4, verify: returns data.ip, data.username)',
  { verified: (original) => (otp) => original({ ...otp, username: otp.username.toLowerCase() }) },
)

rule(
  'principals-any-case',
  ['SSH-USERS-20'],
  'principals are held against allowed_users without regard to case (000 4.4, allowed_users: listed names)',
  {
    principalAllowed: (original) => (user, allowed) =>
      original(
        user.toLowerCase(),
        allowed.map((name) => name.toLowerCase()),
      ),
  },
)

route(
  'key-id-ascii',
  ['SSH-KEYID-02'],
  'characters of a key_id beyond ASCII become question marks (000 4.4, sign: key_id; allow_user_key_ids)',
  'ssh.signKey',
  requestBody((body) => (typeof body.key_id === 'string' ? { ...body, key_id: body.key_id.replace(/[^ -~]/gu, '?') } : body)),
)

rule(
  'extension-names-lowered',
  ['SSH-EXT-03', 'SSH-SIGN-29'],
  'names of extensions stand in lower case in certificates, as in permit-x11-forwarding (000 4.4, extensions, default_extensions)',
  { extensions: (original) => (role, requested) => mapped(original(role, requested), (name, value) => [name.toLowerCase(), value]) },
)

rule(
  'extension-values-lost',
  ['SSH-DEFEXT-03'],
  'extensions stand in certificates without their values (000 4.4, extensions, default_extensions: map string to string)',
  { extensions: (original) => (role, requested) => mapped(original(role, requested), (name) => [name, '']) },
)

rule(
  'critical-value-cut',
  ['SSH-CRITOPT-01'],
  'the value of a critical option ends at its first comma (000 4.4, critical_options: map string to string)',
  {
    criticalOptions: (original) => (role, requested) =>
      mapped(original(role, requested), (name, value) => [name, value.split(',')[0] ?? '']),
  },
)

route(
  'ca-answer-of-another',
  ['SSH-CA-01'],
  'the answer to the generation of a pair shows another key than the one kept (000 4.4, config/ca: returns data.public_key)',
  'ssh.writeCa',
  reply((given, call) => {
    if (given.body !== undefined) call.state.ca = call.rules.generatePair()
    return given
  }),
)

rule('algorithm-512-as-256', ['SSH-ALGO-02'], 'roles with rsa-sha2-512 sign with rsa-sha2-256 (000 4.4, algorithm_signer)', {
  signatureAlgorithm: (original) => (role) => {
    const algorithm = original(role)
    return algorithm === 'rsa-sha2-512' ? 'rsa-sha2-256' : algorithm
  },
})

rule(
  'algorithm-for-any-key',
  ['SSH-ALGO-05'],
  'roles with an RSA algorithm sign with a CA of another kind (000 4.4, algorithm_signer: must be blank for non-RSA CA keys)',
  { algorithmFits: () => () => true },
)

rule('cert-type-unknown', ['SSH-SIGN-24'], 'an unknown cert_type is taken for user (000 4.4, cert_type: user or host)', {
  certificateType: (original) => (text) => original(text) ?? 'user',
})

route(
  'key-info-lowered',
  ['SSH-ROLE-06'],
  'names with capitals stand in lower case in key_info (000 4.4, LIST roles: data.key_info: object name -> object)',
  'ssh.listRoles',
  replyData((data) => ({
    ...data,
    key_info: Object.fromEntries(Object.entries(data.key_info as JsonObject).map(([name, info]) => [name.toLowerCase(), info])),
  })),
)

rule(
  'ipv6-by-text',
  ['SSH-CIDR-12', 'SSH-CIDR-13'],
  'IPv6 addresses are compared with blocks letter by letter, not by value (000 4.4, cidr_list: CIDR blocks; creds: ip)',
  {
    blockContains: (original) => (block, address) =>
      block.family === 'ipv6' && block.address.endsWith('::') && block.prefix % 16 === 0
        ? address.includes(':') && address.startsWith(block.address.slice(0, -2))
        : original(block, address),
  },
)

rule(
  'duration-first-unit',
  ['SSH-SIGN-15'],
  'of a duration such as 1h30m only the first part counts (000 4.4, ttl and max_ttl: duration with suffix)',
  {
    duration: (original) => (value, field) => {
      const whole = original(value, field)
      const first = typeof value === 'string' ? /^(\d+[hms])\d/.exec(value)?.[1] : undefined
      return first === undefined ? whole : original(first, field)
    },
  },
)

core.rule(
  'verify-error-member',
  ['CORE-ERROR-01'],
  'verify refuses with error instead of errors (000 2.4: the body is an object with errors, array of strings)',
  {
    failure: (original) => (status, body, request) =>
      original(status, /(^|\/)verify$/.test(request.path) ? { error: 'the password is not valid' } : body, request),
  },
)

route(
  'sign-without-lease-duration',
  ['SSH-SIGN-04'],
  'the answer of sign has no lease_duration (000 4.4, POST sign: with lease_id and lease_duration)',
  'ssh.signKey',
  reply((given) => withBody(given, (body) => without(body, 'lease_duration'))),
)

route(
  'zero-address-lease-null',
  ['CORE-ENV-03'],
  'the zero-address list is read with a lease_id of null (000 2.3, lease_id: empty string when no lease)',
  'ssh.readZeroAddress',
  reply((given) => withBody(given, (body) => ({ ...body, lease_id: null }))),
)

route(
  'list-query-without-info',
  ['SSH-ROLE-06'],
  'GET with list=true lacks key_info, which LIST has (000 1.5: either; 4.4, LIST roles: data.key_info)',
  'ssh.listRoles',
  replyData((data, call) => (call.query.get('list') === 'true' ? without(data, 'key_info') : data)),
)
