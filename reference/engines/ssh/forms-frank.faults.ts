/** Faults of form: the same by another route or verb, absent against empty, types, durations, spellings. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { inSsh, locating, roleOfCall, withRole } from './frank-help.ts'

const { rule, route } = faultsOf(sshEngine)
const core = faultsOf(coreEngine, 'ssh')

route(
  'frank-no-key-info-by-query',
  'SSH-ROLE-06',
  'GET with list=true lists the names without key_info, which LIST shows (000 1.5 and 4.4: LIST /ssh/roles, data.key_info)',
  'ssh.listRoles',
  replyData((data, call) => (call.query.get('list') === 'true' ? { keys: data.keys ?? [] } : data)),
)

let verb = ''

core.rule(
  'frank-no-put-of-zero-address',
  'CORE-WRITE-01',
  'config/zeroaddress is written by POST only, PUT is unknown there (000 1.6: PUT and POST are synonyms)',
  {
    isListing: (original) => (method, query) => {
      verb = method
      return original(method, query)
    },
    pathBelow: (original) => (mount, path, type) => {
      const rest = original(mount, path, type)
      return type === 'ssh' && verb === 'PUT' && rest === 'config/zeroaddress' ? `${rest}/` : rest
    },
  },
)

route(
  'frank-comment-of-one-word',
  'SSH-SIGN-05',
  'a public key whose comment holds a blank is not signed (000 4.4: sign public_key)',
  'ssh.signKey',
  requestBody((body) => {
    if (typeof body.public_key === 'string' && body.public_key.trim().split(/\s+/).length > 3) throw invalid('public_key is malformed')
    return body
  }),
)

route(
  'frank-empty-username-sent',
  'SSH-CREDS-08',
  'a username that is sent as empty text is refused, though one that is left out means the default user (000 4.4: POST /ssh/creds/:name, username)',
  'ssh.createCredential',
  requestBody((body) => {
    if (body.username === '') throw invalid('username is empty')
    return body
  }),
)

route(
  'frank-empty-extensions-sent',
  'SSH-DEFEXT-01',
  'an empty map of extensions gives a certificate without the default ones (000 4.4: default_extensions, used when none are provided)',
  'ssh.signKey',
  (original) => (call) => {
    const { extensions } = call.body
    const isEmpty = extensions !== null && typeof extensions === 'object' && Object.keys(extensions).length === 0
    const role = roleOfCall(call)
    return original(isEmpty && role ? withRole(call, { ...role, default_extensions: {} }) : call)
  },
)

rule(
  'frank-answer-to-a-false-flag',
  'SSH-CA-04',
  'a supplied pair with generate_signing_key false is answered with 200 and the key (000 4.4: 204 when the flag was false)',
  { showsGenerated: (original) => (flag) => original(flag) || flag === false },
)

const inHours = (seconds: number): string => `${Math.floor(seconds / 3600)}h`

rule(
  'frank-durations-in-whole-hours',
  'SSH-MAXTTL-03',
  'durations of more than an hour are read back in whole hours, so that 90m becomes 1h (000 4.4: GET /ssh/roles/:name, ttl and max_ttl)',
  {
    readRole: (original) => (role) => {
      const shown = original(role)
      if (role.key_type !== 'ca') return shown
      return {
        ...shown,
        ...(role.ttl >= 3600 ? { ttl: inHours(role.ttl) } : {}),
        ...(role.max_ttl >= 3600 ? { max_ttl: inHours(role.max_ttl) } : {}),
      }
    },
  },
)

rule(
  'frank-false-left-out',
  'SSH-CAREAD-01',
  'flags that are false are missing in the read of a ca role (000 4.4: GET /ssh/roles/:name, fields of a ca role)',
  {
    readRole: (original) => (role) => Object.fromEntries(Object.entries(original(role)).filter(([, value]) => value !== false)),
  },
)

core.rule(
  'frank-help-of-full-paths',
  'CORE-HELP-03',
  'paths in the help of the engine begin with its mount (000 1.7: paths are relative to the queried path)',
  {
    ...locating,
    helpPath: (original) => (relative, queried) =>
      inSsh() ? `/${queried.replace(/\/$/, '')}${original(relative, queried)}` : original(relative, queried),
  },
)

core.rule(
  'frank-trailing-period-dropped',
  'CORE-PERIOD-02',
  'a trailing period behind the role of creds and sign is dropped and the role used (000 2.1: a path parameter must not end in a period)',
  {
    pathBelow: (original) => (mount, path, type) => {
      const rest = original(mount, path, type)
      return type === 'ssh' && /^(creds|sign)\/[^/]+$/.test(rest) ? rest.replace(/\.+$/, '') : rest
    },
  },
)

rule(
  'frank-serial-as-a-double',
  'SSH-SIGN-07',
  'serial_number is rounded to 53 bits and differs from the serial of the certificate (000 2.7: signed certificate, serial_number)',
  { serialShown: () => (serial) => Number(serial).toString(16) },
)

rule(
  'frank-algorithm-taken-for-key-type',
  'SSH-ALGO-03',
  'algorithm_signer ssh-rsa is taken for the type of the key and signs with the default (000 4.4: algorithm_signer)',
  {
    signatureAlgorithm: (original) => (role) => original(role.algorithm_signer === 'ssh-rsa' ? { ...role, algorithm_signer: '' } : role),
  },
)
