/** Faults of form: the same thing by another route, verb or spelling; lists against text, empty against absent, escaping, line breaks. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { reply, replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'
import { decidedPerCall } from './north-help.ts'

const { rule, route } = faultsOf(sshEngine, 'ssh')
const core = faultsOf(coreEngine, 'ssh')

const putting = requestsTo('ssh')
core.rule(
  'north-put-takes-texts-only',
  'CORE-WRITE-01',
  'of a body that is PUT only the texts are read (000 1.6: PUT and POST are synonyms)',
  {
    ...putting.locating,
    parseBody: (original) => (bytes, request) => {
      const parsed = original(bytes, request)
      if (!putting.here() || request.method !== 'PUT') return parsed
      return { ...parsed, body: Object.fromEntries(Object.entries(parsed.body).filter(([, value]) => typeof value === 'string')) }
    },
  },
)

rule(
  'north-durations-shown-in-hours',
  'SSH-MAXTTL-03',
  'a role shows its durations of an hour and more without the minutes (000 4.4: GET roles/:name, max_ttl and ttl)',
  {
    readRole: (original) => (role) =>
      Object.fromEntries(
        Object.entries(original(role)).map(([field, value]) => [
          field,
          /^(max_)?ttl$/.test(field) ? String(value).replace(/h.*$/, 'h') : value,
        ]),
      ),
  },
)

rule(
  'north-serial-shown-rounded',
  'SSH-SIGN-07',
  'the serial number is shown as rounded to a double, and so differs from the one in the certificate (000 4.4: sign returns data.serial_number, data.signed_key)',
  { serialShown: (original) => (serial) => original(BigInt(Number(serial))) },
)

route(
  'north-long-public-key-folded',
  'SSH-CA-06',
  'public keys longer than a line of 76 are folded as text/plain, and so differ from those of config/ca (000 4.4: GET /ssh/public_key, text/plain public key)',
  'ssh.readPublicKey',
  reply((given) => {
    const { raw } = given
    return raw ? { ...given, raw: { ...raw, bytes: Buffer.from(String(raw.bytes).replace(/\S{76}(?=\S)/g, '$&\n')) } } : given
  }),
)

rule(
  'north-option-values-cut-at-comma',
  'SSH-CRITOPT-01',
  'values of critical options end at their first comma (000 4.4: critical_options and default_critical_options, map string to string)',
  {
    criticalOptions: (original) => (role, requested) =>
      Object.fromEntries(Object.entries(original(role, requested)).map(([name, value]) => [name, value.split(',')[0] ?? ''])),
  },
)

rule(
  'north-empty-extensions-not-shown',
  'SSH-DEFEXT-05',
  'a role does not show default extensions without value (000 4.4: GET roles/:name, default_extensions, map string to string)',
  {
    readRole: (original) => (role) =>
      original({ ...role, default_extensions: Object.fromEntries(Object.entries(role.default_extensions).filter(([, value]) => value)) }),
  },
)

rule(
  'north-ipv6-compared-as-text',
  'SSH-EXCL-08',
  'an IPv6 address is in a block only where it is spelled like it (000 4.4 role parameters: cidr_list, exclude_cidr_list, CIDR blocks)',
  {
    blockContains: (original) => (block, address) =>
      original(block, address) && (block.family === 'ipv4' || address.startsWith(block.address.split('::')[0] ?? '')),
  },
)

route(
  'north-zero-address-roles-in-one',
  'SSH-ZERO-08',
  'the zero-address roles are read as one comma-separated text in the array (000 4.4: GET config/zeroaddress, data.roles, array)',
  'ssh.readZeroAddress',
  replyData((data) => {
    const { roles } = data
    return Array.isArray(roles) ? { ...data, roles: [roles.join(',')] } : data
  }),
)

rule(
  'north-variable-filled-in-once',
  'SSH-KEYFMT-04',
  'a variable that key_id_format holds twice is filled in once (000 4.4 role parameters: key_id_format, variables)',
  {
    defaultKeyId: (original) => (role, facts) => {
      if (role.key_id_format === '') return original(role, facts)
      return role.key_id_format
        .replace('{{token_display_name}}', facts.displayName)
        .replace('{{role_name}}', facts.roleName)
        .replace('{{public_key_hash}}', facts.publicKeyHash)
    },
  },
)

rule(
  'north-key-options-without-commas',
  'SSH-OPTSPEC-01',
  'several key options are written to the authorized-keys file with blanks between them (000 4.4 role parameters: key_option_specs, comma-separated options prefixed to keys)',
  {
    authorizedLine: (original) => (role, publicKey) =>
      original({ ...role, key_option_specs: entriesOf(role.key_option_specs).join(' ') }, publicKey),
  },
)

route(
  'north-algorithm-by-signed-key',
  'SSH-ALGO-02',
  'algorithm_signer has no effect where the key to be signed is no RSA key (000 4.4 role parameters: algorithm_signer, ssh-rsa, rsa-sha2-256, rsa-sha2-512)',
  'ssh.signKey',
  decidedPerCall((call) => ({
    signatureAlgorithm: (role) =>
      call.rules.signatureAlgorithm(String(call.body.public_key).trim().startsWith('ssh-rsa ') ? role : { ...role, algorithm_signer: '' }),
  })),
)
