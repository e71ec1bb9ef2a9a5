/** Faults of key-value, version 1. */

import { secret } from '../../core/envelope.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { plain, stringify } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { kv1Engine } from './kv1.ts'

const { rule, route } = faultsOf(kv1Engine, 'kv')

const members = (value: Json | undefined): JsonObject => (value ?? {}) as JsonObject

const lowerCased = (object: Json): Json =>
  Object.fromEntries(Object.entries(members(object)).map(([name, value]) => [name.toLowerCase(), value]))

rule('v1-default-lease-time', 'CORE-ENV-11', 'a read of version 1 shows the default lease time', {
  shown: () => (stored, ttl) => secret(stored as JsonObject, { id: '', ttl, renewable: false }),
})
rule('v1-read-as-text', 'KV-V1-01', 'the stored object comes back as text', {
  shown: () => (stored) => secret({ value: stringify(stored) }),
})
rule('v1-nested-twice', 'KV-V1-01', 'the stored object comes back one level too deep', {
  shown: () => (stored) => secret({ data: { data: stored } }),
})
rule('v1-first-write-wins', 'KV-V1-04', 'a second write to a key is accepted and dropped', {
  replaced: () => (previous, written) => previous ?? written,
})
route('v1-write-dropped', 'KV-V1-02', 'a write is acknowledged and stores nothing', 'kv1.write', () => (call) => call.rules.written())
rule('v1-merged', 'KV-V1-04', 'a write is merged into the old object', {
  replaced: () => (previous, written) => ({ ...members(previous), ...members(written) }),
})
rule('v1-doubles', 'KV-V1-15', 'numbers are kept as doubles', {
  replaced: (original) => (previous, written) => plain(original(previous, written)),
})
rule('v1-nulls-dropped', 'KV-V1-06', 'members that are null are left out', {
  replaced: (original) => (previous, written) =>
    Object.fromEntries(Object.entries(members(original(previous, written))).filter(([, value]) => value !== null)),
})
rule('v1-member-names-lowered', 'KV-V1-06', 'member names are stored in lower case', {
  replaced: (original) => (previous, written) => lowerCased(original(previous, written)),
})
route(
  'v1-absent-200',
  'KV-V1-08',
  'a key that was never written reads as an empty object',
  'kv1.read',
  (original) => (call) => (call.state.objects.has(call.rules.keyOf(call.params.path ?? '')) ? original(call) : secret({})),
)
rule('v1-last-segment', 'KV-V1-09', 'a key is known by its last segment', { keyOf: () => (path) => path.slice(path.lastIndexOf('/') + 1) })
rule('v1-first-segment', 'KV-V1-09', 'a key is known by its first segment', { keyOf: () => (path) => path.split('/')[0] ?? '' })
