/** Faults of key-value, version 1. */
import type { Json, JsonObject } from '../../core/engine.ts'
import { secret } from '../../core/envelope.ts'
import { plain, stringify } from '../../core/json.ts'
import { type Fault, fault } from '../../core/mutation.ts'
import { kv1Engine } from '../../engines/kv/kv1.ts'

const members = (value: Json | undefined): JsonObject => (value ?? {}) as JsonObject

const lowerCased = (object: Json): Json =>
  Object.fromEntries(Object.entries(members(object)).map(([name, value]) => [name.toLowerCase(), value]))

export const v1Faults: Fault[] = [
  fault(
    kv1Engine,
    { id: 'kv-v1-read-as-text', engine: 'kv', title: 'the stored object comes back as text', clauses: ['KV-V1-01'] },
    { rules: { shown: () => (stored) => secret({ value: stringify(stored) }) } },
  ),
  fault(
    kv1Engine,
    { id: 'kv-v1-nested-twice', engine: 'kv', title: 'the stored object comes back one level too deep', clauses: ['KV-V1-01'] },
    { rules: { shown: () => (stored) => secret({ data: { data: stored } }) } },
  ),
  fault(
    kv1Engine,
    { id: 'kv-v1-first-write-wins', engine: 'kv', title: 'a second write to a key is accepted and dropped', clauses: ['KV-V1-04'] },
    { rules: { replaced: () => (previous, written) => previous ?? written } },
  ),
  fault(
    kv1Engine,
    { id: 'kv-v1-write-dropped', engine: 'kv', title: 'a write is acknowledged and stores nothing', clauses: ['KV-V1-02'] },
    { routes: { 'kv1.write': () => (call) => call.rules.written() } },
  ),
  fault(
    kv1Engine,
    { id: 'kv-v1-merged', engine: 'kv', title: 'a write is merged into the old object', clauses: ['KV-V1-04'] },
    { rules: { replaced: () => (previous, written) => ({ ...members(previous), ...members(written) }) } },
  ),
  fault(
    kv1Engine,
    { id: 'kv-v1-doubles', engine: 'kv', title: 'numbers are kept as doubles', clauses: ['KV-V1-15'] },
    { rules: { replaced: (original) => (previous, written) => plain(original(previous, written)) } },
  ),
  fault(
    kv1Engine,
    { id: 'kv-v1-nulls-dropped', engine: 'kv', title: 'members that are null are left out', clauses: ['KV-V1-06'] },
    {
      rules: {
        replaced: (original) => (previous, written) =>
          Object.fromEntries(Object.entries(members(original(previous, written))).filter(([, value]) => value !== null)),
      },
    },
  ),
  fault(
    kv1Engine,
    { id: 'kv-v1-member-names-lowered', engine: 'kv', title: 'member names are stored in lower case', clauses: ['KV-V1-06'] },
    { rules: { replaced: (original) => (previous, written) => lowerCased(original(previous, written)) } },
  ),
  fault(
    kv1Engine,
    { id: 'kv-v1-absent-200', engine: 'kv', title: 'a key that was never written reads as an empty object', clauses: ['KV-V1-08'] },
    {
      routes: {
        'kv1.read': (original) => (call) =>
          call.state.objects.has(call.rules.keyOf(call.params.path ?? '')) ? original(call) : secret({}),
      },
    },
  ),
  fault(
    kv1Engine,
    { id: 'kv-v1-last-segment', engine: 'kv', title: 'a key is known by its last segment', clauses: ['KV-V1-09'] },
    { rules: { keyOf: () => (path) => path.slice(path.lastIndexOf('/') + 1) } },
  ),
  fault(
    kv1Engine,
    { id: 'kv-v1-first-segment', engine: 'kv', title: 'a key is known by its first segment', clauses: ['KV-V1-09'] },
    { rules: { keyOf: () => (path) => path.split('/')[0] ?? '' } },
  ),
]
