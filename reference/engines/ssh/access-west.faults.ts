/** Faults of who may ask and for whom: tokens and their carriers, namespaces, users, principals, kinds of certificate. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'
import { isSsh, roleIn, withRules } from './west-help.ts'

const { rule, route } = faultsOf(sshEngine, 'ssh')
const core = faultsOf(coreEngine, 'ssh')
const { here, locating } = requestsTo('ssh')

core.rule(
  'west-no-bearer-for-lists',
  'CORE-AUTH-07',
  'a listing does not take its token from the header Authorization (000 5.1: in X-Service-Token or in Authorization)',
  {
    ...locating,
    ...bearerIgnored((request) => here() && (request.method === 'LIST' || request.query.get('list') === 'true')),
  },
)

let verb = ''

core.rule(
  'west-put-needs-token',
  'CORE-WRITE-01',
  'verification by PUT asks for a token, while POST does not (000 1.6: PUT and POST are synonyms; 4.4: verify, UNAUTHENTICATED)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      verb = request.method
      return original(header, request, namespaces)
    },
    needsToken: (original) => (operation) => original(operation) || (operation?.id === 'ssh.verifyOtp' && verb === 'PUT'),
  },
)

core.rule(
  'west-deny-overlooked-in-signing',
  'CORE-CAP-04',
  'a token that is denied the path of a role may sign with it (000 7: 403 forbidden, no access; 5: access policies)',
  denyOverlooked((call) => call !== undefined && isSsh(call) && call.path.slice(call.mount.path.length).startsWith('sign/')),
)

core.rule(
  'west-signer-token-cached',
  'CORE-AUTH-15',
  'a token that was asked about for signing keeps signing after its revocation (000 5.1: a client token is required; 7: 403)',
  {
    ...locating,
    // A record of each server, for an override is made for each.
    callerRefused: (original) => goodForEver((request) => here() && /\/sign\/[^/]+$/.test(request.path)).callerRefused(original),
  },
)

rule(
  'west-default-user-not-listed',
  'SSH-CREDS-08',
  'with allowed_users set the default user gets credentials only if listed, too (000 4.4: allowed_users, default_user and listed names)',
  {
    userAllowed: (original) => (role, user, allowed) =>
      original(role, user, allowed) && (allowed.length === 0 || allowed.includes('*') || allowed.includes(user)),
  },
)

route(
  'west-default-user-is-principal',
  'SSH-DEFUSER-06',
  'a ca role signs for its default user whoever is allowed (000 4.4: default_user, for ca valid principal only if also in allowed_users)',
  'ssh.signKey',
  (original) => (call) => {
    const own = roleIn(call)?.default_user ?? ''
    const principalAllowed: typeof call.rules.principalAllowed = (user, allowed) =>
      (own !== '' && user === own) || call.rules.principalAllowed(user, allowed)
    return original(withRules(call, { principalAllowed }))
  },
)

rule(
  'west-templates-alone',
  'SSH-TEMPLATE-03',
  'where templates are enabled plain names no longer count (000 4.4: allowed_users_template, non-templated users also permitted)',
  {
    allowedUsers: (original) => (role, token) => {
      const all = original(role, token)
      const names = entriesOf(role.allowed_users)
      return role.allowed_users_template ? all.filter((name) => name === '*' || !names.includes(name)) : all
    },
  },
)

rule(
  'west-format-lets-ids-through',
  'SSH-KEYID-01',
  "a role with a key_id_format takes the caller's key id though it allows none (000 4.4: allow_user_key_ids)",
  {
    usesRequestedKeyId: (original) => (role, requested) => original(role, requested) || (role.key_id_format !== '' && requested !== ''),
  },
)

rule(
  'west-host-roles-sign-users',
  'SSH-USERCERT-01',
  'a role that allows host certificates only signs user certificates as well (000 4.4: allow_user_certificates, default false)',
  { typeAllowed: (original) => (role, type) => original(role, type) || (type === 'user' && role.allow_host_certificates) },
)

rule(
  'west-any-domain-bound-to-subdomains',
  'SSH-SIGN-23',
  'allowed_domains * counts only where subdomains are allowed (000 4.4: allowed_domains, * allows any)',
  {
    hostAllowed: (original) => (role, host) => {
      const domains = entriesOf(role.allowed_domains).filter((domain) => role.allow_subdomains || domain !== '*')
      return original({ ...role, allowed_domains: domains.join(',') }, host)
    },
  },
)

core.rule(
  'west-help-for-all-tokens',
  'CORE-HELP-05',
  'help about SSH paths is given to tokens without any permission on them (000 1.7: if the caller has permission on the path)',
  { ...locating, helpAllowed: (original) => (granted) => here() || original(granted) },
)

core.rule(
  'west-ca-read-without-token',
  'CORE-CAP-14',
  'config/ca is read without a token (000 5.3: only POST verify and GET public_key are unauthenticated)',
  { needsToken: (original) => (operation) => original(operation) && operation?.id !== 'ssh.readCa' },
)
