/** Faults in spelling, types, letter case, and in the same thing by another way. */
import { coreEngine } from '../../core/core-engine.ts'
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import type { Handle } from './wrappers.ts'

const { rule, route } = faultsOf(sshEngine)

const { rule: core } = faultsOf(coreEngine, 'ssh')

route(
  'shape-get-list-without-info',
  ['SSH-ROLE-06'],
  'a listing by GET with list=true has no key_info (000 1.5 and 4.4, LIST roles)',
  'ssh.listRoles',
  replyData((data, call) => (call.query.get('list') === 'true' ? { keys: data.keys ?? [] } : data)),
)

rule(
  'shape-empty-as-null',
  ['SSH-CAREAD-06', 'SSH-CAREAD-07'],
  'an empty text of a role reads as null (000 4.4, role fields are strings)',
  {
    readRole: (original) => (role) =>
      Object.fromEntries(
        Object.entries(original(role)).map(([name, value]) => [name, value === '' && name !== 'ttl' && name !== 'max_ttl' ? null : value]),
      ),
  },
)

rule(
  'shape-extensions-as-text',
  ['SSH-DEFEXT-05', 'SSH-CAREAD-09'],
  'default_extensions reads as JSON text (000 4.4, map string to string)',
  {
    readRole: (original) => (role) => {
      const shown = original(role)
      return role.key_type === 'ca' ? { ...shown, default_extensions: JSON.stringify(role.default_extensions) } : shown
    },
  },
)

rule('shape-otp-port-text', ['SSH-CREDS-05'], 'the port that comes with a password is text (000 4.4, port is an int)', {
  otpCredential: (original) => (role, otp, password) => ({ ...original(role, otp, password), port: String(role.port) }),
})

route(
  'shape-key-comment',
  ['SSH-SIGN-31'],
  'a public key with a comment is refused (000 4.4, sign public_key)',
  'ssh.signKey',
  (original) => (call) => {
    const line = call.body.public_key
    if (typeof line === 'string' && line.trim().split(/\s+/).length > 2) throw invalid('public_key is not an SSH public key')
    return original(call)
  },
)

route(
  'shape-key-newline',
  ['SSH-SIGN-38'],
  'a public key that ends in a line end is refused (000 4.4, sign public_key)',
  'ssh.signKey',
  (original) => (call) => {
    if (typeof call.body.public_key === 'string' && call.body.public_key.endsWith('\n'))
      throw invalid('public_key is not an SSH public key')
    return original(call)
  },
)

const ROLE_ROUTES = ['ssh.writeRole', 'ssh.readRole', 'ssh.deleteRole', 'ssh.createCredential', 'ssh.signKey']

const renamed =
  (change: (name: string) => string) =>
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, params: { ...call.params, name: change(call.params.name ?? '') } })

route(
  'shape-name-extension',
  ['SSH-ROLE-03'],
  'what follows a period in a role name is dropped, so that two roles are one (000 4.4, roles/:name)',
  ROLE_ROUTES,
  renamed((name) => name.replace(/\.[^.]+$/, '')),
)

route(
  'shape-name-case',
  ['SSH-ROLE-03'],
  'role names that differ by case are one role (000 4.4, roles/:name)',
  ROLE_ROUTES,
  renamed((name) => name.toLowerCase()),
)

rule('shape-user-latin', ['SSH-VERIFY-02'], 'a user name outside of ASCII comes back damaged (000 2.7, credential otp)', {
  credentialUser: (original) => (role, requested) => Buffer.from(original(role, requested), 'latin1').toString('utf8'),
})

route(
  'shape-public-key-negotiated',
  ['SSH-CA-13'],
  'public_key is an envelope for callers that accept JSON (000 4.4, text/plain)',
  'ssh.readPublicKey',
  (original) => async (call) => {
    const given = await original(call)
    const isJson = /application\/json/.test(call.headers.accept ?? '')
    return isJson && given.raw ? secret({ public_key: Buffer.from(given.raw.bytes).toString() }) : given
  },
)

rule('shape-compound-duration', ['SSH-SIGN-15'], 'of a duration such as 1h30m only the first unit counts (000 4.4, ttl duration)', {
  duration: (original) => (value, field) => original(typeof value === 'string' ? value.replace(/^(\d+[a-zµ]+)\d.*$/, '$1') : value, field),
})

rule('shape-v6-long', ['SSH-CIDR-06'], 'an IPv6 address that is written without :: lies in no block (000 4.4, cidr_list)', {
  blockContains: (original) => (block, address) => original(block, address) && !(block.family === 'ipv6' && !address.includes('::')),
})

const lowered = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]))

rule('shape-extension-case', ['SSH-EXT-03'], 'names of extensions are written in lower case into the certificate (000 4.4, extensions)', {
  extensions: (original) => (role, requested) => lowered(original(role, requested)),
})

rule('shape-key-id-once', ['SSH-KEYFMT-04'], 'a variable of key_id_format is replaced once only (000 4.4, key_id_format)', {
  defaultKeyId: (original) => (role, facts) =>
    role.key_id_format === ''
      ? original(role, facts)
      : role.key_id_format
          .replace('{{token_display_name}}', facts.displayName)
          .replace('{{role_name}}', facts.roleName)
          .replace('{{public_key_hash}}', facts.publicKeyHash),
})

rule(
  'shape-serial-rounded',
  ['SSH-SIGN-07'],
  'serial_number is rounded to a double and is not that of the certificate (000 2.7, serial_number)',
  {
    serialShown: () => (serial) => BigInt(Number(serial)).toString(16),
  },
)

core('shape-put-sign', ['CORE-WRITE-01'], 'PUT at sign/ is an unknown path (000 1.6, PUT and POST are synonyms)', {
  effectivePath: (original) => (header, request, namespaces) =>
    original(header, request, namespaces) + (request.method === 'PUT' && request.path.includes('/sign/') ? '/put' : ''),
})

rule(
  'shape-empty-key-id',
  ['SSH-KEYID-03'],
  'an empty key_id is taken as the key id where the role allows own ones (000 4.4, display name when empty)',
  {
    usesRequestedKeyId: () => (role) => role.allow_user_key_ids,
  },
)

rule(
  'shape-option-value-trimmed',
  ['SSH-CRITOPT-01'],
  'values of critical options lose all after a comma (000 4.4, critical_options map)',
  {
    criticalOptions: (original) => (role, requested) =>
      Object.fromEntries(Object.entries(original(role, requested)).map(([name, value]) => [name, value.split(',')[0] ?? ''])),
  },
)
