/** Faults of form: the same thing by another route, in another spelling, type or legal alternative. */
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'

const { rule, route } = faultsOf(sshEngine, 'ssh')

rule(
  'later-principals-by-any-case',
  ['SSH-USERS-20'],
  'a principal is signed that differs from an allowed one by case (000 4.4, allowed_users: "listed names")',
  {
    principalAllowed: (original) => (user, allowed) =>
      original(user, allowed) || allowed.some((name) => name.toLowerCase() === user.toLowerCase()),
  },
)

rule(
  'later-credential-shows-default-user',
  ['SSH-CREDS-07'],
  'a password is shown with the default user, whom ever it was asked for (000 2.7, otp: `username`)',
  {
    otpCredential: (original) => (role, otp, password) => ({ ...original(role, otp, password), username: role.default_user }),
  },
)

rule(
  'later-algorithm-beside-other-pair',
  ['SSH-ALGO-05'],
  'a role with an algorithm signs with a pair that is not RSA (000 4.4: "must be blank for non-RSA CA keys")',
  {
    algorithmFits: () => () => true,
  },
)

rule('later-newer-hash-falls-back', ['SSH-ALGO-02'], 'rsa-sha2-512 signs as rsa-sha2-256 (000 4.4, algorithm_signer: `rsa-sha2-512`)', {
  signatureAlgorithm: (original) => (role) => (original(role).startsWith('rsa-sha2') ? 'rsa-sha2-256' : original(role)),
})

route(
  'later-public-key-in-envelope',
  ['SSH-CA-13'],
  'public_key answers an envelope to clients that accept JSON, too (000 4.4, public_key: "200 text/plain public key")',
  'ssh.readPublicKey',
  (original) => async (call) => {
    const reply = await original(call)
    if (!reply.raw || !/\bapplication\/json\b/.test(call.headers.accept ?? '')) return reply
    return secret({ public_key: Buffer.from(reply.raw.bytes).toString('utf8').trim() })
  },
)

route(
  'later-comment-of-one-word',
  ['SSH-SIGN-05'],
  'a public key whose comment has blanks is refused (000 4.4, sign: "signs a public key")',
  'ssh.signKey',
  (original) => (call) => {
    const { public_key: line } = call.body
    if (typeof line === 'string' && line.trim().split(/\s+/).length > 3) throw invalid('public_key is not an SSH public key')
    return original(call)
  },
)

rule(
  'later-extensions-lose-values',
  ['SSH-DEFEXT-03'],
  'extensions are signed as flags, without their values (000 4.4, extensions: "map string to string")',
  {
    extensions: (original) => (role, requested) => Object.fromEntries(Object.keys(original(role, requested)).map((name) => [name, ''])),
  },
)

rule(
  'later-default-options-filtered',
  ['SSH-DEFCRIT-03'],
  'default critical options beyond the list are left out (000 4.4: "not restricted by allowed list")',
  {
    criticalOptions: (original) => (role, requested) => {
      const allowed = entriesOf(role.allowed_critical_options)
      const chosen = Object.entries(original(role, requested))
      return Object.fromEntries(allowed.length === 0 ? chosen : chosen.filter(([name]) => allowed.includes(name)))
    },
  },
)

rule(
  'later-first-option-only',
  ['SSH-OPTSPEC-01'],
  'of several key options the first stands before the key on the host (000 4.4, key_option_specs: "comma-separated options")',
  {
    authorizedLine: (original) => (role, publicKey) =>
      original({ ...role, key_option_specs: role.key_option_specs.split(',')[0] ?? '' }, publicKey),
  },
)
