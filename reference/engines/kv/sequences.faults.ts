/** Faults that only certain sequences of requests show. */

import { notFound } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { type Kv2Route, recordOf } from './kv2-data.ts'

const kv1 = faultsOf(kv1Engine, 'kv')
const kv2 = faultsOf(kv2Engine, 'kv')

/** What a fault remembers of a mount, by its state. */
const memory = <T>(): ((state: object) => Map<string, T>) => {
  const byState = new WeakMap<object, Map<string, T>>()
  return (state) => {
    const known = byState.get(state) ?? new Map<string, T>()
    byState.set(state, known)
    return known
  }
}

const readReplies = memory<Reply>()

const listReplies = memory<Reply>()

const absences = memory<true>()

const isObject = (value: Json | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && Object.getPrototypeOf(value) === Object.prototype

/** Members that are objects in both are merged; all others are replaced. */
const mergedBelow = (previous: Json | undefined, written: Json): Json => {
  if (!isObject(previous) || !isObject(written)) return written
  const merge = (name: string, value: Json): Json => (isObject(previous[name]) && isObject(value) ? { ...previous[name], ...value } : value)
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [name, merge(name, value)]))
}

const onAllVersions =
  (original: Kv2Route['handle']): Kv2Route['handle'] =>
  (call) =>
    original({ ...call, body: { ...call.body, versions: [...(recordOf(call)?.versions.keys() ?? [])] } })

/** A time that no test lives to see, in seconds since the epoch. */
const FAR_AWAY = 4_000_000_000

kv1.route(
  'v1-read-cached',
  'KV-V1-04',
  'what was read once is read again, whatever was written',
  'kv1.read',
  (original) => async (call) => {
    const replies = readReplies(call.state)
    const reply = replies.get(call.path) ?? (await original(call))
    replies.set(call.path, reply)
    return reply
  },
)
kv1.route('v1-absence-cached', 'KV-V1-01', 'a key that was once found absent stays so', 'kv1.read', (original) => (call) => {
  const known = absences(call.state)
  if (!call.state.objects.has(call.rules.keyOf(call.params.path ?? ''))) known.set(call.path, true)
  if (known.has(call.path)) throw notFound()
  return original(call)
})
kv1.route('list-cached', 'KV-LIST-01', 'a listing stays as it was at first', 'kv1.list', (original) => async (call) => {
  const replies = listReplies(call.state)
  const reply = replies.get(call.path) ?? (await original(call))
  replies.set(call.path, reply)
  return reply
})
kv1.rule('v1-nested-merged', 'KV-V1-04', 'objects within the object are merged with the old ones', { replaced: () => mergedBelow })
kv2.rule('v2-nested-merged', 'KV-V2-06', 'objects within the object are merged with those of the version before', {
  replaced: () => mergedBelow,
})
kv2.rule('v2-versions-by-text', 'KV-V2-06', 'version 9 counts as newer than version 10', {
  latest: () => (record) => Number([...record.versions.keys()].map(String).sort().at(-1)),
})
kv2.route(
  'v2-undelete-all',
  ['KV-V2-08', 'KV-V2-12', 'KV-V2-13'],
  'undeleting one version restores all',
  'kv2.undeleteVersions',
  onAllVersions,
)
kv2.rule('v2-deleted-once', 'KV-V2-08', 'a version that was undeleted cannot be deleted again', {
  deleted: (original) => (version, now) => (version.deletedAt === undefined ? original(version, now) : version),
  undeleted: (original) => (version) => (version.destroyed ? original(version) : { ...version, deletedAt: FAR_AWAY }),
})
