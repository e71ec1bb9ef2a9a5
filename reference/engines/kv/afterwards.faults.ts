/** Faults that show after something else: a second call, a deletion, a read of what was not there. */
import { notFound } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { type Kv1State, kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { recordOf } from './kv2-data.ts'

const one = faultsOf(kv1Engine, 'kv')

const two = faultsOf(kv2Engine, 'kv')

const isMap = (value: Json): value is JsonObject =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype

two.rule('time-destroy-deleted', 'KV-V2-11', 'a version that was deleted before it was destroyed can be restored', {
  destroyed: (original) => (version) => (version.deletedAt === undefined ? original(version) : { ...version, destroyed: true }),
  undeleted: () => (version) => (version.data === undefined ? version : { ...version, deletedAt: undefined, destroyed: false }),
})
two.rule('time-second-delete-restores', 'KV-V2-08', 'deleting a version that is deleted restores it', {
  deleted: (original) => (version, now) =>
    version.deletedAt !== undefined && version.deletedAt <= now && !version.destroyed
      ? { ...version, deletedAt: undefined }
      : original(version, now),
})
const deletedObjects = new WeakMap<Kv1State, Map<string, Json>>()
one.change('time-recreated-merges', 'KV-V1-04', 'a key written again after its deletion has its old members too', {
  routes: {
    'kv1.delete': (original) => (call) => {
      const path = call.params.path ?? ''
      const previous = call.state.objects.get(path)
      const kept = deletedObjects.get(call.state) ?? new Map<string, Json>()
      if (previous !== undefined) kept.set(path, previous)
      deletedObjects.set(call.state, kept)
      return original(call)
    },
    'kv1.write': (original) => async (call) => {
      const reply = await original(call)
      const path = call.params.path ?? ''
      const old = deletedObjects.get(call.state)?.get(path)
      const written = call.state.objects.get(path)
      if (old !== undefined && written !== undefined && isMap(old) && isMap(written)) call.state.objects.set(path, { ...old, ...written })
      deletedObjects.get(call.state)?.delete(path)
      return reply
    },
  },
})
const missed = new WeakMap<Kv1State, Map<string, number>>()
one.change('time-absence-cached', ['KV-V1-01', 'KV-V1-02'], 'a key that was read before its first write stays absent until its second', {
  routes: {
    'kv1.read': (original) => (call) => {
      const path = call.params.path ?? ''
      const known = missed.get(call.state) ?? new Map<string, number>()
      missed.set(call.state, known)
      if (!call.state.objects.has(path)) known.set(path, 2)
      if (known.get(path)) throw notFound()
      return original(call)
    },
    'kv1.write': (original) => (call) => {
      const path = call.params.path ?? ''
      const left = missed.get(call.state)?.get(path)
      if (left) missed.get(call.state)?.set(path, left - 1)
      return original(call)
    },
  },
})
two.route(
  'time-write-after-destroy',
  ['KV-V2-02', 'KV-V2-06'],
  'a write after the newest version was destroyed cannot be read',
  'kv2.write',
  (original) => async (call) => {
    const before = recordOf(call)
    const wasDestroyed = before?.versions.get(before.current)?.destroyed ?? false
    const reply = await original(call)
    const record = recordOf(call)
    const version = record?.versions.get(record.current)
    if (wasDestroyed && record && version) record.versions.set(record.current, { ...version, destroyed: true })
    return reply
  },
)
