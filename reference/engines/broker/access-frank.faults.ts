/** Faults of who may ask: tokens and their carriers, capabilities and their refusal, verbs, namespaces, help. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { countsAs, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { atBroker, below, inBroker, isBroker, noted } from './frank-help.ts'

const core = faultsOf(coreEngine, 'broker')

const CREDS = /(^|\/)creds\/[^/]+$/
const ROLE = /(^|\/)roles\/[^/]+$/

core.rule('frank-role-read-public', 'CORE-AUTH-01', 'roles are read without a token (000 5.1; 001: all endpoints require a client token)', {
  needsToken: (original) => (route) => route?.id !== 'broker.readRole' && original(route),
})

core.rule(
  'frank-any-token-text-deletes',
  'CORE-AUTH-03',
  'a role is deleted for a token that was never issued, for only its presence is asked for (000 7: 403, wrong credentials)',
  {
    ...noted,
    callerRefused: (original) => (given, token, request) =>
      atBroker(request, ROLE) && request.method === 'DELETE' && given !== undefined ? undefined : original(given, token, request),
  },
)

core.rule(
  'frank-ended-token-remembered',
  'CORE-AUTH-15',
  'a token that got credentials gets more of them after its end (000 5.1: a client token is required; 7: 403, wrong credentials)',
  {
    ...noted,
    callerRefused: (original) => {
      const known = new Set<string>()
      return (given, token, request) => {
        if (given === undefined || !atBroker(request, CREDS)) return original(given, token, request)
        if (token) known.add(given)
        return known.has(given) ? undefined : original(given, token, request)
      }
    },
  },
)

core.rule(
  'frank-deny-on-creds-overlooked',
  'CORE-CAP-01',
  'a policy that denies credentials does not keep anybody from them (000 7: 403, forbidden)',
  {
    ...denyOverlooked((call) => isBroker(call) && below(call).startsWith('creds/')),
  },
)

core.rule(
  'frank-put-without-body',
  'CORE-WRITE-01',
  'a role written with PUT is stored without its parameters (000 1.6: PUT and POST are synonyms)',
  {
    ...noted,
    parseBody: (original) => (bytes, request) =>
      atBroker(request, ROLE) && request.method === 'PUT' ? { text: '{}', body: {} } : original(bytes, request),
  },
)

core.rule(
  'frank-readers-write-roles',
  'CORE-CAP-04',
  'whoever may read a role may write it (000 1.6, 5.4: create and update capabilities; 7: 403)',
  {
    ...countsAs('read', (call) => isBroker(call) && call.method === 'POST' && below(call).startsWith('roles/')),
  },
)

core.rule(
  'frank-sudo-is-enough-for-settings',
  'CORE-CAP-04',
  'sudo alone lets a caller write the connection and the lease settings (000 5.4: create and update are capabilities beside sudo)',
  {
    ...countsAs('sudo', (call) => isBroker(call) && call.method === 'POST' && below(call).startsWith('config/')),
  },
)

core.rule(
  'frank-creds-path-as-prefix',
  'CORE-CAP-01',
  'who may have credentials of one role may have those of roles whose names are longer (000 7: 403, no access)',
  {
    ...noted,
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (inBroker() && !/[*+]/.test(pattern) && CREDS.test(pattern) && path.startsWith(pattern)),
  },
)

core.rule(
  'frank-help-for-everyone',
  'CORE-HELP-05',
  'help on broker paths is given to callers without permission there (000 1.7: if the caller has permission)',
  {
    ...noted,
    helpAllowed: (original) => (granted) => inBroker() || original(granted),
  },
)

core.rule(
  'frank-root-mounts-in-namespaces',
  'CORE-NS-07',
  'a broker mount of the root namespace answers in other namespaces as well (000 2.2: the effective path begins with the namespace)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const outer = all.filter(({ engine, namespace: other, path }) => {
        return engine.type === 'broker' && other === '' && !own.some((mount) => mount.path === path)
      })
      return namespace === '' ? own : [...own, ...outer]
    },
  },
)

core.rule(
  'frank-bearer-is-trusted',
  'CORE-CAP-05',
  'a token that comes as a bearer is asked for no capability, as long as nothing is denied to it (000 2.1: alternative token carrier; 7: 403)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      (isBroker(call) && call.headers.authorization !== undefined && !granted.has('deny')) || original(granted, needed, call),
  },
)

const lateRefusals = new WeakSet<object>()
core.rule(
  'frank-refused-after-writing',
  'CORE-CAP-04',
  'writing a role without the capability is refused, but only when the role is written (000 5.4: create, update; 7: 403, forbidden)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      if (original(granted, needed, call)) return true
      if (!isBroker(call) || call.method !== 'POST' || !below(call).startsWith('roles/')) return false
      lateRefusals.add(call)
      return true
    },
    finish: (original) => (call, route, reply) => {
      if (lateRefusals.has(call)) throw new ApiError(403, 'permission denied')
      return original(call, route, reply)
    },
  },
)
