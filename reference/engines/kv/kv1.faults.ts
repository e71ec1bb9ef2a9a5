/** Faults of key-value, version 1: what a write keeps, a read shows and a deletion takes. */
import { secret } from '../../core/envelope.ts'
import { notFound } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { kv1Engine } from './kv1.ts'

const { rule, route, change, declared } = faultsOf(kv1Engine, 'kv')

rule('v1-default-lease-time', 'CORE-ENV-11', 'a read of version 1 shows the default lease time', {
  shown: () => (stored, ttl) => secret(stored as JsonObject, { id: '', ttl, renewable: false }),
})

const members = (value: Json | undefined): JsonObject => (value ?? {}) as JsonObject

rule('v1-first-write-wins', 'KV-V1-04', 'a second write to a key is accepted and dropped', {
  replaced: () => (previous, written) => previous ?? written,
})
rule('v1-merged', 'KV-V1-04', 'a write is merged into the old object', {
  replaced: () => (previous, written) => ({ ...members(previous), ...members(written) }),
})
route('v1-write-dropped', 'KV-V1-02', 'a write is acknowledged and stores nothing', 'kv1.write', () => (call) => call.rules.written())

/** Reads another object where the key is absent. */
const absentRead = (id: string, title: string, fits: (key: string, path: string) => boolean): void =>
  route(id, 'KV-V1-08', title, 'kv1.read', (original) => (call) => {
    const path = call.params.path ?? ''
    const instead = call.state.objects.has(path) ? undefined : [...call.state.objects.keys()].find((key) => fits(key, path))
    return original(instead === undefined ? call : { ...call, params: { ...call.params, path: instead } })
  })

absentRead('v1-absent-is-above', 'an absent key is read from the key that is its directory', (key, path) => path.startsWith(`${key}/`))
route(
  'v1-absent-200',
  'KV-V1-08',
  'a key that was never written reads as an empty object',
  'kv1.read',
  (original) => (call) => (call.state.objects.has(call.params.path ?? '') ? original(call) : secret({})),
)

/** How many writes a key still needs. */
const missed = remembered(() => new Map<string, number>())

change('v1-absence-kept', ['KV-V1-01', 'KV-V1-02'], 'a key that was read before its first write stays absent until its second', {
  routes: {
    'kv1.read': (original) => (call) => {
      const path = call.params.path ?? ''
      if (!call.state.objects.has(path)) missed(call.state).set(path, 2)
      if (missed(call.state).get(path)) throw notFound()
      return original(call)
    },
    'kv1.write': (original) => (call) => {
      const path = call.params.path ?? ''
      missed(call.state).set(path, (missed(call.state).get(path) ?? 1) - 1)
      return original(call)
    },
  },
})

export const faults = declared
