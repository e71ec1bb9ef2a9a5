/** Faults of the SSH engine: the same thing in another form. */
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { publicKeyOf } from './key-formats.ts'
import { entriesOf } from './networks.ts'

const { rule, route, change } = faultsOf(sshEngine, 'ssh')

route(
  'anew-get-listing-without-info',
  ['SSH-ROLE-06'],
  'GET roles with `list=true` lacks `key_info` (000 1.5: "either the verb `LIST`, or `GET` with query parameter `list=true`"; 4.4)',
  'ssh.listRoles',
  replyData((data, call) => (call.query.get('list') === 'true' ? { keys: data.keys ?? [] } : data)),
)

rule(
  'anew-upper-case-address-outside',
  ['SSH-CIDR-13'],
  'An IPv6 address with upper-case letters lies in no block (000 4.4: `ip` and `cidr_list`)',
  {
    blockContains: (original) => (block, address) =>
      original(block, address) && (block.family === 'ipv4' || address === address.toLowerCase()),
  },
)

rule(
  'anew-prefix-in-whole-octets',
  ['SSH-CIDR-04'],
  'A block is compared by whole octets, so that 10.16.0.0/12 contains 10.1.1.1 (000 4.4: `cidr_list` "CIDR blocks")',
  { blockContains: (original) => (block, address) => original({ ...block, prefix: block.prefix - (block.prefix % 8) }, address) },
)

rule(
  'anew-public-half-derived',
  ['SSH-CA-08'],
  'A private key without its public key is accepted as a pair (000 4.4: both "required when `generate_signing_key` is false")',
  {
    missingOfPair: (original) => (privateKey, publicKey) => original(privateKey, publicKey || privateKey),
    parsePublic: (original) => (text, privateKey) => (text === '' ? publicKeyOf(privateKey) : original(text, privateKey)),
  },
)

route(
  'anew-empty-username-taken-literally',
  ['SSH-CREDS-08'],
  'A password asked for with `username` `""` is for no user, only without the field for the default one (000 4.4: "used when empty")',
  'ssh.createCredential',
  (original) => (call) => original(call.body.username === '' ? { ...call, rules: { ...call.rules, credentialUser: () => '' } } : call),
)

rule(
  'anew-algorithm-by-prefix',
  ['SSH-ALGO-04'],
  'Roles with an `algorithm_signer` such as `rsa-sha2-384` are accepted (000 4.4: `ssh-rsa`, `rsa-sha2-256`, `rsa-sha2-512`)',
  { algorithmKnown: (original) => (name) => original(name) || name.startsWith('rsa-sha2-') },
)

rule(
  'anew-algorithm-with-elliptic-pair',
  ['SSH-ALGO-05'],
  'A role with an `algorithm_signer` signs under an ECDSA pair (000 4.4: "must be blank for non-RSA CA keys")',
  { algorithmFits: (original) => (role, ca) => original(role, ca) || ca.kind === 'ecdsa' },
)

rule('anew-long-hash-ignored', ['SSH-ALGO-02'], 'A role with `rsa-sha2-512` signs as `rsa-sha2-256` (000 4.4: `algorithm_signer`)', {
  signatureAlgorithm: (original) => (role) => (role.algorithm_signer === 'rsa-sha2-512' ? 'rsa-sha2-256' : original(role)),
})

rule(
  'anew-valueless-extensions-unread',
  ['SSH-DEFEXT-05'],
  'Default extensions with an empty value are missing from the read of the role (000 4.4: GET roles/:name shows `default_extensions`)',
  {
    readRole: (original) => (role) => {
      const valued = Object.fromEntries(Object.entries(role.default_extensions).filter(([, value]) => value !== ''))
      return original({ ...role, default_extensions: valued })
    },
  },
)

rule(
  'anew-read-in-whole-hours',
  ['SSH-MAXTTL-03'],
  'A read shows `ttl` and `max_ttl` above an hour in whole hours, 90 minutes as one (000 4.4: GET roles/:name shows `max_ttl`, `ttl`)',
  {
    readRole: (original) => (role) => {
      const whole = (seconds: number) => (seconds > 3600 ? seconds - (seconds % 3600) : seconds)
      return original({ ...role, ttl: whole(role.ttl), max_ttl: whole(role.max_ttl) })
    },
  },
)

rule(
  'anew-first-unit-of-duration',
  ['SSH-SIGN-15'],
  'Of a duration such as `1h30m` only the first unit counts (000 4.4: `ttl`: "duration with suffix (hour is largest)")',
  {
    duration: (original) => (value, field) =>
      original(typeof value === 'string' ? (/^\d+(h|m(?!s)|s)(?=\d)/.exec(value)?.[0] ?? value) : value, field),
  },
)

rule(
  'anew-extension-within-listed-text',
  ['SSH-EXT-02'],
  'An extension is allowed where its name is a part of a listed one (000 4.4: `allowed_extensions` "comma-separated")',
  {
    forbiddenExtensions: (original) => (role, requested) =>
      original(role, requested).filter((name) => !role.allowed_extensions.includes(name)),
  },
)

rule(
  'anew-requested-extensions-added',
  ['SSH-DEFEXT-02'],
  'Requested extensions come beside the default ones (000 4.4: `default_extensions` "used when none are provided at signing")',
  { extensions: (original) => (role, requested) => ({ ...role.default_extensions, ...original(role, requested) }) },
)

rule(
  'anew-empty-fields-unread',
  ['SSH-CAREAD-06'],
  'A read of a role leaves out the fields that hold an empty text (000 4.4: GET roles/:name lists the fields of each kind)',
  { readRole: (original) => (role) => Object.fromEntries(Object.entries(original(role)).filter(([, value]) => value !== '')) },
)

rule(
  'anew-serial-number-rounded',
  ['SSH-SIGN-07'],
  'The `serial_number` of the answer is rounded and not that of the certificate (000 4.4: sign returns `data.serial_number`)',
  { serialShown: () => (serial) => Number(serial).toString(16) },
)

rule(
  'anew-password-port-default',
  ['SSH-PORT-04'],
  'A password is returned with port 22 whatever the role says (000 4.4: `port`: "informational for `otp` (returned with the OTP)")',
  { otpCredential: (original) => (role, otp, password) => ({ ...original(role, otp, password), port: 22 }) },
)

rule(
  'anew-plain-names-beside-templates-ignored',
  ['SSH-TEMPLATE-03'],
  'Plain names in `allowed_users` do not count beside a template (000 4.4: "non-templated users also permitted")',
  {
    allowedUsers: (original) => (role, token) => {
      const templates = entriesOf(role.allowed_users).filter((name) => name.includes('{{'))
      return original(role.allowed_users_template && templates.length > 0 ? { ...role, allowed_users: templates.join(',') } : role, token)
    },
  },
)

change(
  'anew-any-domain-needs-flag',
  ['SSH-SIGN-23'],
  '`allowed_domains` `*` allows no host unless subdomains or bare domains are allowed (000 4.4: `allowed_domains`: "`*` allows any")',
  { rules: { hostAllowed: (original) => (role, host) => (role.allow_subdomains || role.allow_bare_domains) && original(role, host) } },
)
