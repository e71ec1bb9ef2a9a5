/** Faults of who may ask: tokens and their carriers, verbs, capabilities, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { databaseCall, nameOf, whereabouts } from './plain-help.ts'

const core = faultsOf(coreEngine, 'database')

core.rule(
  'plain-static-exists-as-dynamic',
  'CORE-CAP-07',
  'whether a write of a static role is an update is judged by the dynamic roles (001 4.1: C/U distinguish create and update)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const asked = databaseCall(call)
      if (asked?.method !== 'POST' || !/\/static-roles\/[^/]+$/.test(asked.path)) return original(granted, needed, call)
      return original(granted, asked.state.roles.has(nameOf(asked)) ? 'update' : 'create', call)
    },
  },
)

core.rule(
  'plain-rotate-with-read',
  'CORE-CAP-04',
  'whoever may read at rotate-role may rotate (000 7: 403 no access; 001 4.1: POST rotate-role/:name)',
  countsAs('read', (call) => /\/rotate-role\/[^/]+$/.test(databaseCall(call)?.path ?? ''), 'update'),
)

const prefixes = whereabouts()

core.rule(
  'plain-policy-of-shorter-name',
  'CORE-CAP-01',
  'a policy for one name covers all names that begin with it (000 7: 403 no access; 000 1.6, 5.4: capabilities)',
  {
    ...prefixes.follow,
    patternMatches: (original) => (pattern, path) => {
      if (original(pattern, path) || !prefixes.here() || /[*+/]$/.test(pattern)) return original(pattern, path)
      return path.startsWith(pattern) && !path.slice(pattern.length).includes('/')
    },
  },
)

const writes = whereabouts()

core.rule(
  'plain-bearer-reads-only',
  'CORE-AUTH-07',
  'a bearer token is overlooked on everything but GET (000 5.1: header Authorization as Bearer)',
  {
    ...writes.follow,
    ...bearerIgnored((request) => request.method !== 'GET' && writes.requestOf(request.headers) !== undefined),
  },
)

const puts = whereabouts()

core.rule(
  'plain-put-needs-update',
  'CORE-CAP-19',
  'PUT needs the capability update for what is new, too (000 1.6: PUT and POST are synonyms)',
  {
    ...puts.follow,
    capabilityGranted: (original) => (granted, needed, call) => {
      const isPut = call !== undefined && puts.requestOf(call.headers)?.method === 'PUT'
      return original(granted, isPut && needed === 'create' ? 'update' : needed, call)
    },
  },
)

core.rule(
  'plain-get-list-needs-read',
  'CORE-CAP-11',
  'GET with list=true needs read in the place of list (000 1.5: LIST or GET with list=true)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'list' && databaseCall(call)?.query.get('list') === 'true' ? 'read' : needed, call),
  },
)

const reads = whereabouts()

core.rule(
  'plain-reader-for-ever',
  'CORE-AUTH-15',
  'a token that has read something reads on after its end (000 1.3, 5.1: a client token is required)',
  {
    ...reads.follow,
    ...goodForEver((request) => request.method === 'GET' && reads.requestOf(request.headers) !== undefined),
  },
)

const OWN_PATHS = /(^|\/)([^/]*database[^/]*|static-roles|static-creds|rotate-role|rotate-root|reset)(\/|$)/

core.rule(
  'plain-header-is-whole-namespace',
  'CORE-NS-02',
  'with a namespace header a further namespace at the head of the path is not found (000 2.2: header ns1/ with path ns2/... is equivalent)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) => {
      const asked = `${(header ?? '').replace(/^\/+|\/+$/g, '')}/`
      const isOwn = OWN_PATHS.test(effectivePath) && !isProvisioning({ path: effectivePath })
      return isOwn && asked !== '/' && namespaces.includes(asked) ? asked : original(effectivePath, namespaces, header)
    },
  },
)

core.rule(
  'plain-reset-without-token',
  'CORE-AUTH-01',
  'a connection is reset for callers without a token (001 preamble: all endpoints require a token)',
  {
    needsToken: (original) => (route) => route?.id !== 'database.resetConnection' && original(route),
  },
)

core.rule(
  'plain-create-needs-update',
  'DATABASE-CAP-02',
  'creating a dynamic role needs update besides create (001 4.1: roles/:name C/U distinguish create and update)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const isNewRole = needed === 'create' && /\/roles\/[^/]+$/.test(databaseCall(call)?.path ?? '')
      return original(granted, needed, call) && (!isNewRole || original(granted, 'update', call))
    },
  },
)

core.rule(
  'plain-write-to-read-only',
  'CORE-STATUS-08',
  'writing where there is only GET is answered 400 (000 7: 405 unsupported method for the path)',
  {
    wrongMethodStatus: (original) => (method, routes) =>
      method === 'POST' && routes.some(({ id }) => id.startsWith('database.')) ? 400 : original(method, routes),
  },
)

core.rule(
  'plain-mount-of-parent-namespace',
  'CORE-NS-07',
  'a namespace that has no database mount is served by its parent`s (000 2.2: the effective path; 000 7: 404 invalid path)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const isDatabase = ({ engine }: (typeof own)[number]): boolean => engine.type === 'database'
      if (namespace === '' || own.some(isDatabase)) return own
      return [...own, ...original(all, namespace.replace(/[^/]+\/$/, '')).filter(isDatabase)]
    },
  },
)
