/** Faults of who may ask for what: tokens and their carriers, capabilities, and what a role permits to whom. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { below } from './anew-help.ts'
import { sshEngine } from './engine.ts'

const { rule } = faultsOf(sshEngine, 'ssh')
const { rule: coreRule } = faultsOf(coreEngine, 'ssh')

coreRule(
  'later-deny-does-not-bind-listing',
  ['CORE-CAP-17'],
  'a denied caller lists the roles (000 7, 403: "no access", 404: "may not view a path"; 000 4.4, LIST roles)',
  denyOverlooked((call) => call?.method === 'LIST' && below(call) === 'roles'),
)

coreRule(
  'later-public-key-by-policy',
  ['CORE-AUTH-18'],
  'public_key refuses a caller who sends a token whose policies do not name it (000 5.3 and 4.4: "UNAUTHENTICATED")',
  {
    needsToken: (original) => (route) => original(route) || route?.id === 'ssh.readPublicKey',
    callerRefused: (original) => (given, token, request) =>
      /(^|\/)public_key$/.test(request.path) ? undefined : original(given, token, request),
  },
)

coreRule(
  'later-sign-without-bearer',
  ['CORE-AUTH-07'],
  'signing takes the token from its own header only (000 5.1: "or in header Authorization as Bearer <token>")',
  bearerIgnored(({ path }) => /(^|\/)sign\/[^/]+$/.test(path)),
)

rule(
  'later-blank-key-id',
  ['SSH-KEYID-03'],
  'where callers may choose the key id and give none, it is blank (000 4.4, key_id: "token display name when empty")',
  {
    usesRequestedKeyId: () => (role) => role.allow_user_key_ids,
  },
)

const expansions = remembered<{ names: string[] | undefined }>(() => ({ names: undefined }))

rule(
  'later-template-of-first-caller',
  ['SSH-TEMPLATE-06'],
  'templates in allowed_users stand for the first caller of the role, whoever asks later (000 4.4, allowed_users: "identity templates")',
  {
    allowedUsers: (original) => (role, token) => {
      if (!role.allowed_users_template) return original(role, token)
      const known = expansions(role)
      known.names ??= original(role, token)
      return known.names
    },
  },
)

rule(
  'later-default-user-not-listed',
  ['SSH-CREDS-08'],
  'the default user is refused where allowed_users does not list it (000 4.4: "only default_user and listed names")',
  {
    userAllowed: (original) => (role, user, allowed) =>
      original(role, user, allowed) && (allowed.length === 0 || allowed.includes('*') || allowed.includes(user)),
  },
)

rule(
  'later-host-role-signs-users',
  ['SSH-USERCERT-01'],
  'a role for host certificates signs user certificates (000 4.4, allow_user_certificates: default false)',
  {
    typeAllowed: (original) => (role, type) => original(role, type) || (type === 'user' && role.allow_host_certificates),
  },
)

rule(
  'later-subdomains-include-base',
  ['SSH-BARE-01'],
  'a role for subdomains signs for the listed domain itself (000 4.4, allow_bare_domains: "may use the listed base domains themselves")',
  {
    hostAllowed: (original) => (role, host) =>
      original({ ...role, allow_bare_domains: role.allow_bare_domains || role.allow_subdomains }, host),
  },
)

rule(
  'later-no-list-any-extension',
  ['SSH-EXT-04'],
  'without allowed_extensions any extension is signed (000 4.4: "if unset users cannot specify extensions")',
  {
    forbiddenExtensions: (original) => (role, requested) => (role.allowed_extensions === '' ? [] : original(role, requested)),
  },
)
