/** Faults of the conventions: time and order. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Tokens } from '../../core/tokens.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { placeOf, sentPlace } from './lark-help.ts'

const { rule, change } = faultsOf(coreEngine, 'core')

const failedAt = new Set<string>()
rule(
  'lark-after-wrong-token',
  'CORE-AUTH-15',
  'after a wrong token, the next request with the same verb and path is refused though its token is good (000, 5.1: the client token gives access)',
  {
    callerRefused: (original) => (given, token, request) => {
      const refused = original(given, token, request)
      if (isProvisioning(request)) return refused
      const key = `${request.method} ${sentPlace(request)}`
      if (refused === undefined) return failedAt.delete(key) ? 403 : undefined
      if (given !== undefined) failedAt.add(key)
      return refused
    },
  },
)

const bornAt = remembered(() => new Map<string, number>())
rule(
  'lark-young-is-create',
  'CORE-CAP-10',
  'for two seconds after a secret was created, writing it again counts as a create (000, 1.6: the existence check decides whether a write is an update)',
  {
    finish: (original) => (call, facts, reply) => {
      const born = bornAt(call.services)
      const place = placeOf(call)
      if (/^kv[12]\.write$/.test(facts.id) && !born.has(place)) born.set(place, call.now())
      if (call.method === 'DELETE') born.delete(place)
      return original(call, facts, reply)
    },
    capabilityGranted: (original) => (granted, needed, call) => {
      const at = call && needed === 'update' ? bornAt(call.services).get(placeOf(call)) : undefined
      return original(granted, at !== undefined && call!.now() - at < 2 ? 'create' : needed, call)
    },
  },
)

const grantedOnce = remembered(() => new Set<string>())
rule(
  'lark-granted-once',
  'CORE-CAP-21',
  'a token that was granted one capability on a path has all but sudo there from then on (000, 1.6: policies distinguish the create and update capabilities)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const good = original(granted, needed, call)
      if (!call?.token || needed === 'sudo' || granted.has('deny')) return good
      const known = grantedOnce(call.services)
      const key = `${call.token.id} ${placeOf(call)}`
      if (good) known.add(key)
      return known.has(key)
    },
  },
)

rule(
  'lark-sealed-lists',
  'CORE-SEAL-01',
  'the verb LIST is answered as before once the service is sealed (000, 3 and 7: 503 while sealed)',
  {
    outOfService: (original) => (seal, request) => (seal.initialized && request.method === 'LIST' ? undefined : original(seal, request)),
  },
)

const unused = new Map<string, { tokens: Tokens; ttl: number }>()
change(
  'lark-life-from-first-use',
  'CORE-AUTH-16',
  'the lifetime of a token begins with its first use, so that one never used is good after its expiry (000, 7: 403 for wrong credentials)',
  {
    routes: {
      'token.create': (original) => async (call) => {
        const reply = await original(call)
        const { tokens } = call.state
        const auth = ((reply.body as JsonObject | undefined)?.auth ?? {}) as JsonObject
        const token = tokens.find(String(auth.client_token))
        if (token?.expiresAt === undefined || token.ttl > 3600) return reply
        const { ttl } = token
        tokens.renew(token, 86_400)
        token.ttl = ttl
        unused.set(token.id, { tokens, ttl })
        return reply
      },
    },
    rules: {
      callerRefused: (original) => (given, token, request) => {
        const waiting = token && unused.get(token.id)
        if (token && waiting) {
          unused.delete(token.id)
          waiting.tokens.renew(token, waiting.ttl)
        }
        return original(given, token, request)
      },
    },
  },
)

const missed = new Set<string>()
rule(
  'lark-missed-twice',
  'CORE-CAP-14',
  'a read of what does not exist answers 200 with null from the second time on (000, 7: 404 invalid path)',
  {
    failure: (original) => (status, body, request) => {
      const given = original(status, body, request)
      const { errors } = body as { errors?: Json[] }
      const isKeyRead = request.method === 'GET' && !isProvisioning(request) && request.query.size === 0
      if (status !== 404 || !isKeyRead || errors?.length !== 0) return given
      const place = sentPlace(request)
      if (missed.has(place)) {
        const envelope = { lease_id: '', renewable: false, lease_duration: 0, data: null, wrap_info: null, warnings: null, auth: null }
        return { status: 200, body: envelope }
      }
      missed.add(place)
      return given
    },
  },
)
