/** Faults of forms: the same thing by another route, absent against null, types, texts, case, escaping. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { sshEngine } from './engine.ts'
import { operationSeen } from './plain-help.ts'

const { rule } = faultsOf(sshEngine, 'ssh')
const core = faultsOf(coreEngine, 'ssh')

const operation = operationSeen()

core.rule(
  'plain-put-body-unread',
  'CORE-WRITE-01',
  'creds, lookup and sign do not read the body of a PUT (000 1.6: PUT and POST are synonyms)',
  {
    needsToken: operation.needsToken,
    parseBody: (original) => (bytes, request) => {
      const unread = request.method === 'PUT' && operation.isOneOf('ssh.createCredential', 'ssh.lookupRoles', 'ssh.signKey')
      return original(unread ? new Uint8Array() : bytes, request)
    },
  },
)

rule(
  'plain-ca-read-as-pem',
  'SSH-CA-06',
  'config/ca shows a public key that is not RSA as PEM, unlike public_key (000 4.4: GET config/ca, data.public_key)',
  {
    caShown: (original) => (state) =>
      state.ca && state.ca.publicKey.kind !== 'rsa'
        ? String(state.ca.publicKey.object.export({ type: 'spki', format: 'pem' }))
        : original(state),
  },
)

rule(
  'plain-serial-rounded',
  'SSH-SIGN-07',
  'serial_number went through a floating-point number and is not that of the certificate (000 2.7: serial_number)',
  {
    serialShown: (original) => (serial) => original(BigInt(Number(serial))),
  },
)

rule(
  'plain-variable-once',
  'SSH-KEYFMT-04',
  'a variable that key_id_format has twice is replaced once (000 4.4: key_id_format, variables)',
  {
    defaultKeyId: (original) => (role, facts) => {
      if (role.key_id_format === '') return original(role, facts)
      return role.key_id_format
        .replace('{{token_display_name}}', () => facts.displayName)
        .replace('{{role_name}}', () => facts.roleName)
        .replace('{{public_key_hash}}', () => facts.publicKeyHash)
    },
  },
)

rule(
  'plain-empty-key-id',
  'SSH-KEYID-03',
  'with allow_user_key_ids a request without key_id gets an empty one (000 4.4: key_id, display name when empty)',
  {
    usesRequestedKeyId: () => (role) => role.allow_user_key_ids,
  },
)

rule(
  'plain-port-22-in-password-answers',
  'SSH-PORT-04',
  'the answer with a one-time password has port 22 whatever the role says (000 4.4: port, returned with the OTP)',
  {
    otpCredential: (original) => (role, otp, password) => ({ ...original(role, otp, password), port: 22 }),
  },
)

const wholeMinutes = (seconds: number): number => Math.floor(seconds / 60) * 60

rule(
  'plain-ttl-in-minutes',
  'SSH-MAXTTL-03',
  'a role read rounds ttl and max_ttl down to minutes (000 4.4: GET roles/:name, max_ttl, ttl)',
  {
    readRole: (original) => (role) => original({ ...role, ttl: wholeMinutes(role.ttl), max_ttl: wholeMinutes(role.max_ttl) }),
  },
)

rule(
  'plain-extensions-lower-case',
  'SSH-EXT-03',
  'certificates carry extension names in lower case (000 4.4: sign extensions, map string to string)',
  {
    extensions: (original) => (role, requested) =>
      Object.fromEntries(Object.entries(original(role, requested)).map(([name, value]) => [name.toLowerCase(), value])),
  },
)

core.rule(
  'plain-trailing-period-dropped',
  'CORE-PERIOD-02',
  'creds/x. and sign/x. work as without the period (000 2.1: a path parameter must not end in a period)',
  {
    pathBelow: (original) => (mount, path, type) => {
      const rest = original(mount, path, type)
      return type === 'ssh' && /^(creds|sign)\/[^/]+$/.test(rest) ? rest.replace(/\.$/, '') : rest
    },
  },
)

rule(
  'plain-only-sha256',
  'SSH-ALGO-02',
  'algorithm_signer rsa-sha2-512 signs with rsa-sha2-256 (000 4.4: algorithm_signer, rsa-sha2-512)',
  {
    signatureAlgorithm: (original) => (role) => {
      const algorithm = original(role)
      return algorithm === 'rsa-sha2-512' ? 'rsa-sha2-256' : algorithm
    },
  },
)
