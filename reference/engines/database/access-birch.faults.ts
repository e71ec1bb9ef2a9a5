/** Faults of who may ask: tokens and their carriers, capabilities, namespaces, and which roles a connection allows. */
import { coreEngine } from '../../core/core-engine.ts'
import { textOf } from '../../core/fields.ts'
import type { Mount } from '../../core/mounts.ts'
import { bearerIgnored, countsAs, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { remembered } from '../../mutations/remembering.ts'
import { belowMount, nameOf, withRules } from './birch-help.ts'
import { databaseEngine } from './engine.ts'

const { route } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')

core.rule(
  'birch-deny-overlooked-at-root-rotation',
  'CORE-CAP-04',
  'a caller who is denied rotate-root rotates all the same (000 5.4: capabilities; 7: 403)',
  denyOverlooked((call) => (belowMount(call) ?? '').startsWith('rotate-root/')),
)

core.rule(
  'birch-bearer-ignored-at-actions',
  'CORE-AUTH-07',
  'reset, rotate-root and rotate-role take no bearer token (000 5.1: Authorization, Bearer <token>)',
  bearerIgnored(({ path }) => /(^|\/)(reset|rotate-root|rotate-role)\/[^/]+$/.test(path)),
)

core.rule(
  'birch-ended-token-reads-again',
  'CORE-AUTH-15',
  'a token that has ended still reads the static credentials that it asked for before (000 5.1: a client token; 7: 403)',
  {
    callerRefused: (original) => {
      const seen = new Set<string>()
      return (given, token, request) => {
        if (given === undefined || !/(^|\/)static-creds\//.test(request.path)) return original(given, token, request)
        const key = `${given} ${request.path}`
        if (token) seen.add(key)
        return seen.has(key) ? undefined : original(given, token, request)
      }
    },
  },
)

const helped = requestsTo('database')
core.rule(
  'birch-help-for-every-token',
  'CORE-HELP-05',
  'help is given to callers without any permission on the path (000 1.7: if the caller has permission on the path)',
  { ...helped.locating, helpAllowed: (original) => (granted) => helped.here() || original(granted) },
)

/** Another choice of mounts of this engine, by the header of the request that was located last; nothing waits in between. */
const mountsByHeader = (choose: (all: readonly Mount[], levels: string[], namespace: string) => Mount[] | undefined) => {
  let levels: string[] = []
  return {
    effectivePath:
      (original: typeof coreEngine.rules.effectivePath): typeof coreEngine.rules.effectivePath =>
      (header, request, namespaces) => {
        levels = (header ?? '').split('/').filter((level) => level !== '')
        return original(header, request, namespaces)
      },
    mountsSeen:
      (original: typeof coreEngine.rules.mountsSeen): typeof coreEngine.rules.mountsSeen =>
      (all, namespace) => {
        const databases = all.filter(({ engine }) => engine.type === 'database')
        const chosen = choose(databases, levels, namespace)
        const seen = original(all, namespace)
        return chosen === undefined ? seen : [...seen.filter(({ engine }) => engine.type !== 'database'), ...chosen]
      },
  }
}

core.rule(
  'birch-header-first-level-only',
  'CORE-NS-01',
  'of a namespace header with several levels only the first is used to find the mount (000 2.2: <ns1>/<ns2>/ is ns1/ns2)',
  mountsByHeader((databases, levels) =>
    levels.length > 1 ? databases.filter(({ namespace }) => namespace === `${levels[0]}/`) : undefined,
  ),
)

core.rule(
  'birch-header-excludes-path-namespace',
  'CORE-NS-02',
  'a mount is not found where one part of its namespace is in the header, the other in the path (000 2.2: equivalent)',
  mountsByHeader((_databases, levels, namespace) => (levels.length > 0 && `${levels.join('/')}/` !== namespace ? [] : undefined)),
)

route(
  'birch-static-role-allowed-by-user',
  'DATABASE-ALLOWED-08',
  'a static role is allowed where its user, not the role, is among the allowed roles (001 4.1: allowed_roles)',
  'database.writeStaticRole',
  (original) => (call) => {
    const user = textOf(call.body, 'username', call.state.staticRoles.get(nameOf(call))?.username ?? '')
    const { staticRoleAllowed } = call.rules
    return original(
      withRules(call, { staticRoleAllowed: (allowed, role) => staticRoleAllowed(allowed, role) || staticRoleAllowed(allowed, user) }),
    )
  },
)

route(
  'birch-static-role-allowed-at-creation',
  'DATABASE-ALLOWED-08',
  'an update brings a static role to a connection that does not allow it (001 4.1: allowed_roles, default [] no roles)',
  'database.writeStaticRole',
  (original) => (call) => original(call.state.staticRoles.has(nameOf(call)) ? withRules(call, { staticRoleAllowed: () => true }) : call),
)

core.rule(
  'birch-one-state-over-namespaces',
  'DATABASE-APART-01',
  'mounts at the same path of different namespaces share what they hold (000 2.2: the effective path has the namespace)',
  {
    stateOf: (original) => (engine, others, place) => {
      const namesake = others.find((other) => other.engine.type === 'database' && other.path === place.path)
      return engine.type === 'database' && namesake ? namesake.state : original(engine, others, place)
    },
  },
)

core.rule(
  'birch-sudo-is-everything',
  'CORE-CAP-01',
  'sudo alone grants every operation (000 5.4: sudo is beside the create and update capabilities)',
  countsAs('sudo', (call) => belowMount(call) !== undefined),
)

const ownersOf = remembered(() => new Map<string, string | undefined>())
core.rule(
  'birch-writer-of-role-gets-credentials',
  'CORE-CAP-01',
  'whoever wrote a role gets its credentials without a capability on creds (000 5: access; 7: 403)',
  {
    check: (original) => (call, facts) => {
      if (facts.id === 'database.writeRole') ownersOf(call.state as object).set(call.params.name ?? '', call.token?.id)
      original(call, facts)
    },
    capabilityGranted: (original) => (granted, needed, call) => {
      if (original(granted, needed, call)) return true
      if (call?.token === undefined || granted.has('deny') || !belowMount(call)?.startsWith('creds/')) return false
      return ownersOf(call.state as object).get(call.params.name ?? '') === call.token.id
    },
  },
)

const refused = requestsTo('database')
core.rule('birch-wrong-token-401', 'CORE-AUTH-03', 'writes with a wrong token are answered 401 (000 7: 403, wrong credentials)', {
  ...refused.locating,
  callerRefused: (original) => (given, token, request) => {
    const status = original(given, token, request)
    return status === 403 && given !== undefined && /^(POST|PUT)$/.test(request.method) && refused.here() ? 401 : status
  },
})
