/** Faults in who asks, with what token, and for whom. */
import { coreEngine } from '../../core/core-engine.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { type Asked, bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'
import { asIf } from './wrappers.ts'

const { rule } = faultsOf(sshEngine)

const { rule: core } = faultsOf(coreEngine, 'ssh')

const isOpen = ({ path }: Pick<RequestFacts, 'path'>): boolean => /\/(verify|public_key)$/.test(path)

core('access-open-routes-judge', ['CORE-AUTH-17'], 'the unauthenticated routes refuse a token that is carried but not good (000 5.3)', {
  needsToken: (original) => (route) => original(route) || route?.id === 'ssh.verifyOtp' || route?.id === 'ssh.readPublicKey',
  callerRefused: (original) => (given, token, request) =>
    isOpen(request) && given === undefined ? undefined : original(given, token, request),
})

const isSsh = (call: Asked): call is NonNullable<Asked> => call !== undefined && 'consumeOtp' in call.rules

core('access-list-anyone', ['CORE-CAP-17'], 'every good token may list the roles (000 1.6 and 7, status 403)', {
  capabilityGranted: (original) => (granted, needed, call) => (needed === 'list' && isSsh(call)) || original(granted, needed, call),
})

core('access-lookup-anyone', ['CORE-CAP-04'], 'every good token may look up the roles of an address (000 7, status 403)', {
  capabilityGranted: (original) => (granted, needed, call) =>
    (isSsh(call) && call.path.endsWith('/lookup')) || original(granted, needed, call),
})

core('access-creds-by-read', ['CORE-CAP-04'], 'whoever may read at creds/ gets a credential by POST (000 1.6, capabilities)', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, isSsh(call) && call.path.includes('/creds/') && granted.has('read') ? 'read' : needed, call),
})

core(
  'access-delete-by-create',
  ['CORE-CAP-13'],
  'whoever may create a role may delete it (000 1.6, capabilities)',
  countsAs('create', isSsh, 'delete'),
)

core(
  'access-deny-overlooked',
  ['CORE-CAP-04'],
  'a policy that denies is overlooked at sign/ (000 7, status 403)',
  denyOverlooked((call) => isSsh(call) && call.path.includes('/sign/')),
)

core(
  'access-ended-token-signs',
  ['CORE-AUTH-15'],
  'a token that signed while it was good signs on after it was revoked (000 5.1, token required)',
  goodForEver(({ path }) => path.includes('/sign/')),
)

core(
  'access-bearer-not-for-writes',
  ['CORE-AUTH-07'],
  'Authorization: Bearer is not looked at on writes of roles and on sign (000 2.1, alternative carrier)',
  bearerIgnored(({ method, path }) => /^(POST|PUT)$/.test(method) && /\/(roles|sign)\/[^/]+$/.test(path)),
)

const firstName = new Map<string, string>()

rule(
  'access-key-id-of-first-caller',
  ['SSH-KEYID-03'],
  'the key id is the display name of the first caller of the role (000 4.4, key id is the token display name)',
  {
    defaultKeyId: (original) => (role, facts) => {
      const displayName = firstName.get(facts.roleName) ?? facts.displayName
      firstName.set(facts.roleName, displayName)
      return original(role, { ...facts, displayName })
    },
  },
)

rule(
  'access-ca-default-user',
  ['SSH-DEFUSER-06'],
  'the default user of a ca role may be asked for though it is not among the allowed users (000 4.4, default_user)',
  {
    allowedUsers: (original) => (role, token) =>
      role.key_type === 'ca' && role.default_user !== '' ? [...original(role, token), role.default_user] : original(role, token),
  },
)

rule('access-otp-no-root', ['SSH-USERS-01'], 'root must be listed where allowed_users is empty (000 4.4, any user including admin)', {
  userAllowed: (original) => (role, user, allowed) => original(role, user, allowed) && !(user === 'root' && allowed.length === 0),
})

rule(
  'access-template-unasked',
  ['SSH-TEMPLATE-01'],
  'templates in allowed_users stand for the caller also where they are not enabled (000 4.4, allowed_users_template)',
  {
    allowedUsers: (original) => asIf(() => ({ allowed_users_template: true }), original),
  },
)

rule(
  'access-template-only',
  ['SSH-TEMPLATE-03'],
  'where templates are enabled plain names are no longer allowed (000 4.4, non-templated users also permitted)',
  {
    allowedUsers: (original) =>
      asIf(
        (role) =>
          role.allowed_users_template
            ? {
                allowed_users: entriesOf(role.allowed_users)
                  .filter((name) => name.includes('{{'))
                  .join(','),
              }
            : {},
        original,
      ),
  },
)

rule('access-either-type', ['SSH-USERCERT-01'], 'a role that signs for hosts signs for users too (000 4.4, allow_user_certificates)', {
  typeAllowed: (original) => (role, type) => original(role, type) || (type === 'user' && role.allow_host_certificates),
})

rule(
  'access-domain-suffix',
  ['SSH-SUBDOM-04'],
  'a host whose name only ends in the letters of a listed domain counts as its subdomain (000 4.4, allow_subdomains)',
  {
    hostAllowed: (original) => (role, host) =>
      original(role, host) ||
      (role.allow_subdomains && entriesOf(role.allowed_domains).some((domain) => host !== domain && host.endsWith(domain))),
  },
)
