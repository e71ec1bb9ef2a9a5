/** Faults of who may ask, by which carrier, in whose name. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Asked, anyoneMay, bearerIgnored, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { sshEngine } from './engine.ts'
import type { SshRules } from './rules.ts'

const { rule, route } = faultsOf(sshEngine, 'ssh')
const core = faultsOf(coreEngine, 'ssh')

/** Whether a request to an SSH mount goes to such a path. */
const isAt = (call: Asked, method: string, path: RegExp): boolean =>
  call !== undefined && 'signsFor' in call.rules && call.method === method && path.test(call.path)

const VERIFY = /(^|\/)verify$/
const PUBLIC_KEY = /(^|\/)public_key$/

core.rule(
  'fresh-verify-asks-for-capability-of-token',
  ['CORE-AUTH-18'],
  'verify refuses a caller who sends a token without capability on it, though it needs none (000 5.3: unauthenticated endpoints)',
  {
    needsToken: (original) => (found) => found?.id === 'ssh.verifyOtp' || original(found),
    callerRefused: (original) => (given, token, request) =>
      VERIFY.test(request.path) && token === undefined ? undefined : original(given, token, request),
  },
)

core.rule(
  'fresh-bearer-not-for-listing',
  ['CORE-AUTH-07'],
  'the listing of roles takes the token from its own header only, not from Authorization (000 2.1 and 5.1: Bearer <token>)',
  bearerIgnored(({ method, path, query }) => (method === 'LIST' || query.get('list') === 'true') && /(^|\/)roles\/?$/.test(path)),
)

core.rule(
  'fresh-list-by-get-asks-for-read',
  ['CORE-CAP-11'],
  'a listing by GET with list=true needs the capability read, where LIST needs list (000 1.5: either way of listing)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, isAt(call, 'LIST', /./) && call?.query.get('list') === 'true' ? 'read' : needed, call),
  },
)

core.rule(
  'fresh-ca-read-by-any-token',
  ['CORE-CAP-05'],
  'any token reads config/ca, without a capability on it (000 7: 403 no access; 5.3: only public_key is open to all)',
  anyoneMay((call) => isAt(call, 'GET', /\/config\/ca$/)),
)

core.rule(
  'fresh-ended-token-good-for-creds',
  ['CORE-AUTH-15'],
  'a token that got credentials once goes on getting them after its end (000 5.1: a client token is required; 7: 403)',
  goodForEver(({ path }) => /(^|\/)creds\/[^/]+$/.test(path)),
)

const expanded = remembered((): { users?: string[] } => ({}))

rule(
  'fresh-templates-of-first-caller',
  ['SSH-TEMPLATE-06'],
  'identity templates in allowed_users stand for the first caller of the role, for every later one, too (000 4.4: allowed_users_template)',
  {
    allowedUsers: (original) => (role, token) => {
      if (!role.allowed_users_template) return original(role, token)
      const known = expanded(role)
      known.users ??= original(role, token)
      return known.users
    },
  },
)

const keyIds = remembered(() => new Map<string, string>())

route(
  'fresh-key-id-of-first-caller',
  ['SSH-KEYID-03'],
  'a public key signed again for another caller keeps the key id of the first one (000 4.4: the key id is the token display name)',
  'ssh.signKey',
  (original) => (call) => {
    const defaultKeyId: SshRules['defaultKeyId'] = (role, facts) => {
      const known = keyIds(call.state)
      const of = `${facts.roleName}/${facts.publicKeyHash}`
      const id = known.get(of) ?? call.rules.defaultKeyId(role, facts)
      known.set(of, id)
      return id
    }
    return original({ ...call, rules: { ...call.rules, defaultKeyId } })
  },
)

rule(
  'fresh-own-name-always-signed',
  ['SSH-USERS-11'],
  'a caller gets a certificate for its own display name whatever the role lists (000 4.4: for ca an empty list allows no user)',
  {
    allowedUsers: (original) => (role, token) => [
      ...original(role, token),
      ...(role.key_type === 'ca' && token ? [token.displayName] : []),
    ],
  },
)

core.rule(
  'fresh-namespace-header-needs-token',
  ['CORE-NS-07'],
  'verify and public_key overlook the namespace header (000 2.2: header value followed by the request path)',
  {
    effectivePath: (original) => (header, request, namespaces) =>
      original(VERIFY.test(request.path) || PUBLIC_KEY.test(request.path) ? undefined : header, request, namespaces),
  },
)

core.rule(
  'fresh-read-is-enough-to-sign',
  ['CORE-CAP-04'],
  'a caller with nothing but read on the path gets keys signed (000 5.4 and 7: 403 no access)',
  countsAs('read', (call) => isAt(call, 'POST', /\/sign\/[^/]+$/)),
)

core.rule(
  'fresh-help-needs-read',
  ['CORE-HELP-08'],
  'help is refused to a caller who may write or list a path, but not read it (000 1.7: if the caller has permission on the path)',
  { helpAllowed: (original) => (granted) => original(granted) && granted.has('read') },
)
