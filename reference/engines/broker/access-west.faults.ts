/** Faults of who may ask: tokens and their carriers, capabilities, verbs, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, countsAs } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerState } from './state.ts'
import { brokerRequests, isBrokerCall } from './west-help.ts'

const core = faultsOf(coreEngine, 'broker')

core.rule(
  'west-deny-counts-alone-only',
  'CORE-CAP-18',
  'a deny is overlooked where the token has a second policy of its own (000 7: 403 forbidden; 5.4: capabilities)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const own = call?.token?.policies.filter((name) => name !== 'default') ?? []
      return original(granted, needed, call) || (isBrokerCall(call) && granted.has('deny') && own.length > 1)
    },
  },
)

core.rule(
  'west-reader-writes-lease-settings',
  'CORE-CAP-04',
  'who may only read config/lease may write it (000 1.6: create and update capabilities; 7: 403)',
  countsAs('read', (call) => isBrokerCall(call, 'config/lease'), 'update'),
)

core.rule(
  'west-role-read-without-token',
  'CORE-AUTH-01',
  'a role is read without a token (000 5.1: a client token is required; 001: all endpoints)',
  {
    needsToken: (original) => (route) => route?.id !== 'broker.readRole' && original(route),
  },
)

const written = brokerRequests()
core.rule(
  'west-bearer-cannot-write',
  'CORE-AUTH-07',
  'writes take the token from its own header only, not from a bearer (000 2.1: header Authorization)',
  {
    ...written.locating,
    ...bearerIgnored(({ method }) => written.here() && /^(POST|PUT)$/.test(method)),
  },
)

const verbs = brokerRequests()
core.rule(
  'west-put-without-capability',
  'CORE-CAP-07',
  'PUT is let through for whoever is not denied (000 1.6: PUT and POST are synonyms; 7: 403)',
  {
    ...verbs.locating,
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed, call) || (isBrokerCall(call) && verbs.latest().verb === 'PUT' && !granted.has('deny')),
  },
)

const deletions = brokerRequests()
core.rule(
  'west-denied-deletion-answers-204',
  'CORE-AUTH-01',
  'a deletion that is denied answers 204 and does nothing (000 7: 403 forbidden; 2.4)',
  {
    ...deletions.locating,
    failure: (original) => (status, body, request) =>
      status === 403 && request.method === 'DELETE' && deletions.isBrokers(request) ? { status: 204 } : original(status, body, request),
  },
)

core.rule(
  'west-root-mount-from-child-namespace',
  'CORE-NS-07',
  'a request in a namespace without such a mount reaches the broker mount of the root (000 2.2: effective path)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      if (namespace === '') return own
      const roots = all.filter((mount) => mount.namespace === '' && mount.engine.type === 'broker')
      return [...own, ...roots.filter(({ path }) => !own.some((mount) => mount.path === path))]
    },
  },
)

const asked = { namespace: '', header: '' }
core.rule(
  'west-namespace-by-header-only',
  'CORE-NS-03',
  'a namespace written into the path, without header, does not lead to its broker mounts (000 2.2: equivalent to no header)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) => {
      asked.header = header ?? ''
      asked.namespace = original(effectivePath, namespaces, header)
      return asked.namespace
    },
    pathBelow: (original) => (mount, path, type) =>
      type === 'broker' && asked.namespace !== '' && asked.header === '' ? '' : original(mount, path, type),
  },
)

const helped = brokerRequests()
core.rule(
  'west-help-for-anyone',
  'CORE-HELP-05',
  'help is given to callers who have no permission on the path (000 1.7: if the caller has permission)',
  {
    ...helped.locating,
    helpAllowed: (original) => (granted) => helped.here() || original(granted),
  },
)

core.rule(
  'west-forbidden-lease-settings-stored',
  'CORE-CAP-14',
  'lease settings are stored although their write is refused (000 7: 403 forbidden)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const allowed = original(granted, needed, call)
      if (!allowed && call !== undefined && needed !== 'sudo' && call.method === 'POST' && isBrokerCall(call, 'config/lease'))
        Object.assign(call.state as BrokerState, { lease: (call.rules as BrokerRules).leaseOf(call.body) })
      return allowed
    },
  },
)

const decisions = remembered(() => new Set<string>())
core.rule(
  'west-permission-remembered-without-caller',
  'CORE-CAP-21',
  'what one caller was permitted on a path is permitted to the next one, who has no capability there (000 7: 403 no access)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      if (call === undefined || !isBrokerCall(call)) return original(granted, needed, call)
      const permitted = decisions(call.state as BrokerState)
      const decision = `${needed} ${call.path}`
      if (original(granted, needed, call)) permitted.add(decision)
      return permitted.has(decision)
    },
  },
)

const shared = brokerRequests()
core.rule(
  'west-role-reader-gets-creds',
  'CORE-CAP-01',
  'who may read a role may also ask for its credentials (000 7: 403; 001 4.3: paths of their own)',
  {
    ...shared.locating,
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (shared.here() && original(pattern, path.replace(/(^|\/)creds\/(?=[^/]+$)/, '$1roles/'))),
  },
)
