/** Faults of form: the same thing by another route or spelling, what is left out, text that is rewritten. */
import { createHash } from 'node:crypto'
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { isSsh, type SshCall } from './west-help.ts'

const { rule, route } = faultsOf(sshEngine, 'ssh')
const core = faultsOf(coreEngine, 'ssh')

rule(
  'west-every-ca-called-rsa',
  'SSH-CA-06',
  'public_key calls a key of another kind ssh-rsa, config/ca does not (000 4.4: GET public_key; GET config/ca, data.public_key)',
  { publicKeyShown: () => (state) => state.ca && `ssh-rsa ${state.ca.publicKey.blob.toString('base64')}` },
)

route(
  'west-no-key-info-by-get',
  'SSH-ROLE-06',
  'GET with list=true lacks the key_info that LIST has (000 1.5: either the verb LIST or GET with list=true; 4.4: data.key_info)',
  'ssh.listRoles',
  replyData<SshCall>((data, call) => (call.query.get('list') === 'true' ? { keys: data.keys ?? [] } : data)),
)

const wholeHours = (seconds: number): number => (seconds < 3600 ? seconds : Math.floor(seconds / 3600) * 3600)

rule(
  'west-durations-in-whole-hours',
  'SSH-MAXTTL-03',
  'a role read shows ttl and max_ttl above an hour without their minutes (000 4.4: GET roles/:name, ttl and max_ttl)',
  { readRole: (original) => (role) => original({ ...role, ttl: wholeHours(role.ttl), max_ttl: wholeHours(role.max_ttl) }) },
)

rule(
  'west-empty-fields-omitted',
  'SSH-OTPREAD-01',
  'a role read leaves out flags that are false and texts that are empty (000 4.4: GET roles/:name, ca role, allow_bare_domains and others)',
  {
    readRole: (original) => (role) =>
      Object.fromEntries(Object.entries(original(role)).filter(([, value]) => value !== false && value !== '')),
  },
)

rule(
  'west-verified-user-lower-case',
  'SSH-VERIFY-02',
  'verify names the user in lower case, the credential as asked (000 4.4: verify, data.username)',
  {
    verified: (original) => (otp) => original({ ...otp, username: otp.username.toLowerCase() }),
  },
)

route(
  'west-key-id-ascii',
  'SSH-KEYID-02',
  'a requested key id loses letters beyond ASCII (000 4.4: sign key_id; allow_user_key_ids)',
  'ssh.signKey',
  requestBody<SshCall>((body) => (typeof body.key_id === 'string' ? { ...body, key_id: body.key_id.replace(/[^\x20-\x7e]/g, '') } : body)),
)

rule(
  'west-option-values-first-word',
  'SSH-DEFCRIT-03',
  'a critical option keeps the first word of its value only, such as of a command (000 4.4: critical_options, map string to string)',
  {
    criticalOptions: (original) => (role, requested) =>
      Object.fromEntries(Object.entries(original(role, requested)).map(([name, value]) => [name, value.trim().split(' ')[0] ?? ''])),
  },
)

rule(
  'west-key-options-by-blanks',
  'SSH-OPTSPEC-01',
  'several key options stand before the key with blanks instead of commas (000 4.4: key_option_specs, comma-separated)',
  {
    authorizedLine: (original) => (role, publicKey) =>
      original({ ...role, key_option_specs: role.key_option_specs.split(',').join(' ') }, publicKey),
  },
)

rule(
  'west-hash-of-encoded-key',
  'SSH-KEYFMT-03',
  'the public key hash in a key id is taken of the base64 text (000 4.4: {{public_key_hash}}, SHA-256 checksum of the public key)',
  { publicKeyHash: () => (key) => createHash('sha256').update(key.blob.toString('base64')).digest('hex') },
)

core.rule(
  'west-lease-id-null',
  'CORE-ENV-03',
  'answers without a lease have the lease id null (000 2.3: lease_id, string, empty string when no lease)',
  {
    finish: (original) => (call, operation, reply) => {
      const given = original(call, operation, reply)
      return isSsh(call) ? withBody(given, (body) => (body.lease_id === '' ? { ...body, lease_id: null } : body)) : given
    },
  },
)

route(
  'west-names-listed-encoded',
  'SSH-ROLE-05',
  'a listing shows role names percent-encoded, not as they were written (000 4.4: LIST roles, data.keys, names)',
  'ssh.listRoles',
  replyData<SshCall>((data) => ({ ...data, keys: (data.keys as string[]).map((name) => encodeURIComponent(name)) })),
)

rule(
  'west-public-key-shown-unasked',
  'SSH-CA-04',
  'a supplied pair is answered with 200 and its public key (000 4.4: config/ca, 204 is returned when the flag was unset or false)',
  { showsGenerated: () => (flag) => flag !== undefined },
)
