/** Faults of the SSH engine: who asks, and who may. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, countsAs } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { below } from './anew-help.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'

const { rule } = faultsOf(sshEngine, 'ssh')
const core = faultsOf(coreEngine, 'ssh')

core.rule(
  'anew-config-ca-read-by-anyone',
  ['CORE-AUTH-01'],
  'GET config/ca answers without a token, as public_key does (000 5.3: only verify and public_key are unauthenticated)',
  { needsToken: (original) => (route) => route?.id !== 'ssh.readCa' && original(route) },
)

core.rule(
  'anew-lookup-by-anyone',
  ['CORE-AUTH-01'],
  'POST lookup answers without a token, as verify does (000 5.3: only verify and public_key are unauthenticated)',
  { needsToken: (original) => (route) => route?.id !== 'ssh.lookupRoles' && original(route) },
)

core.rule(
  'anew-public-key-refused-to-strangers',
  ['CORE-AUTH-18'],
  'A caller who sends a token without a policy for public_key is refused it (000 4.4: GET public_key is UNAUTHENTICATED)',
  {
    needsToken: (original) => (route) => route?.id === 'ssh.readPublicKey' || original(route),
    callerRefused: (original) => (given, token, request) =>
      token === undefined && request.method === 'GET' && /(^|\/)public_key$/.test(request.path)
        ? undefined
        : original(given, token, request),
  },
)

core.rule(
  'anew-listing-with-any-rule',
  ['CORE-CAP-17'],
  'Whoever has any rule for the role listing, even `deny`, may list (000 7: 403 "no access"; 5: access policies)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      needed === 'list' && below(call) === 'roles' ? granted.size > 0 : original(granted, needed, call),
  },
)

core.rule(
  'anew-readers-may-sign',
  ['CORE-CAP-04'],
  'A policy that grants only `read` lets its holder have keys signed (000 1.6: writes need the `create` or `update` capability)',
  countsAs('read', (call) => below(call).startsWith('sign/'), 'update'),
)

core.rule(
  'anew-sudo-counts-as-all',
  ['CORE-CAP-01'],
  'A policy that grants only `sudo` counts as every capability on SSH paths (000 5.4: sudo is an elevation beside the capabilities)',
  countsAs('sudo', (call) => below(call) !== ''),
)

core.rule(
  'anew-deleting-pair-needs-sudo',
  ['CORE-CAP-22'],
  'DELETE config/ca is refused to a caller with `delete` but without `sudo` (000 5.4: this row does not ask for it)',
  { needsSudo: (original) => (route) => route.id === 'ssh.deleteCa' || original(route) },
)

core.rule(
  'anew-policy-names-without-case',
  ['CORE-CAP-04'],
  'A policy for the role `web` also covers credentials and signatures of `Web` (000 5: access policies; 7: 403)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (/(^|\/)(creds|sign)\/[^/]+$/.test(path) && original(pattern.toLowerCase(), path.toLowerCase())),
  },
)

core.rule(
  'anew-policy-path-as-prefix',
  ['CORE-CAP-18'],
  'A policy without a wildcard for the role or key `web` also covers `web-2` (000 5: access policies; 7: 403)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (/(^|\/)(keys|creds|sign)\/[^/*+]+$/.test(pattern) && path.startsWith(pattern)),
  },
)

core.rule(
  'anew-glob-beats-exact-path',
  ['CORE-CAP-01', 'CORE-CAP-04'],
  'Allowed `creds/*` lets a caller through where another rule denies the exact role (000 5: access policies; 7: 403)',
  {
    patternPriority: (original) => (a, b) => {
      const order = original(a, b)
      return [a, b].every((pattern) => /\/creds\//.test(pattern)) ? -order : order
    },
  },
)

core.rule(
  'anew-ended-token-still-issues',
  ['CORE-AUTH-15'],
  'A token that was good for credentials or lookups once stays good for them after its end (000 5.1: a client token is required)',
  {
    callerRefused: (original) => {
      const seen = new Set<string>()
      return (given, token, request) => {
        const refused = original(given, token, request)
        if (given === undefined || isProvisioning(request) || !/(^|\/)(creds\/[^/]+|lookup)$/.test(request.path)) return refused
        if (token) seen.add(given)
        return seen.has(given) ? undefined : refused
      }
    },
  },
)

core.rule(
  'anew-bearer-cannot-delete',
  ['CORE-AUTH-07'],
  'Deletions do not find a token in the Authorization header (000 2.1 and 5.1: `Authorization` as `Bearer <token>`)',
  bearerIgnored(
    (request) =>
      request.method === 'DELETE' &&
      !isProvisioning(request) &&
      /(^|\/)(keys\/[^/]+|roles\/[^/]+|config\/ca|config\/zeroaddress)$/.test(request.path),
  ),
)

rule(
  'anew-default-user-always-principal',
  ['SSH-DEFUSER-06'],
  'A ca role signs for its `default_user` that `allowed_users` does not list (000 4.4: "valid principal only if also in `allowed_users`")',
  {
    allowedUsers: (original) => (role, token) => {
      const allowed = original(role, token)
      return role.key_type === 'ca' && role.default_user !== '' ? [...allowed, role.default_user] : allowed
    },
  },
)

rule(
  'anew-admin-user-always-allowed',
  ['SSH-USERS-12'],
  'Credentials for `admin_user` are issued where `allowed_users` lists others (000 4.4: "otherwise only `default_user` and listed names")',
  {
    userAllowed: (original) => (role, user, allowed) =>
      original(role, user, allowed) || (role.admin_user !== '' && user === role.admin_user),
  },
)

rule(
  'anew-default-user-must-be-listed',
  ['SSH-CREDS-08'],
  'The `default_user` is refused where `allowed_users` lists only others (000 4.4: "otherwise only `default_user` and listed names")',
  {
    userAllowed: (original) => (role, user, allowed) =>
      original(role, user, allowed) && (allowed.length === 0 || allowed.includes('*') || allowed.includes(user)),
  },
)

rule(
  'anew-format-permits-own-key-id',
  ['SSH-KEYID-01'],
  'A role with a `key_id_format` puts the requested id into the certificate (000 4.4: false `allow_user_key_ids`)',
  {
    usesRequestedKeyId: (original) => (role, requested) => original(role, requested) || (requested !== '' && role.key_id_format !== ''),
  },
)

rule(
  'anew-domains-permit-host-certificates',
  ['SSH-HOSTCERT-01'],
  'A role with `allowed_domains` signs host certificates without `allow_host_certificates` (000 4.4: default false)',
  { typeAllowed: (original) => (role, type) => original(role, type) || (type === 'host' && role.allowed_domains !== '') },
)

rule(
  'anew-subdomains-include-bare',
  ['SSH-BARE-01'],
  '`allow_subdomains` lets a host use the listed domain itself (000 4.4: `allow_bare_domains` default false)',
  {
    hostAllowed: (original) => (role, host) =>
      original(role, host) || (role.allow_subdomains && entriesOf(role.allowed_domains).includes(host)),
  },
)

rule(
  'anew-default-options-held-to-list',
  ['SSH-DEFCRIT-03'],
  'Default critical options that the allowed list lacks are left out (000 4.4: "not restricted by allowed list")',
  {
    criticalOptions: (original) => (role, requested) => {
      const forbidden = Object.keys(requested).length === 0 && role.allowed_critical_options !== ''
      const allowed = entriesOf(role.allowed_critical_options)
      const options = original(role, requested)
      return forbidden ? Object.fromEntries(Object.entries(options).filter(([name]) => allowed.includes(name))) : options
    },
  },
)

rule(
  'anew-unset-extensions-allow-any',
  ['SSH-EXT-04'],
  'Where `allowed_extensions` is unset, requested ones come into the certificate (000 4.4: "if unset users cannot specify extensions")',
  { forbiddenExtensions: (original) => (role, requested) => (role.allowed_extensions === '' ? [] : original(role, requested)) },
)

rule(
  'anew-unlisted-kinds-signed',
  ['SSH-KEYLEN-03'],
  'Keys of a kind that `allowed_user_key_lengths` does not name are signed (000 4.4: "key types and sizes the CA role may sign")',
  {
    keyLengthAllowed: (original) => (lengths, key) =>
      original(lengths, key) ||
      ![key.kind, key.algorithm, key.kind === 'ecdsa' ? 'ec' : key.kind].some((name) => Object.hasOwn(lengths, name)),
  },
)
