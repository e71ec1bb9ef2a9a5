/** Faults of who may ask: carriers and ends of tokens, denied and missing capabilities, verbs, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Asked, bearerIgnored, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { CloudcState } from './state.ts'
import { nameOf, withLeases, withRules } from './west-help.ts'

const { route } = faultsOf(cloudcEngine, 'cloudc')
const core = faultsOf(coreEngine, 'cloudc')

const isOurs = (call: Asked): call is NonNullable<Asked> => call !== undefined && 'policyUrls' in call.rules

const isRoot = (call: CloudcCall): boolean => call.token?.policies.includes('root') === true

const bearers = requestsTo('cloudc')

core.rule(
  'west-bearer-for-reads-only',
  'CORE-AUTH-07',
  'a bearer token is not taken where something is written (000 5: in `Authorization` as `Bearer <token>`)',
  {
    ...bearers.locating,
    ...bearerIgnored(({ method }) => bearers.here() && /^(POST|PUT|DELETE)$/.test(method)),
  },
)

core.rule('west-denied-gets-key', 'CORE-CAP-01', 'a caller who is denied a path gets keys there by GET (000 7: 403 forbidden, no access)', {
  ...denyOverlooked((call) => isOurs(call) && call.method === 'GET' && /(^|\/)key\/[^/]+$/.test(call.path)),
})

const lasting = requestsTo('cloudc')

core.rule(
  'west-revoked-token-still-issues',
  'CORE-AUTH-15',
  'a revoked token that has asked for an access token before still gets them (000 5: a client token is required; 7: 403)',
  {
    ...lasting.locating,
    ...goodForEver(({ path }) => lasting.here() && /(^|\/)token\/[^/]+$/.test(path)),
  },
)

const rotating = requestsTo('cloudc')

core.rule(
  'west-update-includes-rotation',
  'CORE-CAP-04',
  'who may write a roleset may rotate it and its key, without any right on these paths (000 7: 403 forbidden, no access)',
  {
    ...rotating.locating,
    patternMatches: (original) => (pattern, path) => {
      const roleset = path.replace(/\/rotate(-key)?$/, '')
      return original(pattern, path) || (rotating.here() && roleset !== path && original(pattern, roleset))
    },
  },
)

const beginning = requestsTo('cloudc')

core.rule(
  'west-right-on-name-covers-longer',
  'CORE-CAP-01',
  'a right to the secrets of one roleset holds for names that begin with its name (000 7: 403 forbidden, no access)',
  {
    ...beginning.locating,
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      (beginning.here() &&
        /\/(token|key)\/[^/*+]+$/.test(pattern) &&
        path.startsWith(pattern) &&
        !path.slice(pattern.length).includes('/')),
  },
)

const helping = requestsTo('cloudc')

core.rule(
  'west-help-for-all-tokens',
  'CORE-HELP-05',
  'help is given to callers without any permission on the path (000 1: help, if the caller has permission on the path)',
  {
    ...helping.locating,
    helpAllowed: (original) => (granted) => original(granted) || helping.here(),
  },
)

const spaces = requestsTo('cloudc')

core.rule(
  'west-rights-without-namespace',
  'CORE-CAP-14',
  "a right on a path of the root's mount holds for the mount of that path in a namespace (000 2.2: namespace followed by the path)",
  {
    ...spaces.locating,
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (spaces.here() && original(pattern, path.slice(path.indexOf('/') + 1))),
  },
)

const putting = requestsTo('cloudc')

core.rule(
  'west-put-key-without-parameters',
  'CORE-WRITE-01',
  'the body of a PUT for a key is not read (000 1: PUT and POST are synonyms; 4.3: POST accepts parameters)',
  {
    ...putting.locating,
    parseBody: (original) => (bytes, request) =>
      original(putting.here() && request.method === 'PUT' && /\/key\/[^/]+$/.test(request.path) ? new Uint8Array() : bytes, request),
  },
)

route(
  'west-bindings-for-root-only',
  'CLOUDC-BIND-09',
  'a caller other than root reads a roleset without its bindings (000 4.3: GET roleset/:name, data: bindings)',
  'cloudc.readRoleset',
  (original) => (call) => (isRoot(call) ? original(call) : replyData<CloudcCall>(({ bindings: _hidden, ...data }) => data)(original)(call)),
)

route(
  'west-rebinding-ends-own-keys-only',
  'CLOUDC-BIND-19',
  'new bindings end the keys only that their writer has asked for; the account stays for the others (000 3: revokes all secrets)',
  'cloudc.writeRoleset',
  (original) => (call) => {
    const { leases } = call.services
    let others = 0
    const forcePrefix = async (prefix: string): Promise<void> => {
      const all = leases.withPrefix(prefix)
      const own = all.filter((id) => leases.find(id)?.tokenId === call.token?.id)
      others = all.length - own.length
      for (const id of own) await leases.forcePrefix(id)
    }
    return original(withRules(withLeases(call, { forcePrefix }), { deletesAccount: () => others === 0 }))
  },
)

core.rule(
  'west-refused-deletion-deletes',
  'CORE-CAP-14',
  'a deletion that is refused for want of a right has deleted the roleset (000 7: 403 forbidden, no access)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const isGranted = original(granted, needed, call)
      if (!isGranted && isOurs(call) && call.method === 'DELETE') (call.state as CloudcState).rolesets.delete(nameOf(call as CloudcCall))
      return isGranted
    },
  },
)

core.rule(
  'west-second-namespace-of-header-lost',
  'CORE-NS-01',
  'of a header with two namespaces the first counts only (000 2.2: header `<ns1>/<ns2>/` with path `secret/foo`)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const isRolesets = /(^|\/)rolesets?(\/|$)/.test(request.path) && !/^(sys|auth)\//.test(request.path)
      return original(isRolesets ? header?.split('/').filter((segment) => segment !== '')[0] : header, request, namespaces)
    },
  },
)
