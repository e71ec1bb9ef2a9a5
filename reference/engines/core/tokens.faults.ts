/** Faults of authentication. */

import { coreEngine } from '../../core/core-engine.ts'
import type { Call } from '../../core/engine.ts'
import type { Reply } from '../../core/reply.ts'
import type { CoreRules, RouteFacts } from '../../core/rules.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isEngineRoute, isRead, isWrite } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine)

/** A refusal that comes after the work was done. */
const tooLate =
  (original: CoreRules['finish']) =>
  (call: Call<unknown, object>, route: RouteFacts, reply: Reply): Reply =>
    call.token || route.unauthenticated || !isEngineRoute(route)
      ? original(call, route, reply)
      : { status: 403, body: { errors: ['permission denied'] } }

rule('list-without-token', 'CORE-AUTH-01', 'listings need no token', {
  needsToken: (original) => (route) => route?.method !== 'LIST' && original(route),
})
rule('read-without-token', 'CORE-AUTH-01', 'reads need no token', {
  callerRefused: (original) => (given, token, request) =>
    given === undefined && isRead(request) ? undefined : original(given, token, request),
})
rule('wrong-token-reads', 'CORE-AUTH-03', 'any token that looks like one may read', {
  callerRefused: (original) => (given, token, request) =>
    given !== undefined && isRead(request) ? undefined : original(given, token, request),
})
rule('wrong-token-401', 'CORE-AUTH-03', 'a wrong token is answered with 401', {
  callerRefused: (original) => (given, token, request) =>
    given !== undefined && token === undefined ? 401 : original(given, token, request),
})
rule('no-token-late', 'CORE-AUTH-04', 'a write without a token is carried out, then refused', {
  callerRefused: (original) => (given, token, request) =>
    given === undefined && isWrite(request) ? undefined : original(given, token, request),
  finish: tooLate,
})
rule('wrong-token-late', 'CORE-AUTH-05', 'a write with a wrong token is carried out, then refused', {
  callerRefused: (original) => (given, token, request) =>
    given !== undefined && isWrite(request) ? undefined : original(given, token, request),
  finish: tooLate,
})
rule('own-header-ignored', 'CORE-AUTH-06', 'reads look for the token in the header Authorization alone', {
  tokenOf: (original) => (request, spelling) =>
    original(isRead(request) ? { ...request, headers: { authorization: request.headers.authorization ?? '' } } : request, spelling),
})
rule('bearer-ignored', 'CORE-AUTH-07', 'the header Authorization is not read', {
  tokenOf: (original) => (request, spelling) => original({ ...request, headers: { ...request.headers, authorization: '' } }, spelling),
})
rule('bearer-unverified', 'CORE-AUTH-08', 'a bearer that was never issued may read', {
  callerRefused: (original) => (given, token, request) =>
    request.headers.authorization && isRead(request) ? undefined : original(given, token, request),
})
rule('bearer-401', 'CORE-AUTH-08', 'a wrong bearer is answered with 401', {
  callerRefused: (original) => (given, token, request) => {
    const status = original(given, token, request)
    return status !== undefined && request.headers.authorization ? 401 : status
  },
})
