/** Faults of authentication: carriers, wrong tokens and those that have ended. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Call } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { CoreRules, RequestFacts, RouteFacts } from '../../core/rules.ts'
import { goodForEver } from '../../faults/callers.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { isEngineRoute, isRead, isWrite } from '../../faults/request-kinds.ts'
import { reply } from '../../faults/wrappers.ts'

const { rule, route, change, declared } = faultsOf(coreEngine)

rule('list-without-token', 'CORE-AUTH-01', 'listings need no token', {
  needsToken: (original) => (route) => route?.method !== 'LIST' && original(route),
})

type Refused = CoreRules['callerRefused']

/** No refusal of some callers. */
const taking = (where: (given: string | undefined, request: RequestFacts) => boolean) => ({
  callerRefused:
    (original: Refused): Refused =>
    (given, token, request) =>
      where(given, request) ? undefined : original(given, token, request),
})

rule(
  'wrong-token-reads',
  'CORE-AUTH-03',
  'any token that looks like one may read',
  taking((given, request) => given !== undefined && isRead(request)),
)
rule(
  'bearer-unverified',
  'CORE-AUTH-08',
  'a bearer that was never issued may read',
  taking((_given, request) => Boolean(request.headers.authorization) && isRead(request)),
)

/** A refusal that comes after the work was done. */
const tooLate =
  (original: CoreRules['finish']) =>
  (call: Call<unknown, object>, route: RouteFacts, reply: Reply): Reply =>
    call.token || route.unauthenticated || !isEngineRoute(route)
      ? original(call, route, reply)
      : { status: 403, body: { errors: ['permission denied'] } }

rule('no-token-late', 'CORE-AUTH-04', 'a write without a token is carried out, then refused', {
  ...taking((given, request) => given === undefined && isWrite(request)),
  finish: tooLate,
})
rule('wrong-token-late', 'CORE-AUTH-05', 'a write with a wrong token is carried out, then refused', {
  ...taking((given, request) => given !== undefined && isWrite(request)),
  finish: tooLate,
})
rule('own-header-ignored', 'CORE-AUTH-06', 'reads look for the token in the header Authorization alone', {
  tokenOf: (original) => (request, spelling) =>
    original(isRead(request) ? { ...request, headers: { authorization: request.headers.authorization ?? '' } } : request, spelling),
})
rule('bearer-ignored', 'CORE-AUTH-07', 'the header Authorization is not read', {
  tokenOf: (original) => (request, spelling) => original({ ...request, headers: { ...request.headers, authorization: '' } }, spelling),
})
rule('bearer-unknown-to-list', 'CORE-AUTH-07', 'the verb LIST does not know bearer tokens', {
  tokenOf: (original) => (request, spelling) =>
    original(request.method === 'LIST' ? { ...request, headers: { ...request.headers, authorization: '' } } : request, spelling),
})
rule('bearer-401', 'CORE-AUTH-08', 'a wrong bearer is answered with 401', {
  callerRefused: (original) => (given, token, request) => {
    const status = original(given, token, request)
    return status !== undefined && request.headers.authorization ? 401 : status
  },
})
rule('token-with-suffix', ['CORE-AUTH-03', 'CORE-AUTH-05', 'CORE-AUTH-08'], 'what follows a token is passed over', {
  tokenOf: (original) => (request, spelling) => original(request, spelling)?.replace(/^(s\.\w{24}).*$/, '$1'),
})
rule(
  'session-outlives-token',
  ['CORE-AUTH-15', 'CORE-AUTH-16'],
  'a token that was good once stays good',
  goodForEver(() => true),
)
/** Whether the request under way has a header of namespaces: it is decided on at once. */
let hasNamespaceHeader = false
rule('open-endpoint-in-namespace', 'CORE-AUTH-12', 'an unauthenticated endpoint asks for a token where a header names a namespace', {
  effectivePath: (original) => (header, request, namespaces) => {
    hasNamespaceHeader = (header ?? '').replaceAll('/', '') !== ''
    return original(header, request, namespaces)
  },
  needsToken: (original) => (route) => original(route) || (route !== undefined && isEngineRoute(route) && hasNamespaceHeader),
})

const issued = remembered(() => new Set<string>())

/** Ends, with a token, all others that have the same policies. */
const endOfPolicies: Parameters<typeof route>[4] = (original) => async (call) => {
  const { tokens } = call.state
  const { token, accessor } = call.body
  const ended = typeof token === 'string' ? tokens.find(token) : typeof accessor === 'string' ? tokens.findByAccessor(accessor) : call.token
  const given = await original(call)
  const policies = ended?.policies.join()
  if (policies === undefined || policies === 'root' || policies === 'default') return given
  for (const id of issued(call.state)) if (tokens.find(id)?.policies.join() === policies) await tokens.revoke(id)
  return given
}

change('revoked-with-its-like', 'CORE-AUTH-19', 'revoking a token ends the other tokens that have the same policies', {
  routes: {
    'token.create': reply((given, call) => {
      const auth = ((given.body as JsonObject | undefined)?.auth ?? {}) as JsonObject
      issued(call.state).add(String(auth.client_token))
      return given
    }),
    'token.revoke': endOfPolicies,
    'token.revokeAccessor': endOfPolicies,
    'token.revokeSelf': endOfPolicies,
  },
})

export const faults = declared
