/** Faults of authentication. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Call, Reply } from '../../core/engine.ts'
import { type Fault, fault } from '../../core/mutation.ts'
import type { CoreRules, RouteFacts } from '../../core/rules.ts'
import { isEngineRoute, isRead, isWrite } from './shared.ts'

/** A refusal that comes after the deed. */
const tooLate =
  (original: CoreRules['finish']) =>
  (call: Call<unknown, object>, route: RouteFacts, reply: Reply): Reply =>
    call.token || route.unauthenticated || !isEngineRoute(route)
      ? original(call, route, reply)
      : { status: 403, body: { errors: ['permission denied'] } }

export const tokenFaults: Fault[] = [
  fault(
    coreEngine,
    { id: 'core-list-without-token', engine: 'core', title: 'listings need no token', clauses: ['CORE-AUTH-01'] },
    { rules: { needsToken: (original) => (route) => route?.method !== 'LIST' && original(route) } },
  ),
  fault(
    coreEngine,
    { id: 'core-read-without-token', engine: 'core', title: 'reads need no token', clauses: ['CORE-AUTH-01'] },
    {
      rules: {
        callerRefused: (original) => (given, token, request) =>
          given === undefined && isRead(request) ? undefined : original(given, token, request),
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-wrong-token-reads', engine: 'core', title: 'any token that looks like one may read', clauses: ['CORE-AUTH-03'] },
    {
      rules: {
        callerRefused: (original) => (given, token, request) =>
          given !== undefined && isRead(request) ? undefined : original(given, token, request),
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-wrong-token-401', engine: 'core', title: 'a wrong token is answered with 401', clauses: ['CORE-AUTH-03'] },
    {
      rules: {
        callerRefused: (original) => (given, token, request) =>
          given !== undefined && token === undefined ? 401 : original(given, token, request),
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-no-token-late', engine: 'core', title: 'a write without a token is carried out, then refused', clauses: ['CORE-AUTH-04'] },
    {
      rules: {
        callerRefused: (original) => (given, token, request) =>
          given === undefined && isWrite(request) ? undefined : original(given, token, request),
        finish: tooLate,
      },
    },
  ),
  fault(
    coreEngine,
    {
      id: 'core-wrong-token-late',
      engine: 'core',
      title: 'a write with a wrong token is carried out, then refused',
      clauses: ['CORE-AUTH-05'],
    },
    {
      rules: {
        callerRefused: (original) => (given, token, request) =>
          given !== undefined && isWrite(request) ? undefined : original(given, token, request),
        finish: tooLate,
      },
    },
  ),
  fault(
    coreEngine,
    {
      id: 'core-own-header-ignored',
      engine: 'core',
      title: 'reads look for the token in the header Authorization alone',
      clauses: ['CORE-AUTH-06'],
    },
    {
      rules: {
        tokenOf: (original) => (request, spelling) =>
          original(isRead(request) ? { ...request, headers: { authorization: request.headers.authorization ?? '' } } : request, spelling),
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-bearer-ignored', engine: 'core', title: 'the header Authorization is not read', clauses: ['CORE-AUTH-07'] },
    {
      rules: {
        tokenOf: (original) => (request, spelling) =>
          original({ ...request, headers: { ...request.headers, authorization: '' } }, spelling),
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-bearer-unverified', engine: 'core', title: 'a bearer that was never issued may read', clauses: ['CORE-AUTH-08'] },
    {
      rules: {
        callerRefused: (original) => (given, token, request) =>
          request.headers.authorization && isRead(request) ? undefined : original(given, token, request),
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-bearer-401', engine: 'core', title: 'a wrong bearer is answered with 401', clauses: ['CORE-AUTH-08'] },
    {
      rules: {
        callerRefused: (original) => (given, token, request) => {
          const status = original(given, token, request)
          return status !== undefined && request.headers.authorization ? 401 : status
        },
      },
    },
  ),
]
