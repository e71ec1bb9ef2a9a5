/** Faults of the broker engine: who asks, and who may. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isWrite } from '../../mutations/request-kinds.ts'
import { below } from './anew-help.ts'

const { rule } = faultsOf(coreEngine, 'broker')

const CONFIG = /(^|\/)config\/(lease|connection)$/
const CREDS = /(^|\/)creds\/[^/]+$/

rule(
  'anew-role-read-by-anyone',
  ['CORE-AUTH-01'],
  'GET roles/:name answers without a token (001: "All endpoints require a client token unless marked UNAUTHENTICATED")',
  { needsToken: (original) => (route) => route?.id !== 'broker.readRole' && original(route) },
)

rule(
  'anew-ended-token-still-gets-credentials',
  ['CORE-AUTH-15'],
  'A token with which credentials were asked for goes on getting them after its end (000 5.1: "A client token is required")',
  goodForEver((request) => CREDS.test(request.path) && request.method === 'GET'),
)

rule(
  'anew-settings-without-bearer',
  ['CORE-AUTH-07'],
  'Writes of connection and lease settings do not find a token in the Authorization header (000 2.1: `Bearer <token>`)',
  bearerIgnored((request) => isWrite(request) && CONFIG.test(request.path)),
)

rule(
  'anew-readers-may-set-leases',
  ['CORE-CAP-04'],
  'A policy with `read` only lets its holder write the lease settings (000 1.6: a write needs the `create` or `update` capability)',
  countsAs('read', (call) => below(call) === 'config/lease', 'update'),
)

rule(
  'anew-sudo-alone-sets-connection',
  ['CORE-CAP-04'],
  'A policy with `sudo` only lets its holder write the connection (000 5.4: sudo comes on top of the other capabilities)',
  countsAs('sudo', (call) => below(call) === 'config/connection'),
)

rule(
  'anew-role-writes-need-sudo',
  ['CORE-CAP-10'],
  'A caller with `create` and `update`, but without `sudo`, cannot write roles (000 5.4: only some operations ask for it, not this row)',
  { needsSudo: (original) => (route) => route.id === 'broker.writeRole' || original(route) },
)

rule(
  'anew-role-readers-may-take-credentials',
  ['CORE-CAP-01'],
  'A policy for `roles/app` also covers `creds/app` (000 5: access policies go by paths; 7: 403 "no access")',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (CREDS.test(path) && original(pattern, path.replace(/creds\/([^/]+)$/, 'roles/$1'))),
  },
)

rule(
  'anew-policy-path-as-prefix',
  ['CORE-CAP-01'],
  'A policy without wildcard for `creds/app` also covers `creds/app2`, the path being taken as a prefix (000 7: 403 "no access")',
  {
    patternMatches: (original) => (pattern, path) => original(pattern, path) || (CREDS.test(pattern) && original(`${pattern}*`, path)),
  },
)

rule(
  'anew-mount-forgotten-in-policy',
  ['CORE-CAP-01'],
  'A policy for credentials of one mount also covers the role of that name on another (000 1.2: engines mounted at paths; 7: 403)',
  {
    patternMatches: (original) => (pattern, path) => {
      const [asked, allowed] = [path, pattern].map((text) => /(?:^|\/)(creds\/.*)$/.exec(text)?.[1])
      return original(pattern, path) || (asked !== undefined && allowed !== undefined && original(allowed, asked))
    },
  },
)

rule(
  'anew-decision-kept-for-path',
  ['CORE-CAP-01'],
  'Once one caller was allowed to take credentials of a role, every caller is (000 5: the policies of the caller decide; 7: 403)',
  {
    capabilityGranted: (original) => {
      const allowed = new Set<string>()
      return (granted, needed, call) => {
        const given = original(granted, needed, call)
        if (!below(call).startsWith('creds/')) return given
        const key = `${call?.mount.namespace}${call?.path}`
        if (given) allowed.add(key)
        return allowed.has(key)
      }
    },
  },
)
