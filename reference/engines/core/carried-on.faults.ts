/** Faults that carry something of one answer on into others. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isEngineRoute, withBody } from '../../mutations/request-kinds.ts'

const kv = faultsOf(coreEngine, 'kv')
const pki = faultsOf(coreEngine, 'pki')
const cloudc = faultsOf(coreEngine, 'cloudc')

const listed = remembered(() => new Map<string, Map<string, Reply>>())

kv.rule(
  'get-list-kept-for-caller',
  ['KV-LIST-01', 'KV-LIST-09'],
  'a listing by GET is kept for its caller until that caller writes; what others write does not show',
  {
    finish: (original) => (call, route, reply) => {
      const finished = original(call, route, reply)
      if (!isEngineRoute(route) || !call.token) return finished
      const byToken = listed(call.state as object)
      if (call.method !== 'LIST') {
        if (call.method !== 'GET') byToken.delete(call.token.id)
        return finished
      }
      if (call.query.get('list') !== 'true') return finished
      const own = byToken.get(call.token.id) ?? new Map<string, Reply>()
      byToken.set(call.token.id, own)
      const kept = own.get(call.path) ?? finished
      own.set(call.path, kept)
      return kept
    },
  },
)

cloudc.rule(
  'lease-duration-whole-minutes',
  'CLOUDC-LEASE-02',
  'lease_duration is cut to whole minutes, so that a lease of less than a minute has 0',
  {
    finish: (original) => (call, route, reply) =>
      withBody(original(call, route, reply), (body) => {
        const leased = isEngineRoute(route) && typeof body.lease_duration === 'number' && body.lease_id !== ''
        return leased ? { ...body, lease_duration: Math.floor(Number(body.lease_duration) / 60) * 60 } : body
      }),
  },
)

const lastLease = remembered(() => ({ duration: 0 }))

pki.rule('lease-duration-carried-on', 'CORE-ENV-11', 'the first answer without a lease after one with a lease carries its lease_duration', {
  finish: (original) => (call, route, reply) =>
    withBody(original(call, route, reply), (body: JsonObject) => {
      if (!isEngineRoute(route) || typeof body.lease_duration !== 'number') return body
      const last = lastLease(call.state as object)
      const carried = body.lease_id === '' ? last.duration : body.lease_duration
      last.duration = body.lease_id === '' ? 0 : body.lease_duration
      return { ...body, lease_duration: carried }
    }),
})
