/** Faults of who may ask for what: tokens and their carriers, capabilities, and what a role allows to whom. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Token } from '../../core/tokens.ts'
import { countsAs, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { isSsh, type SshCall } from './east-help.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'

const { rule, route } = faultsOf(sshEngine, 'ssh')
const core = faultsOf(coreEngine, 'ssh')

let carriesToken = false
core.rule(
  'east-token-checked-though-not-needed',
  'CORE-AUTH-18',
  'whoever sends a token for the public key needs a good one with the capability (000 5.3: GET /ssh/public_key is unauthenticated)',
  {
    // What it finds holds until the request waits for the first time; `needsToken` is asked before.
    effectivePath: (original) => (header, request, namespaces) => {
      carriesToken = Object.keys(request.headers).some((name) => name === 'authorization' || name.endsWith('-token'))
      return original(header, request, namespaces)
    },
    needsToken: (original) => (asked) => original(asked) || (asked?.id === 'ssh.readPublicKey' && carriesToken),
  },
)

const byBearer = ({ headers, token }: SshCall): boolean =>
  token !== undefined && !Object.keys(headers).some((name) => name.endsWith('-token')) && headers.authorization !== undefined

route(
  'east-bearer-without-name',
  'CORE-AUTH-07',
  'certificates for callers with a bearer token lack the display name (000 2.1: Authorization, alternative carrier; 4.4: key_id)',
  'ssh.signKey',
  (original) => (call) => original(byBearer(call) && call.token ? { ...call, token: { ...call.token, displayName: 'token' } } : call),
)

core.rule(
  'east-deny-overlooked-at-creds',
  'CORE-CAP-04',
  'whoever is denied a path of creds gets credentials there (000 7: 403, forbidden; 4.4: POST creds/:name)',
  denyOverlooked((call) => isSsh(call) && call.method === 'POST' && /\/creds\/[^/]+$/.test(call.path)),
)

core.rule(
  'east-reader-replaces-ca',
  'CORE-CAP-04',
  'whoever may read the CA may replace it (000 5.4: capabilities; 7: 403, forbidden; 4.4: POST config/ca)',
  countsAs('read', (call) => isSsh(call) && call.path.endsWith('/config/ca'), 'update'),
)

const sshRequests = requestsTo('ssh')
core.rule(
  'east-ended-token-looks-up',
  'CORE-AUTH-15',
  'a token that has looked up roles may do so after its end (000 5.1: a client token is required)',
  {
    ...sshRequests.locating,
    callerRefused: (original) => {
      const seen = new Set<string>()
      return (given, token, request) => {
        if (given === undefined || !sshRequests.here() || !request.path.endsWith('/lookup')) return original(given, token, request)
        if (token) seen.add(given)
        return seen.has(given) ? undefined : original(given, token, request)
      }
    },
  },
)

core.rule(
  'east-help-for-everyone',
  'CORE-HELP-05',
  'help of SSH paths is shown to callers without any permission there (000 1.7: if the caller has permission on the path)',
  { ...sshRequests.locating, helpAllowed: (original) => (granted) => sshRequests.here() || original(granted) },
)

rule(
  'east-admin-always-allowed',
  'SSH-USERS-12',
  'a dynamic role issues for its admin user though allowed_users does not list it (000 4.4: only default_user and listed names)',
  {
    userAllowed: (original) => (role, user, allowed) =>
      (role.key_type === 'dynamic' && user === role.admin_user) || original(role, user, allowed),
  },
)

rule(
  'east-templates-only',
  'SSH-TEMPLATE-03',
  'with allowed_users_template the names that are no templates are dropped (000 4.4: non-templated users also permitted)',
  {
    allowedUsers: (original) => (role, token: Token | undefined) => {
      if (!role.allowed_users_template) return original(role, token)
      const templates = entriesOf(role.allowed_users).filter((entry) => entry.includes('{{'))
      return original({ ...role, allowed_users: templates.join(',') }, token)
    },
  },
)

rule(
  'east-one-good-principal',
  'SSH-USERS-11',
  'after a principal that is allowed any other is signed, too (000 4.4: allowed_users, otherwise only listed names; valid_principals)',
  {
    principalAllowed: (original) => {
      // The list of a request is an array of its own.
      const passed = new WeakSet<string[]>()
      return (user, allowed) => {
        if (!passed.has(allowed) && !original(user, allowed)) return false
        passed.add(allowed)
        return true
      }
    },
  },
)

rule(
  'east-subdomains-include-the-domain',
  'SSH-BARE-01',
  'allow_subdomains permits the base domain itself, too (000 4.4: allow_bare_domains, may use the listed base domains themselves)',
  {
    hostAllowed: (original) => (role, host) =>
      original(role, host) || (role.allow_subdomains && entriesOf(role.allowed_domains).includes(host)),
  },
)

rule(
  'east-default-extensions-requested',
  'SSH-EXT-04',
  'where users may specify no extensions they may still choose among the defaults (000 4.4: allowed_extensions, get default_extensions)',
  {
    forbiddenExtensions: (original) => (role, requested) =>
      original(role, requested).filter((name) => role.allowed_extensions !== '' || !Object.hasOwn(role.default_extensions, name)),
  },
)

rule(
  'east-key-id-where-formatted',
  'SSH-KEYID-01',
  'a role with key_id_format takes any key id from callers (000 4.4: allow_user_key_ids, when false always the token display name)',
  {
    usesRequestedKeyId: (original) => (role, requested) => original(role, requested) || (role.key_id_format !== '' && requested !== ''),
  },
)
