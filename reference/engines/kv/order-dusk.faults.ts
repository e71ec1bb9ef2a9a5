/** Faults of time and order: second calls, after deletion, re-creation, restoring, updates. */
import type { Json, JsonObject } from '../../core/json.ts'
import { parseExact, stringify } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isMembers, pathOf } from './dusk-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { type Kv2Route, recordOf } from './kv2-data.ts'
import { type KeyRecord, versionShown } from './records.ts'

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')
type Handle2 = Kv2Route['handle']

/** What is written, with the ends of arrays that were longer before. */
const overlaid = (previous: Json | undefined, written: Json): Json => {
  if (Array.isArray(previous) && Array.isArray(written)) return [...written, ...previous.slice(written.length)]
  if (!isMembers(previous) || !isMembers(written)) return written
  return Object.fromEntries(Object.entries(written).map(([name, member]) => [name, overlaid(previous[name], member)]))
}
v2.rule(
  'dusk-shorter-array-keeps-end',
  'KV-V2-06',
  'an array shorter than in the version before keeps the end of that (000 4.1: body has data object; 1.4)',
  {
    replaced: (original) => (previous, written) => overlaid(previous, original(previous, written)),
  },
)

v2.route(
  'dusk-equal-write-skipped',
  'KV-V2-14',
  'a write equal to the newest version is skipped even if that is deleted, and the key stays hidden (000 4.1: POST data/<key>; 1.4)',
  'kv2.write',
  (original) => (call) => {
    const record = recordOf(call)
    const newest = record?.versions.get(record.current)
    const { data } = parseExact(call.text) as JsonObject
    if (!record || newest?.data === undefined || data === undefined || stringify(data) !== stringify(newest.data)) return original(call)
    return call.rules.written(versionShown(record, record.current, newest))
  },
)

v2.rule(
  'dusk-destroy-after-delete-nothing',
  'KV-V2-11',
  'a deleted version is not destroyed, undelete restores it (000 1.8: destroy removes permanently)',
  {
    destroyed: (original) => (version) => (version.deletedAt === undefined ? original(version) : version),
  },
)

const restored = remembered(() => new Set<number>())
const sparingRestored =
  (original: Handle2): Handle2 =>
  async (call) => {
    const record = recordOf(call)
    const before = new Map(record?.versions)
    const reply = await original(call)
    for (const [number, version] of before) if (record && restored(record).has(number)) record.versions.set(number, version)
    return reply
  }
v2.change(
  'dusk-restored-stays',
  'CORE-CAP-04',
  'a version that was restored once cannot be deleted again (000 1.8: delete marks versions deleted)',
  {
    routes: {
      'kv2.undeleteVersions': (original) => async (call) => {
        const record = recordOf(call)
        const before = new Map(record?.versions)
        const reply = await original(call)
        for (const [number, version] of record?.versions ?? []) {
          const isRestored = version.deletedAt === undefined && before.get(number)?.deletedAt !== undefined
          if (record && isRestored) restored(record).add(number)
        }
        return reply
      },
      'kv2.deleteVersions': sparingRestored,
      'kv2.deleteLatest': sparingRestored,
    },
  },
)

const directories = remembered(() => new Set<string>())
v1.change(
  'dusk-emptied-directory-listed',
  'KV-LIST-05',
  'a directory is listed above still after its last key is gone (000 1.5: returns the keys at the path)',
  {
    routes: {
      'kv1.write': (original) => async (call) => {
        const reply = await original(call)
        const path = pathOf(call)
        if (path.includes('/')) directories(call.state).add(path.slice(0, path.lastIndexOf('/') + 1))
        return reply
      },
      'kv1.list': (original) => (call) => {
        const others = [...directories(call.state)].filter((name) => name !== `${call.params.directory ?? ''}/`)
        const objects = new Map([...call.state.objects, ...others.map((name): [string, Json] => [name, null])])
        return original({ ...call, state: { objects } })
      },
    },
  },
)

const latestReads = new WeakMap<KeyRecord, Reply>()
const forgetting =
  (original: Handle2): Handle2 =>
  (call) => {
    const record = recordOf(call)
    if (record) latestReads.delete(record)
    return original(call)
  }
v2.change(
  'dusk-destroyed-in-read-cache',
  'KV-V2-08',
  'a key that was read is shown still after its version is deleted or destroyed by number (000 1.8)',
  {
    routes: {
      'kv2.read': (original) => async (call) => {
        const record = recordOf(call)
        if (!record || call.query.has('version')) return original(call)
        const reply = latestReads.get(record) ?? (await original(call))
        latestReads.set(record, reply)
        return reply
      },
      'kv2.write': forgetting,
      'kv2.deleteLatest': forgetting,
    },
  },
)

v2.rule('dusk-undelete-toggles', 'KV-V2-09', 'undelete of a version that is not deleted deletes it (000 1.8: undelete restores versions)', {
  undeleted: (original) => (version) =>
    version.deletedAt === undefined && !version.destroyed ? { ...version, deletedAt: version.createdAt } : original(version),
})

v2.route(
  'dusk-undelete-on-top',
  'KV-V2-10',
  'restoring an older version makes it the newest, before what was written after it (000 1.8: undelete restores; 1.4)',
  'kv2.undeleteVersions',
  (original) => async (call) => {
    const record = recordOf(call)
    const before = new Map(record?.versions)
    const reply = await original(call)
    for (const [number, { deletedAt }] of before) {
      const version = record?.versions.get(number)
      if (!record || !version || deletedAt === undefined || version.deletedAt !== undefined || number === record.current) continue
      record.current += 1
      record.versions.set(record.current, { ...version, createdAt: call.now() })
    }
    return reply
  },
)

v2.route(
  'dusk-custom-metadata-starts-anew',
  'KV-V2-02',
  'writing custom metadata of a key that has data starts its record anew, without versions (000 4.1: POST data/<key>; 1.4)',
  'kv2.writeMetadata',
  (original) => async (call) => {
    const reply = await original(call)
    const record = recordOf(call)
    if (record && call.body.custom_metadata !== undefined) Object.assign(record, { versions: new Map(), current: 0 })
    return reply
  },
)

const graves = remembered(() => new Map<string, Json>())
v1.change(
  'dusk-recreated-with-old-object',
  'KV-V1-01',
  'the first write after a deletion brings back the object from before it (000 4.1: stored)',
  {
    routes: {
      'kv1.delete': (original) => async (call) => {
        const previous = call.state.objects.get(pathOf(call))
        const reply = await original(call)
        if (previous !== undefined) graves(call.state).set(pathOf(call), previous)
        return reply
      },
      'kv1.write': (original) => async (call) => {
        const reply = await original(call)
        const previous = graves(call.state).get(pathOf(call))
        if (previous !== undefined) call.state.objects.set(pathOf(call), previous)
        graves(call.state).delete(pathOf(call))
        return reply
      },
    },
  },
)

const unlisted = new WeakSet<KeyRecord>()
v2.change(
  'dusk-restored-not-listed',
  'KV-LIST-09',
  'a key whose deleted version was restored is missing in listings (000 1.5: the keys at the path; 1.8)',
  {
    routes: {
      'kv2.deleteLatest': (original) => async (call) => {
        const reply = await original(call)
        const record = recordOf(call)
        if (record) unlisted.add(record)
        return reply
      },
      'kv2.write': (original) => async (call) => {
        const reply = await original(call)
        const record = recordOf(call)
        if (record) unlisted.delete(record)
        return reply
      },
      'kv2.list': (original) => (call) => {
        const keys = new Map([...call.state.keys].filter(([, record]) => !unlisted.has(record)))
        return original({ ...call, state: { ...call.state, keys } })
      },
    },
  },
)
