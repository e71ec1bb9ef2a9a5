/** Faults of who may ask: tokens and their carriers, capabilities, sudo and deny, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { anyoneMay, bearerIgnored, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { goesTo, nameOf, withRules } from './amber-help.ts'
import { databaseEngine } from './engine.ts'
import type { StaticRole } from './state.ts'

const { route, change } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')

const isRoot = (policies: readonly string[] | undefined): boolean => policies?.includes('root') === true

core.rule(
  'amber-static-creds-for-any-token',
  'CORE-CAP-14',
  'any valid token that is not denied reads static credentials, whatever its policies (000 7: 403 forbidden, no access)',
  anyoneMay((call) => goesTo(call, 'static-creds/')),
)

core.rule(
  'amber-deny-not-asked-with-list-true',
  'CORE-CAP-17',
  'deny does not hold for listings that are asked for with GET and list=true (000 1.5, 7: either form of listing, 403 without access)',
  denyOverlooked((call) => goesTo(call) && call?.method === 'LIST' && call.query.get('list') === 'true'),
)

core.rule('amber-root-rotation-needs-sudo', 'CORE-CAP-06', 'rotate-root asks for sudo (000 5.4, 001 4.1: rotate-root is not marked so)', {
  needsSudo: (original) => (facts) => facts.id === 'database.rotateRoot' || original(facts),
})

const listings = requestsTo('database')

core.rule(
  'amber-bearer-not-for-listings',
  'CORE-AUTH-07',
  'a bearer token is not seen in listings (000 5.1: or in Authorization as Bearer)',
  {
    ...listings.locating,
    ...bearerIgnored(({ method, query }) => listings.here() && (method === 'LIST' || query.get('list') === 'true')),
  },
)

const credentials = requestsTo('database')

core.rule(
  'amber-revoked-token-gets-creds',
  'CORE-AUTH-15',
  'a token that got credentials before it was revoked still gets some (000 5.1: a client token is required; 7: 403 wrong credentials)',
  { ...credentials.locating, ...goodForEver(({ path }) => credentials.here() && path.includes('/creds/')) },
)

core.rule(
  'amber-reset-without-token',
  'CORE-AUTH-01',
  'a connection can be reset without any token (001 introduction: all endpoints require a client token unless marked UNAUTHENTICATED)',
  { needsToken: (original) => (facts) => facts?.id !== 'database.resetConnection' && original(facts) },
)

const helped = requestsTo('database')

core.rule(
  'amber-help-for-anyone',
  'CORE-HELP-05',
  'help is given on paths that the caller has no permission for (000 1.7: if the caller has permission)',
  {
    ...helped.locating,
    helpAllowed: (original) => (granted) => (helped.here() && !granted.has('deny')) || original(granted),
  },
)

let headerNamespace = ''

core.rule(
  'amber-namespace-split-over-header-and-path',
  'CORE-NS-02',
  'nothing is found when one part of the namespace is in the header and the rest in the path (000 2.2: header <ns1>/, path <ns2>/...)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const segments = (header ?? '').split('/').filter((segment) => segment !== '')
      headerNamespace = segments.map((segment) => `${segment}/`).join('')
      return original(header, request, namespaces)
    },
    mountsSeen: (original) => (all, namespace) => {
      const isSplit = headerNamespace !== '' && namespace !== headerNamespace
      return original(all, namespace).filter((mount) => !(isSplit && mount.engine.type === 'database'))
    },
  },
)

const writers = new WeakMap<StaticRole, string | undefined>()

change(
  'amber-static-creds-for-their-writer',
  'CORE-CAP-03',
  'static credentials are refused to tokens that may read them, but did not write the role (001 4.1: GET static-creds/:name)',
  {
    routes: {
      'database.writeStaticRole': (original) => async (call) => {
        const reply = await original(call)
        const role = call.state.staticRoles.get(nameOf(call))
        if (role) writers.set(role, call.token?.id)
        return reply
      },
      'database.readStaticCreds': (original) => (call) => {
        const role = call.state.staticRoles.get(nameOf(call))
        const isOthers = role !== undefined && writers.get(role) !== call.token?.id && !isRoot(call.token?.policies)
        if (isOthers) throw new ApiError(403, 'permission denied')
        return original(call)
      },
    },
  },
)

route(
  'amber-root-token-beyond-allowed-roles',
  'DATABASE-ALLOWED-02',
  'a root token gets credentials of roles that are not in allowed_roles (001 4.1: allowed_roles, * allows any role, default none)',
  'database.readCreds',
  (original) => (call) => original(isRoot(call.token?.policies) ? withRules(call, { roleAllowed: () => true }) : call),
)

const strangers = requestsTo('database')

core.rule(
  'amber-wrong-token-401',
  'CORE-AUTH-03',
  'a token that was never issued is refused with 401 (000 7: 403 forbidden, wrong credentials)',
  {
    ...strangers.locating,
    callerRefused: (original) => (given, token, request) => {
      const status = original(given, token, request)
      return status === 403 && given !== undefined && strangers.here() ? 401 : status
    },
  },
)

const rotations = requestsTo('database')

core.rule(
  'amber-rotates-before-it-refuses',
  'CORE-AUTH-04',
  'rotate-role without a token is refused, but the password is rotated (000 5.1: a client token is required; a refusal has no effect)',
  {
    ...rotations.locating,
    callerRefused: (original) => (given, token, request) => {
      const isLate = given === undefined && rotations.here() && request.path.includes('/rotate-role/')
      return isLate ? undefined : original(given, token, request)
    },
    finish: (original) => (call, facts, reply) => {
      if (facts.id === 'database.rotateRole' && call.token === undefined) throw new ApiError(403, 'missing client token')
      return original(call, facts, reply)
    },
  },
)
