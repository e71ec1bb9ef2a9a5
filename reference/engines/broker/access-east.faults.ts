/** Faults of who may ask: carriers of tokens, their end, capabilities, wildcards, several policies, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, countsAs } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokerRequests } from './east-help.ts'
import type { BrokerState } from './state.ts'

const { rule } = faultsOf(coreEngine, 'broker')

const writing = brokerRequests()
rule(
  'east-bearer-for-reading',
  'CORE-AUTH-07',
  'a bearer token is good for reading and deleting only, a write asks for the other header (000 5.1: Bearer)',
  {
    ...writing.locating,
    ...bearerIgnored((request) => writing.has(request) && /^(POST|PUT)$/.test(request.method)),
  },
)

const recent = brokerRequests()
rule(
  'east-revoked-token-cached',
  'CORE-AUTH-15',
  'a revoked token is good for five seconds more for what it has just read (000 7: 403, wrong credentials)',
  {
    ...recent.locating,
    callerRefused: (original) => {
      // Kept by the text of the token, which is drawn at random; the root token may be the same in two servers and is left out.
      const passed = new Map<string, number>()
      return (given, token, request) => {
        const key = `${given} ${request.path}`
        if (!recent.has(request) || request.method !== 'GET') return original(given, token, request)
        if (token && !token.policies.includes('root')) passed.set(key, Date.now())
        return !token && Date.now() - (passed.get(key) ?? 0) < 5000 ? undefined : original(given, token, request)
      }
    },
  },
)

const exact = brokerRequests()
rule(
  'east-exact-path-as-prefix',
  'CORE-CAP-01',
  'a policy for one role covers the roles whose names begin like it (000 7: 403; 5.4: capabilities)',
  {
    ...exact.locating,
    patternMatches: (original) => (pattern, path) => {
      if (original(pattern, path)) return true
      return exact.current() !== undefined && path.startsWith(pattern) && !path.slice(pattern.length).includes('/')
    },
  },
)

const broad = brokerRequests()
rule('east-broad-before-narrow', 'CORE-CAP-01', 'a wildcard that grants beats the deny on one role below it (000 7: 403, no access)', {
  ...broad.locating,
  patternPriority: (original) => (a, b) => (broad.current() ? original(b, a) : original(a, b)),
})

const putting = brokerRequests()
rule(
  'east-put-not-checked',
  'CORE-CAP-07',
  'a write sent with PUT asks for no capability, only deny stops it (000 1.6: PUT and POST are synonyms; create, update)',
  {
    ...putting.locating,
    capabilityGranted: (original) => (granted, needed, call) =>
      (putting.current()?.method === 'PUT' && !granted.has('deny')) || original(granted, needed, call),
  },
)

const elevated = brokerRequests()
rule(
  'east-sudo-is-everything',
  'CORE-CAP-01',
  'a policy that grants nothing but sudo lets everything be done (000 5.4: some operations require sudo; create, update)',
  {
    ...elevated.locating,
    ...countsAs('sudo', () => elevated.current() !== undefined),
  },
)

const configuring = brokerRequests()
rule(
  'east-lease-right-is-connection-right',
  'CORE-CAP-04',
  'who may write the lease settings may replace the connection (000 7: 403, no access; 5.4: update)',
  {
    ...configuring.locating,
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      (configuring.current() !== undefined && original(pattern, path.replace(/config\/connection$/, 'config/lease'))),
  },
)

const anonymous = brokerRequests()
rule(
  'east-role-read-without-token',
  'CORE-AUTH-01',
  'a role can be read without any token, while a wrong one is refused (001: all endpoints require a client token)',
  {
    ...anonymous.locating,
    callerRefused: (original) => (given, token, request) => {
      const isRoleRead = anonymous.has(request) && request.method === 'GET' && /(^|\/)roles\/[^/]+$/.test(request.path)
      return given === undefined && isRoleRead ? undefined : original(given, token, request)
    },
  },
)

rule(
  'east-mounts-of-parent',
  'CORE-NS-07',
  'a broker mount answers in the namespaces below its own, too (000 2.2: the namespace is part of the path)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const above = all.filter(
        (mount) =>
          mount.engine.type === 'broker' &&
          mount.namespace !== namespace &&
          namespace.startsWith(mount.namespace) &&
          !own.some(({ path }) => path === mount.path),
      )
      return [...own, ...above]
    },
  },
)

const refused = brokerRequests()
rule(
  'east-deleted-before-asked',
  'CORE-CAP-14',
  'the deletion of a role is refused with 403, but the role is gone (000 7: 403, forbidden)',
  {
    ...refused.locating,
    capabilityGranted: (original) => (granted, needed, call) => {
      const isAllowed = original(granted, needed, call)
      if (call && !isAllowed && refused.current()?.method === 'DELETE') (call.state as BrokerState).roles.delete(call.params.name ?? '')
      return isAllowed
    },
  },
)
