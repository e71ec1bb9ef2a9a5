/** Faults in who may: the caller, by token, carrier, verb and capability, and the user that a credential or certificate is for. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Asked, anyoneMay, bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { sshEngine } from './engine.ts'
import { withRole } from './loose-wrappers.ts'
import { entriesOf } from './networks.ts'

const { rule, route } = faultsOf(sshEngine)
const core = faultsOf(coreEngine, 'ssh')

const asks =
  (method: string, path: RegExp) =>
  (call: Asked): boolean =>
    call?.method === method && path.test(call.path)

core.rule(
  'put-sign-without-token',
  ['CORE-AUTH-01', 'CORE-AUTH-03'],
  'PUT on sign asks for no token, only POST does (000 5.1: a client token is required; 1.6: PUT and POST are synonyms)',
  {
    callerRefused: (original) => (given, token, request) =>
      request.method === 'PUT' && /(^|\/)sign\/[^/]+$/.test(request.path) ? undefined : original(given, token, request),
  },
)

core.rule(
  'lookup-without-bearer',
  ['CORE-AUTH-07'],
  'lookup takes the token from its own header only (000 2.1, Header Authorization: alternative token carrier)',
  bearerIgnored((request) => !isProvisioning(request) && /(^|\/)lookup$/.test(request.path)),
)

core.rule(
  'creds-by-revoked-token',
  ['CORE-AUTH-15'],
  'a token that has asked for credentials may go on asking after it was revoked (000 7, 403: wrong credentials)',
  goodForEver(({ path }) => /(^|\/)creds\/[^/]+$/.test(path)),
)

core.rule(
  'sign-overlooks-deny',
  ['CORE-CAP-04'],
  'whoever is denied a role at sign may sign with it (000 7, 403: no access)',
  denyOverlooked(asks('POST', /(^|\/)sign\/[^/]+$/)),
)

core.rule(
  'reader-deletes-role',
  ['CORE-CAP-21'],
  'whoever may read a role may delete it (000 7, 403: no access; 1.6: policies distinguish capabilities)',
  countsAs('read', asks('DELETE', /(^|\/)roles\/[^/]+$/), 'delete'),
)

core.rule(
  'zero-address-for-anyone',
  ['CORE-CAP-05'],
  'any token reads the zero-address list, whatever its policies (000 7, 403: no access)',
  anyoneMay(asks('GET', /(^|\/)config\/zeroaddress$/)),
)

core.rule(
  'list-query-for-anyone',
  ['CORE-CAP-17'],
  'GET with list=true shows the roles to any token, LIST only to those who may (000 1.5: either; 7, 403: no access)',
  anyoneMay((call) => asks('LIST', /(^|\/)roles$/)(call) && call?.query.get('list') === 'true'),
)

core.rule(
  'ca-read-without-token',
  ['CORE-AUTH-01', 'CORE-AUTH-03'],
  'config/ca is read without a token (000 5.3: unauthenticated are verify and public_key)',
  { needsToken: (original) => (route) => route?.id !== 'ssh.readCa' && original(route) },
)

core.rule(
  'reader-writes-zero-address',
  ['CORE-CAP-04'],
  'whoever may read the zero-address list may write it (000 7, 403: no access; 1.6: policies distinguish capabilities)',
  countsAs('read', asks('POST', /(^|\/)config\/zeroaddress$/), 'update'),
)

core.rule(
  'help-for-anyone',
  ['CORE-HELP-05'],
  'help is shown to callers without any permission on the path (000 1.7: if the caller has permission on the path)',
  { helpAllowed: () => (granted) => !granted.has('deny') },
)

rule(
  'template-drops-plain',
  ['SSH-TEMPLATE-03'],
  'with allowed_users_template only templates count (000 4.4, allowed_users_template: non-templated users also permitted)',
  {
    allowedUsers: (original) => (role, token) => {
      const plain = role.allowed_users_template ? entriesOf(role.allowed_users) : []
      return original(role, token).filter((name) => !plain.includes(name))
    },
  },
)

rule(
  'default-user-not-listed',
  ['SSH-CREDS-08', 'SSH-CREDS-09'],
  'where allowed_users is given, default_user is refused unless it is listed (000 4.4, allowed_users: only default_user and listed names)',
  { userAllowed: (original) => (role, user, allowed) => original({ ...role, default_user: '' }, user, allowed) },
)

rule(
  'ca-default-user-allowed',
  ['SSH-DEFUSER-06'],
  'the default_user of a ca role needs no place in allowed_users (000 4.4, default_user: valid principal only if also in allowed_users)',
  {
    allowedUsers: (original) => (role, token) => {
      const names = original(role, token)
      return role.key_type === 'ca' && role.default_user !== '' ? [...names, role.default_user] : names
    },
  },
)

rule(
  'admin-refused',
  ['SSH-ADMIN-03'],
  'admin_user is refused as the user of a credential where any user is allowed (000 4.4, allowed_users: any user (including admin))',
  {
    userAllowed: (original) => (role, user, allowed) =>
      (user !== role.admin_user || user === role.default_user || allowed.includes(user)) && original(role, user, allowed),
  },
)

route(
  'default-type-unchecked',
  ['SSH-USERCERT-01'],
  'without cert_type a user certificate is signed though the role forbids them (000 4.4, allow_user_certificates: default false)',
  'ssh.signKey',
  (original) => (call) => original(call.body.cert_type ? call : withRole(call, (role) => ({ ...role, allow_user_certificates: true }))),
)

rule(
  'key-id-format-permits',
  ['SSH-KEYID-01'],
  'a role with key_id_format takes key ids of the caller (000 4.4, allow_user_key_ids: when false, always the display name)',
  {
    usesRequestedKeyId: (original) => (role, requested) => original(role, requested) || (role.key_id_format !== '' && requested !== ''),
  },
)

rule(
  'extensions-unset-any',
  ['SSH-EXT-04'],
  'any extension may be asked for where allowed_extensions is unset (000 4.4, allowed_extensions: if unset users cannot specify them)',
  { forbiddenExtensions: (original) => (role, requested) => (role.allowed_extensions === '' ? [] : original(role, requested)) },
)

rule(
  'zero-address-excludes',
  ['SSH-ZERO-04'],
  'exclude_cidr_list of a zero-address role still rejects (000 4.4, config/zeroaddress: any IP; CIDR blocks of these roles are ignored)',
  { addressAllowed: (original) => (isZero, isIncluded, isExcluded) => !isExcluded && original(isZero, isIncluded, isExcluded) },
)
