/** Faults of who may ask: tokens and their carriers, verbs, capabilities, namespaces, kinds of rolesets. */
import { coreEngine } from '../../core/core-engine.ts'
import { anyoneMay, bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { isCloudc } from './frank-help.ts'

const { rule } = faultsOf(coreEngine, 'cloudc')

const ROTATION = /(^|\/)(roleset\/[^/]+)\/rotate(-key)?$/
const ROLESETS = /(^|\/)(rolesets\/?|roleset\/.+)$/

rule('frank-listing-without-token', 'CORE-AUTH-01', 'rolesets are listed without any token (000 5.1, 5.3: a client token is required)', {
  needsToken: (original) => (asked) => original(asked) && asked?.id !== 'cloudc.listRolesets',
})

rule(
  'frank-bearer-ignored-in-reads',
  'CORE-AUTH-07',
  'reading a roleset takes a token from the own header only (000 5.1: or in header Authorization as Bearer)',
  bearerIgnored(({ method, path }) => method === 'GET' && /(^|\/)roleset\/[^/]+$/.test(path)),
)

rule(
  'frank-ended-token-still-gets-tokens',
  'CORE-AUTH-15',
  'a token that was used for an access token or a key is good for these after its end (000 5.1: a client token is required; 7: 403)',
  goodForEver((request) => !isProvisioning(request) && /(^|\/)(token|key)\/[^/]+$/.test(request.path)),
)

rule('frank-rotation-not-by-put', 'CORE-WRITE-01', 'PUT does not rotate (000 1.6: PUT and POST are synonyms)', {
  callerRefused: (original) => (given, token, request) =>
    original(given, token, request) ?? (request.method === 'PUT' && ROTATION.test(request.path) ? 405 : undefined),
})

rule(
  'frank-namespace-in-path-after-header',
  'CORE-NS-02',
  'beside a header the path names no further namespace (000 2.2: header ns1/ with path ns2/... is equivalent to ns1/ns2/)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) => {
      const named = `${(header ?? '').split('/').filter(Boolean).join('/')}/`
      return ROLESETS.test(effectivePath) && namespaces.includes(named) ? named : original(effectivePath, namespaces, header)
    },
  },
)

rule(
  'frank-rotation-by-right-to-update',
  'CORE-CAP-06',
  'who may update a roleset may rotate it, for policies are asked about the roleset only (000 7: 403, 404 where the caller has no access to a path)',
  {
    patternMatches: (original) => (pattern, path) => original(pattern, path.replace(ROTATION, '$1$2')),
  },
)

rule(
  'frank-deny-lost-among-policies',
  'CORE-CAP-01',
  'deny in one policy does not count for a token that has another policy besides (000 7: 403 forbidden)',
  denyOverlooked((call) => isCloudc(call) && (call.token?.policies ?? []).filter((name) => name !== 'default').length > 1),
)

rule(
  'frank-sudo-suffices',
  'CORE-CAP-01',
  'sudo alone suffices for everything (000 5.4: sudo is elevated, create and update are distinguished)',
  countsAs('sudo', isCloudc),
)

rule(
  'frank-read-suffices-for-posted-key',
  'CORE-CAP-04',
  'who may only read gets keys by POST, too (000 1.6: writes need create or update; 7: 403)',
  countsAs('read', (call) => isCloudc(call) && /\/key\/[^/]+$/.test(call.path), 'update'),
)

rule(
  'frank-config-read-by-anyone',
  'CORE-CAP-14',
  'every token reads the config that no policy denies it (000 7: 403 forbidden, 404 when the caller may not view a path)',
  anyoneMay((call) => isCloudc(call) && call.method === 'GET' && call.path === `${call.mount.path}config`),
)

const allowed = remembered(() => new Set<string>())
rule(
  'frank-permission-remembered-by-path',
  'CORE-CAP-21',
  'what one caller may, the next may on the same path (000 7: 403 forbidden, no access)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      if (!isCloudc(call)) return original(granted, needed, call)
      const asked = `${needed} ${call.mount.namespace}${call.path}`
      const known = allowed(call.services)
      if (original(granted, needed, call)) known.add(asked)
      return known.has(asked)
    },
  },
)

rule(
  'frank-root-mount-seen-from-below',
  'CORE-NS-07',
  "a namespace without a mount of its own at the path reaches the root's (000 2.2: the effective path is header followed by path)",
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const above = all.filter((mount) => mount.engine.type === 'cloudc' && mount.namespace === '' && namespace !== '')
      return [...own, ...above.filter(({ path }) => !own.some((mount) => mount.path === path))]
    },
  },
)
