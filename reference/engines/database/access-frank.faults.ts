/** Faults of who may ask: tokens and their carriers, verbs, capabilities, namespaces, allowed roles. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { databaseEngine } from './engine.ts'
import { asksDatabase, inDatabase, locating, STATIC_PATH } from './frank-help.ts'

const { rule } = faultsOf(databaseEngine)
const core = faultsOf(coreEngine, 'database')

const STATIC_CREDS = /(^|\/)static-creds\/[^/]+$/

core.rule(
  'frank-bearer-ignored-for-static-roles',
  'CORE-AUTH-07',
  'the operations of static roles take a token from the own header only (000 5.1: or in header Authorization as Bearer)',
  bearerIgnored(({ path }) => /(^|\/)static-roles(\/|$)/.test(path)),
)

core.rule(
  'frank-ended-token-reads-static-creds',
  'CORE-AUTH-15',
  'a token that was used for static credentials reads them after it was revoked or expired (001 intro: all endpoints require a client token)',
  goodForEver(({ path }) => STATIC_CREDS.test(path)),
)

core.rule(
  'frank-static-roles-listed-without-token',
  'CORE-AUTH-01',
  'static roles are listed without any token (001 intro: all endpoints require a client token unless marked UNAUTHENTICATED)',
  { needsToken: (original) => (asked) => original(asked) && asked?.id !== 'database.listStaticRoles' },
)

core.rule('frank-static-roles-not-by-put', 'CORE-WRITE-01', 'PUT does not write static roles (000 1.6: PUT and POST are synonyms)', {
  callerRefused: (original) => (given, token, request) =>
    original(given, token, request) ?? (request.method === 'PUT' && /(^|\/)static-roles\/[^/]+$/.test(request.path) ? 405 : undefined),
})

core.rule(
  'frank-reader-may-rotate',
  'CORE-CAP-04',
  'who may only read rotates static roles and root users (000 1.6: writes are create or update; 7: 403 no access)',
  countsAs('read', (call) => asksDatabase(call, /\/rotate-(role|root)\/[^/]+$/), 'update'),
)

core.rule(
  'frank-help-for-any-token',
  'CORE-HELP-05',
  'help is given to tokens without any permission on the path (000 1.7: if the caller has permission)',
  {
    ...locating,
    helpAllowed: (original) => (granted) => inDatabase() || original(granted),
  },
)

const allowedRequests = remembered(() => new Set<string>())

core.rule(
  'frank-permission-remembered-by-path',
  'CORE-CAP-21',
  'what one caller may do at a path, the next one may there, too (000 7: 403 forbidden, no access)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      if (!asksDatabase(call)) return original(granted, needed, call)
      const asked = `${needed} ${call.mount.namespace}${call.path}`
      const known = allowedRequests(call.services)
      if (original(granted, needed, call)) known.add(asked)
      return known.has(asked)
    },
  },
)

rule(
  'frank-star-within-name-allows-all',
  'DATABASE-ALLOWED-04',
  'an entry of allowed_roles that holds a star among other characters allows every role (001 4.1: `*` in the list allows any role)',
  { roleAllowed: (original) => (allowed, role) => original(allowed, role) || allowed.some((entry) => entry.includes('*')) },
)

rule(
  'frank-static-roles-allowed-by-any-entry',
  'DATABASE-ALLOWED-08',
  'a static role is made at a connection that allows another role only (001 4.1: `allowed_roles`, default [] no roles)',
  { staticRoleAllowed: (original) => (allowed, role) => allowed.length > 0 || original(allowed, role) },
)

core.rule(
  'frank-wrong-token-is-invalid-request',
  'CORE-AUTH-03',
  'a wrong token is answered with 400 at static credentials and rotations (000 7: 403 forbidden, wrong credentials)',
  {
    callerRefused: (original) => (given, token, request) => {
      const refused = original(given, token, request)
      return refused !== undefined && given !== undefined && STATIC_PATH.test(request.path) ? 400 : refused
    },
  },
)

core.rule(
  'frank-role-readers-get-password',
  'CORE-CAP-01',
  'who may read a static role may read its credentials (000 7: 403 no access, 404 when the caller may not view a path)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (STATIC_CREDS.test(path) && original(pattern, path.replace(/static-creds(?=\/[^/]+$)/, 'static-roles'))),
  },
)

core.rule(
  'frank-header-names-one-namespace',
  'CORE-NS-01',
  'of a namespace header with two levels the first counts (000 2.2: header ns1/ns2/ is equivalent to ns1/ with path ns2/...)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const first = header?.split('/').find((segment) => segment !== '')
      return original(STATIC_PATH.test(request.path) ? first : header, request, namespaces)
    },
  },
)
