/** Faults of identity and access: who may ask, with what token and capability, and which names, ids and options a role permits. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Asked, bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'

const { rule, route } = faultsOf(sshEngine)
const core = faultsOf(coreEngine, 'ssh')

/** Whether a request of an SSH mount has this method and a path that ends so. */
const asks = (call: Asked, method: string, path: RegExp): boolean =>
  call !== undefined && call.method === method && path.test(call.path) && typeof call.state === 'object' && 'otps' in (call.state ?? {})

core.rule('swift-verify-needs-token', ['SSH-VERIFY-04'], 'verify asks for a token (000 4.4, POST verify: UNAUTHENTICATED)', {
  needsToken: (original) => (about) => about?.id === 'ssh.verifyOtp' || original(about),
})

core.rule(
  'swift-ca-read-without-token',
  ['CORE-AUTH-01', 'CORE-AUTH-03'],
  'config/ca is read without a token (000 5.3, unauthenticated endpoints: verify and public_key)',
  {
    needsToken: (original) => (about) => about?.id !== 'ssh.readCa' && original(about),
  },
)

core.rule(
  'swift-zero-list-not-by-bearer',
  ['CORE-AUTH-07'],
  'a bearer token is not taken on config/zeroaddress (000 5.1, Authorization as Bearer <token>)',
  bearerIgnored((request) => /(^|\/)config\/zeroaddress$/.test(request.path)),
)

core.rule(
  'swift-sign-with-read',
  ['CORE-CAP-04'],
  'who may only read a sign path may sign there (000 1.6 and 7, 403: forbidden)',
  countsAs('read', (call) => asks(call, 'POST', /\/sign\/[^/]+$/)),
)

core.rule(
  'swift-deny-overlooked-on-roles',
  ['CORE-CAP-01'],
  'a denied path of a role is read all the same (000 7, 403: forbidden)',
  denyOverlooked((call) => asks(call, 'GET', /\/roles\/[^/]+$/)),
)

core.rule(
  'swift-lookup-by-ended-token',
  ['CORE-AUTH-15'],
  'a token that was revoked or has expired is still good for lookup (000 1.3, a client token is required)',
  goodForEver((request) => /(^|\/)lookup$/.test(request.path) && !isProvisioning(request)),
)

rule(
  'swift-default-user-not-allowed',
  ['SSH-CREDS-08', 'SSH-CREDS-09'],
  'the default user of an otp role is refused where allowed_users does not name it (000 4.4, only default_user and listed names)',
  {
    userAllowed: (original) => (role, user, allowed) => original({ ...role, default_user: '' }, user, allowed),
  },
)

rule(
  'swift-admin-never-allowed',
  ['SSH-USERS-01'],
  'the admin user of a role is refused where allowed_users is empty (000 4.4, any user (including admin) is allowed)',
  {
    userAllowed: (original) => (role, user, allowed) =>
      original(role, user, allowed) && !(allowed.length === 0 && ['root', role.admin_user].includes(user) && user !== role.default_user),
  },
)

route(
  'swift-default-user-signed-for',
  ['SSH-DEFUSER-06'],
  'a ca role signs for its default_user though allowed_users does not name it (000 4.4, default_user: only if also in allowed_users)',
  'ssh.signKey',
  (original) => (call) => {
    const allowedUsers: typeof call.rules.allowedUsers = (role, token) => {
      const names = call.rules.allowedUsers(role, token)
      return role.default_user === '' ? names : [...names, role.default_user]
    }
    return original({ ...call, rules: { ...call.rules, allowedUsers } })
  },
)

rule(
  'swift-plain-users-beside-templates',
  ['SSH-TEMPLATE-03'],
  'with allowed_users_template set, plain names are not allowed (000 4.4, non-templated users also permitted)',
  {
    allowedUsers: (original) => (role, token) => {
      const plain = role.allowed_users_template ? entriesOf(role.allowed_users).filter((name) => !name.includes('{{')) : []
      return original(role, token).filter((name) => name === '*' || !plain.includes(name))
    },
  },
)

rule(
  'swift-key-id-beside-format',
  ['SSH-KEYID-01'],
  'a role with a key_id_format takes the caller’s key id (000 4.4, allow_user_key_ids: when false always the token display name)',
  {
    usesRequestedKeyId: (original) => (role, requested) => original(role, requested) || (role.key_id_format !== '' && requested !== ''),
  },
)

rule(
  'swift-domain-without-dot',
  ['SSH-SUBDOM-04'],
  'with allow_subdomains a host passes that merely ends like a listed domain (000 4.4, subdomains of listed domains)',
  {
    hostAllowed: (original) => (role, host) =>
      original(role, host) ||
      (role.allow_subdomains && entriesOf(role.allowed_domains).some((domain) => host !== domain && host.endsWith(domain))),
  },
)
