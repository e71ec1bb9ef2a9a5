/** Faults of who may ask for what: tokens and their carriers, policies, namespaces, users, and what a role permits to callers. */
import { coreEngine } from '../../core/core-engine.ts'
import { textOf } from '../../core/fields.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { bearerIgnored, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { remembered } from '../../mutations/remembering.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'
import { decidedPerCall } from './north-help.ts'

const { rule, route } = faultsOf(sshEngine, 'ssh')
const core = faultsOf(coreEngine, 'ssh')

core.rule(
  'north-ca-read-without-token',
  'CORE-AUTH-01',
  'config/ca shows the public key to callers without token, as public_key does (000 5.1, 5.3: a client token is required, unauthenticated are verify and public_key)',
  { needsToken: (original) => (asked) => original(asked) && asked?.id !== 'ssh.readCa' },
)

const verifying = requestsTo('ssh')
const isVerification = ({ path }: RequestFacts): boolean => verifying.here() && /(^|\/)verify$/.test(path)
core.rule(
  'north-verify-checks-given-token',
  'CORE-AUTH-18',
  'verify refuses a caller whose token is bad or has no right to it, but takes one without token (000 4.4, 5.3: verify is UNAUTHENTICATED)',
  {
    ...verifying.locating,
    needsToken: (original) => (asked) => original(asked) || asked?.id === 'ssh.verifyOtp',
    callerRefused: (original) => (given, token, request) =>
      given === undefined && isVerification(request) ? undefined : original(given, token, request),
  },
)

const writing = requestsTo('ssh')
core.rule(
  'north-bearer-ignored-in-writes',
  'CORE-AUTH-07',
  'writes take the token from the own header only (000 5.1: or in header Authorization as Bearer)',
  { ...writing.locating, ...bearerIgnored(({ method }) => writing.here() && /^(POST|PUT)$/.test(method)) },
)

const helping = requestsTo('ssh')
core.rule(
  'north-help-for-anyone',
  'CORE-HELP-05',
  'every token gets the help of paths on which it has no permission (000 1.7: if the caller has permission on the path)',
  { ...helping.locating, helpAllowed: (original) => (granted) => helping.here() || original(granted) },
)

const signing = requestsTo('ssh')
core.rule(
  'north-ended-token-signs-on',
  'CORE-AUTH-15',
  'a token that was used for signing is good for it after its end (000 5.1: a client token is required; 7: 403)',
  { ...signing.locating, ...goodForEver(({ path }) => signing.here() && /(^|\/)sign\/[^/]+$/.test(path)) },
)

const firstCallers = remembered(() => new Map<string, string>())
route(
  'north-key-id-of-first-caller',
  'SSH-KEYID-03',
  'the default key id of a role is the display name of the token that signed with it first (000 4.4 sign parameters: key_id, token display name when empty)',
  'ssh.signKey',
  decidedPerCall((call) => ({
    defaultKeyId: (role, facts) => {
      if (role.key_id_format !== '') return call.rules.defaultKeyId(role, facts)
      const known = firstCallers(call.state)
      const first = known.get(facts.roleName) ?? facts.displayName
      known.set(facts.roleName, first)
      return first
    },
  })),
)

route(
  'north-key-id-free-for-hosts',
  'SSH-KEYID-01',
  'host certificates carry the key id of the caller without permission (000 4.4 role parameters: allow_user_key_ids, when false the key id is always the token display name)',
  'ssh.signKey',
  decidedPerCall((call) => ({
    usesRequestedKeyId: (role, requested) =>
      call.rules.usesRequestedKeyId(role, requested) || (requested !== '' && textOf(call.body, 'cert_type') === 'host'),
  })),
)

route(
  'north-user-certificates-by-default',
  'SSH-USERCERT-01',
  'without cert_type a user certificate is signed by a role that signs none (000 4.4 role parameters: allow_user_certificates, default false; cert_type, default user)',
  'ssh.signKey',
  decidedPerCall((call) => ({
    typeAllowed: (role, type) => call.rules.typeAllowed(role, type) || textOf(call.body, 'cert_type') === '',
  })),
)

rule(
  'north-default-extensions-count-as-allowed',
  'SSH-EXT-04',
  'without allowed_extensions users choose among the default ones (000 4.4 role parameters: allowed_extensions, if unset users cannot specify extensions and get default_extensions)',
  {
    forbiddenExtensions: (original) => (role, requested) =>
      role.allowed_extensions === ''
        ? Object.keys(requested).filter((name) => !Object.hasOwn(role.default_extensions, name))
        : original(role, requested),
  },
)

rule(
  'north-admin-not-any-user',
  'SSH-KEYNAME-03',
  'the admin user is refused where allowed_users is empty (000 4.4 role parameters: allowed_users, any user including admin is allowed)',
  {
    userAllowed: (original) => (role, user, allowed) =>
      original(role, user, allowed) && (allowed.length > 0 || role.admin_user === '' || user !== role.admin_user),
  },
)

rule(
  'north-plain-names-beside-templates',
  'SSH-TEMPLATE-03',
  'where allowed_users holds a template, names beside it do not count (000 4.4 role parameters: allowed_users_template, non-templated users also permitted)',
  {
    allowedUsers: (original) => (role, token) => {
      const templates = entriesOf(role.allowed_users).filter((name) => name.includes('{{'))
      const expanded = original({ ...role, allowed_users: templates.join(',') }, token)
      return role.allowed_users_template && expanded.length > 0 ? expanded : original(role, token)
    },
  },
)

core.rule(
  'north-public-key-of-root-namespace',
  'CORE-NS-01',
  'the unauthenticated public_key overlooks the namespace header (000 2.2: the effective path is the header value followed by the path)',
  {
    effectivePath: (original) => (header, request, namespaces) =>
      original(request.method === 'GET' && /(^|\/)public_key$/.test(request.path) ? undefined : header, request, namespaces),
  },
)
