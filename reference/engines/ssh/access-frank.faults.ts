/** Faults of who may ask and for whom: carriers of tokens, capabilities, unauthenticated routes, users, principals, key ids. */
import { coreEngine } from '../../core/core-engine.ts'
import { anyoneMay, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { sshEngine } from './engine.ts'
import { asksSsh, inSsh, locating } from './frank-help.ts'
import { entriesOf } from './networks.ts'
import type { Role } from './state.ts'

const { rule } = faultsOf(sshEngine)
const core = faultsOf(coreEngine, 'ssh')

const endsIn = (path: string, name: string): boolean => path === name || path.endsWith(`/${name}`)

core.rule(
  'frank-public-key-minds-policies',
  'CORE-AUTH-18',
  'the public key is refused to a caller who sends a good token whose policies do not name the path (000 5.3: GET /ssh/public_key is unauthenticated)',
  {
    needsToken: (original) => (asked) => original(asked) || asked?.id === 'ssh.readPublicKey',
    callerRefused: (original) => (given, token, request) =>
      token === undefined && endsIn(request.path, 'public_key') ? undefined : original(given, token, request),
  },
)

core.rule(
  'frank-deny-overlooked-at-creds',
  'CORE-CAP-04',
  'a policy that denies creds/:name is overlooked when credentials are asked for (000 7: 403 no access; 5.4: capabilities)',
  denyOverlooked((call) => asksSsh(call, /\/creds\/[^/]+$/)),
)

core.rule(
  'frank-lookup-for-any-token',
  'CORE-CAP-04',
  'any token may look up the roles of an address, whatever its policies grant (000 7: 403 and 404 for a caller without access)',
  anyoneMay((call) => asksSsh(call, /\/lookup$/)),
)

core.rule(
  'frank-ended-token-good-here',
  'CORE-AUTH-15',
  'a token that was used at the engine once stays good there after it was revoked or expired (000 5.1: a client token is required)',
  { ...locating, ...goodForEver(() => inSsh()) },
)

const resolved = new WeakMap<Role, string[]>()

rule(
  'frank-template-resolved-once',
  'SSH-TEMPLATE-02',
  'templates in allowed_users mean the first caller for every later caller, too (000 4.4: allowed_users_template, identity templates)',
  {
    allowedUsers: (original) => (role, token) => {
      if (!role.allowed_users_template) return original(role, token)
      const users = resolved.get(role) ?? original(role, token)
      resolved.set(role, users)
      return users
    },
  },
)

rule(
  'frank-key-id-beside-a-format',
  'SSH-KEYID-01',
  'a role with key_id_format takes the key id of the caller though allow_user_key_ids is false (000 4.4: allow_user_key_ids)',
  {
    usesRequestedKeyId: (original) => (role, requested) => original(role, requested) || (role.key_id_format !== '' && requested !== ''),
  },
)

rule(
  'frank-default-user-of-ca-unlisted',
  'SSH-DEFUSER-06',
  'a ca role signs for its default_user though allowed_users does not list it (000 4.4: default_user, for ca valid principal only if also in allowed_users)',
  {
    allowedUsers: (original) => (role, token) =>
      role.key_type === 'ca' && role.default_user !== '' ? [...original(role, token), role.default_user] : original(role, token),
  },
)

rule(
  'frank-listed-users-are-patterns',
  'SSH-USERS-10',
  'a dot in a listed user name stands for any character when a certificate is asked for (000 4.4: allowed_users, only listed names)',
  {
    principalAllowed: (original) => (user, allowed) =>
      original(user, allowed) || allowed.some((entry) => /^[\w.-]+$/.test(entry) && new RegExp(`^${entry}$`).test(user)),
  },
)

rule(
  'frank-either-flag-for-both-types',
  'SSH-USERCERT-01',
  'a role that may sign host certificates signs user certificates as well (000 4.4: allow_user_certificates, default false)',
  { typeAllowed: (original) => (role, type) => original(role, type) || (type === 'user' && role.allow_host_certificates) },
)

rule(
  'frank-one-permitted-option-opens-all',
  'SSH-CRITOPT-03',
  'critical options that are not listed pass together with one that is (000 4.4: allowed_critical_options)',
  {
    forbiddenCriticalOptions: (original) => (role, requested) => {
      const listed = entriesOf(role.allowed_critical_options)
      return Object.keys(requested).some((name) => listed.includes(name)) ? [] : original(role, requested)
    },
  },
)

core.rule(
  'frank-help-for-any-token',
  'CORE-HELP-05',
  'help of the engine is given to tokens without any permission on the path (000 1.7: ?help=1)',
  {
    ...locating,
    helpAllowed: (original) => (granted) => inSsh() || original(granted),
  },
)
