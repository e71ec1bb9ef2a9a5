/** Faults of who may ask: tokens and their carriers, capabilities, verbs, namespaces, help. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { remembered } from '../../mutations/remembering.ts'
import { rotate } from './rotation.ts'
import { isDatabase, nameOf } from './west-help.ts'

const core = faultsOf(coreEngine, 'database')

/** Operations that no other engine has. */
const OWN_PATH = /(^|\/)(static-roles|static-creds|rotate-role|rotate-root)(\/|$)/

core.rule(
  'west-connections-listed-to-anyone',
  'CORE-AUTH-01',
  'LIST config answers without a token (001: all endpoints require a client token)',
  {
    needsToken: (original) => (route) => route?.id !== 'database.listConnections' && original(route),
  },
)

const ended = requestsTo('database')
core.change(
  'west-ended-token-still-good',
  'CORE-AUTH-15',
  'a token that was used at the mount stays good there after its end (000 5.1: a client token; 7: 403)',
  {
    rules: { ...ended.locating, ...goodForEver(ended.here) },
  },
)

const put = requestsTo('database')
core.change(
  'west-put-without-bearer',
  'DATABASE-ROLE-02',
  'PUT does not look for the token in Authorization (000 5.1: or in header Authorization; 1.6: synonyms)',
  {
    rules: { ...put.locating, ...bearerIgnored(({ method }) => method === 'PUT' && put.here()) },
  },
)

core.rule(
  'west-deny-not-for-static-creds',
  'CORE-CAP-01',
  '`deny` does not keep a caller from static credentials (000 7: 403, no access)',
  denyOverlooked((call) => isDatabase(call) && call.path.includes('/static-creds/')),
)

core.rule(
  'west-reader-may-update',
  'CORE-CAP-04',
  'who may only read a connection or role may update it (001 4.1: C/U, `create` and `update` capabilities)',
  countsAs('read', (call) => isDatabase(call) && /\/(config|roles|static-roles)\//.test(call.path), 'update'),
)

core.rule(
  'west-first-of-nested-namespaces',
  'CORE-NS-01',
  'of a namespace header with two names only the first counts (000 2.2: header `<ns1>/<ns2>/`)',
  {
    effectivePath: (original) => (header, request, namespaces) =>
      original(OWN_PATH.test(request.path) ? header?.split('/').find((name) => name !== '') : header, request, namespaces),
  },
)

core.rule(
  'west-mount-of-parent-namespace',
  'CORE-NS-07',
  'a namespace without a mount reaches that of its parent (000 2.2: the effective request path)',
  {
    mountsSeen: (original) => (all, namespace) => [
      ...original(all, namespace),
      ...all.filter((mount) => mount.engine.type === 'database' && mount.namespace !== namespace && namespace.startsWith(mount.namespace)),
    ],
  },
)

const helped = requestsTo('database')
core.change(
  'west-help-for-denied',
  'CORE-HELP-05',
  'help is given to callers without permission on the path (000 1.7: if the caller has permission)',
  {
    rules: { ...helped.locating, helpAllowed: (original) => (granted) => helped.here() || original(granted) },
  },
)

const anonymous = requestsTo('database')
core.change(
  'west-mount-help-without-token',
  'CORE-AUTH-15',
  'help on paths that have no operation of their own needs no token (000 1.7 and 5.1: a client token)',
  {
    rules: {
      ...anonymous.locating,
      needsToken: (original) => (route) => !(route === undefined && anonymous.here()) && original(route),
    },
  },
)

core.rule(
  'west-delete-of-creds-unknown',
  'CORE-STATUS-08',
  'DELETE where only other methods are is answered by 404 (000 7: 405, unsupported method for the path)',
  {
    wrongMethodStatus: (original) => (method, routes) =>
      method === 'DELETE' && routes.every(({ id }) => id.startsWith('database.')) ? 404 : original(method, routes),
  },
)

const passed = remembered(() => new Set<string>())
core.rule(
  'west-permission-remembered-by-path',
  'CORE-CAP-21',
  'what a policy allowed one caller is allowed to the next on the same path (000 7: 403, no access)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const may = original(granted, needed, call)
      if (!isDatabase(call) || granted.has('deny')) return may
      const known = passed(call.state)
      const key = `${needed} ${call.path}`
      if (may) known.add(key)
      return known.has(key)
    },
  },
)

core.rule(
  'west-rotates-before-asking',
  'CORE-CAP-04',
  'a rotation by hand is carried out though its caller is refused (000 7: 403; 001 4.1: rotate-role)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const may = original(granted, needed, call)
      if (may || !isDatabase(call) || !call.path.includes('/rotate-role/')) return may
      const role = call.state.staticRoles.get(nameOf(call))
      if (role) rotate(call, role, call.rules.rotatedByHandAt).catch(() => undefined)
      return may
    },
  },
)
