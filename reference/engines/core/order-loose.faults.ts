/** Faults of the conventions that come with time and order: after a write, a deletion, a revocation, a failure, at a second call. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import type { CoreRules, RequestFacts } from '../../core/rules.ts'
import { goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning, isRead, isWrite } from '../../mutations/request-kinds.ts'
import { type AnyCall, asksList, isOrdinary, isThere, noting, placeOf, verbOf } from './loose-words.ts'

const { rule } = faultsOf(coreEngine)

rule(
  'ended-token-lists',
  ['CORE-AUTH-15'],
  'a token that has listed goes on to list after its end (000 5.1, 7: 403)',
  goodForEver(asksList),
)

rule(
  'ended-token-writes',
  ['CORE-AUTH-15'],
  'a token that has written goes on to write after its end (000 5.1, 7: 403)',
  goodForEver(isWrite),
)

rule('ended-token-helps', ['CORE-AUTH-15'], 'a token that was good once gets help after its end (000 1.7, 5.1)', {
  callerRefused: (original) => {
    const seen = new Set<string>()
    return (given, token, request) => {
      if (given !== undefined && token) seen.add(given)
      return request.query.get('help') === '1' && given !== undefined && seen.has(given) ? undefined : original(given, token, request)
    }
  },
})

/** Listings come from a cache that only some requests clear. */
const staleLists = (isCached: (call: AnyCall) => boolean, clears: (call: AnyCall) => boolean) => ({
  finish: (original: CoreRules['finish']): CoreRules['finish'] => {
    const cached = new Map<string, Json>()
    return (call, route, reply) => {
      const given = original(call, route, reply)
      if (!isOrdinary(call, route)) return given
      if (clears(call)) cached.clear()
      if (call.method !== 'LIST' || given.body === undefined || !isCached(call)) return given
      const body = cached.get(placeOf(call)) ?? given.body
      cached.set(placeOf(call), body)
      return { ...given, body }
    }
  },
})

rule(
  'query-list-stale',
  ['CORE-LIST-02'],
  'a listing by GET with list=true is cached for ever, one by the verb LIST is not (000 1.5: either)',
  staleLists(
    ({ query }) => query.get('list') === 'true',
    () => false,
  ),
)

/** Refuses a write by whether its object is there. */
const whileThere = (there: boolean, status: number, where: (call: AnyCall) => boolean) => ({
  ...noting,
  check:
    (original: CoreRules['check']): CoreRules['check'] =>
    (call, route) => {
      if (isOrdinary(call, route) && call.method === 'POST' && where(call) && isThere(call, route) === there) {
        throw new ApiError(status, there ? 'already exists' : 'does not exist')
      }
      original(call, route)
    },
})

rule(
  'post-creates-only',
  ['CORE-CAP-10'],
  'POST to an object that is there is refused, PUT is not (000 1.6: synonyms)',
  whileThere(true, 400, (call) => verbOf(call) === 'POST'),
)

rule(
  'put-creates-only',
  ['CORE-WRITE-01'],
  'PUT to an object that is there is refused, POST is not (000 1.6: synonyms)',
  whileThere(true, 400, (call) => verbOf(call) === 'PUT'),
)

rule('recreation-is-update', ['CORE-CAP-19'], 'a path that was written before asks for update even after a deletion (000 1.6)', {
  capabilityGranted: (original) => {
    const known = new Set<string>()
    return (granted, needed, call) => {
      if (call === undefined || call.method !== 'POST' || /^(sys|auth)\//.test(call.path)) return original(granted, needed, call)
      const key = placeOf(call)
      const asked = needed === 'create' && known.has(key) ? 'update' : needed
      if (original(granted, asked, call)) known.add(key)
      return original(granted, asked, call)
    }
  },
})

const sealedStatus = (status: (request: RequestFacts) => number | undefined) => ({
  outOfService:
    (original: CoreRules['outOfService']): CoreRules['outOfService'] =>
    (seal, request) => {
      const unavailable = original(seal, request)
      return unavailable === 503 && !isProvisioning(request) ? status(request) : unavailable
    },
})

rule(
  'sealed-reads-anew',
  ['CORE-SEAL-01', 'CORE-SEAL-02'],
  'a sealed service goes on to answer reads (000 3, 7: 503)',
  sealedStatus((request) => (isRead(request) ? undefined : 503)),
)
