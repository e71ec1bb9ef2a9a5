/** Faults of forms: types, texts and lists, escaping, letter case, blanks, and the same thing shown by another route. */
import { coreEngine } from '../../core/core-engine.ts'
import { formatDuration } from '../../core/durations.ts'
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { replyData } from '../../mutations/wrappers.ts'
import type { SshCall } from './east-help.ts'
import { sshEngine } from './engine.ts'

const { rule, route } = faultsOf(sshEngine, 'ssh')
const core = faultsOf(coreEngine, 'ssh')

rule(
  'east-false-flags-absent',
  'SSH-CAREAD-01',
  'the read of a ca role lacks the flags that are false (000 4.4: GET roles/:name, ca role fields)',
  {
    readRole: (original) => (role) => Object.fromEntries(Object.entries(original(role)).filter(([, value]) => value !== false)),
  },
)

route(
  'east-public-key-as-json',
  'SSH-CA-13',
  'the public key comes as JSON to clients that accept it (000 4.4: GET /ssh/public_key, 200 text/plain public key)',
  'ssh.readPublicKey',
  (original) => async (call) => {
    const reply = await original(call)
    const { accept = '' } = call.headers
    return reply.raw && /application\/json/.test(accept) ? secret({ public_key: Buffer.from(reply.raw.bytes).toString().trim() }) : reply
  },
)

route(
  'east-comment-of-one-word',
  'SSH-SIGN-05',
  'a public key whose comment has several words is refused (000 4.4: sign, public_key, string)',
  'ssh.signKey',
  (original) => (call) => {
    const { public_key: line } = call.body
    if (typeof line === 'string' && line.trim().split(/\s+/).length > 3) throw invalid('public_key is not an SSH public key')
    return original(call)
  },
)

rule(
  'east-display-name-tidied',
  'SSH-KEYFMT-01',
  'key_id_format replaces all but letters, digits and hyphens of the display name (000 4.4: key_id_format, token_display_name)',
  {
    defaultKeyId: (original) => (role, facts) => {
      const displayName = role.key_id_format === '' ? facts.displayName : facts.displayName.replace(/[^A-Za-z0-9-]/g, '-')
      return original(role, { ...facts, displayName })
    },
  },
)

rule(
  'east-serial-as-double',
  'SSH-SIGN-07',
  'serial_number has lost the last digits of the serial in the certificate (000 2.7: signed certificate, serial_number, signed_key)',
  { serialShown: (original) => (serial) => original(BigInt(Number(serial))) },
)

rule(
  'east-username-in-lower-case',
  'SSH-VERIFY-02',
  'credentials are for the user name in lower case (000 4.4: creds, username; 2.7: username)',
  {
    credentialUser: (original) => (role, requested) => original(role, requested).toLowerCase(),
  },
)

rule(
  'east-ipv6-in-lower-case-only',
  'SSH-CIDR-13',
  'an IPv6 address with capital letters is in no block (000 4.4: creds and lookup, ip; cidr_list)',
  {
    blockContains: (original) => (block, address) => !/[A-F]/.test(address) && original(block, address),
  },
)

route(
  'east-key-info-for-the-verb-only',
  'SSH-ROLE-06',
  'GET with list=true shows no key_info (000 1.5: either the verb LIST, or GET with list=true; 4.4: data.key_info)',
  'ssh.listRoles',
  replyData((data, call: SshCall) => (call.query.get('list') === 'true' ? { keys: data.keys ?? [] } : data)),
)

rule(
  'east-option-cut-at-comma',
  'SSH-CRITOPT-01',
  'the value of a critical option ends at its first comma (000 4.4: critical_options, map string to string)',
  {
    criticalOptions: (original) => (role, requested) =>
      Object.fromEntries(Object.entries(original(role, requested)).map(([name, value]) => [name, value.split(',')[0] ?? ''])),
  },
)

const sshRequests = requestsTo('ssh')
core.rule(
  'east-verify-by-content-type',
  'CORE-MEDIA-02',
  'a verification is not read as JSON unless its content type says so (000 2.1: bodies are JSON, clients need not send Content-Type)',
  {
    ...sshRequests.locating,
    parseBody: (original) => (bytes, request) => {
      const isForm = sshRequests.here() && request.path.endsWith('/verify') && !/json/.test(request.headers['content-type'] ?? '')
      return isForm ? { text: '{}', body: {} } : original(bytes, request)
    },
  },
)

core.rule(
  'east-period-dropped',
  'CORE-PERIOD-02',
  'a period at the end of the name of a role or key is dropped (000 2.1: a path parameter must not end in a period, 404)',
  {
    pathBelow: (original) => (mount, path, type) =>
      original(mount, type === 'ssh' ? path.replace(/(\/(?:roles|keys|creds|sign)\/[^/]*[^/.])\.+$/, '$1') : path, type),
  },
)

rule(
  'east-days-lost-on-read',
  'SSH-TTL-04',
  'the read of a role shows ttl without its whole days (000 4.4: ttl, duration; GET roles/:name)',
  {
    readRole: (original) => (role) => {
      const shown = original(role)
      return 'ttl' in shown && role.ttl >= 86_400 ? { ...shown, ttl: formatDuration(role.ttl % 86_400) } : shown
    },
  },
)
