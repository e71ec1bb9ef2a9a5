/** Faults of time and order: the second call, what was before, deletion and re-creation. */
import { ApiError, notFound } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isObject, parentOf } from './dawn-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { type KeyRecord, newRecord } from './records.ts'

const kv1 = faultsOf(kv1Engine, 'kv')
const kv2 = faultsOf(kv2Engine, 'kv')

kv2.rule(
  'dawn-inner-objects-merged',
  'KV-V2-06',
  'v2: an object within the secret keeps members of the previous version that the new one leaves out (000 4.1: body has data object)',
  {
    replaced: (original) => (previous, written) => {
      if (!isObject(previous) || !isObject(written)) return original(previous, written)
      const merged = Object.entries(written).map(([name, member]) => {
        const before = previous[name]
        return [name, isObject(member) && isObject(before) ? { ...before, ...member } : member] as const
      })
      return original(previous, Object.fromEntries(merged))
    },
  },
)

kv2.rule(
  'dawn-destroy-skips-deleted',
  'KV-V2-11',
  'v2: a version that was deleted before it was destroyed can be undeleted (000 1.8: permanently)',
  {
    destroyed: (original) => (version) => (version.deletedAt === undefined ? original(version) : version),
  },
)

const marks = new WeakMap<object, number>()
kv2.rule(
  'dawn-deletions-counted',
  'KV-V2-09',
  'v2: a version deleted twice has to be undeleted twice (000 1.8: undelete restores versions)',
  {
    deleted: (original) => (version, now) => {
      const count = marks.get(version) ?? 0
      const deleted = original(version, now)
      marks.set(deleted, count + 1)
      return deleted
    },
    undeleted: (original) => (version) => {
      const left = Math.max(0, (marks.get(version) ?? 0) - 1)
      const restored = left > 0 ? { ...version } : original(version)
      marks.set(restored, left)
      return restored
    },
  },
)

const restoredOnce = new WeakSet<object>()
kv2.rule(
  'dawn-undelete-only-once',
  'KV-V2-09',
  'v2: a version that was restored once stays hidden after its next deletion (000 1.8: undelete)',
  {
    deleted: (original) => (version, now) => {
      const deleted = original(version, now)
      if (restoredOnce.has(version)) restoredOnce.add(deleted)
      return deleted
    },
    undeleted: (original) => (version) => {
      if (restoredOnce.has(version) || version.deletedAt === undefined) return version
      const restored = original(version)
      restoredOnce.add(restored)
      return restored
    },
  },
)

const directories = remembered(() => new Set<string>())
kv1.change(
  'dawn-directory-outlives-objects',
  'KV-LIST-05',
  'v1: a directory stays in the listing above it when its last object is deleted (000 1.5: the keys at the path, empty listing 404)',
  {
    routes: {
      'kv1.write': (original) => async (call) => {
        const reply = await original(call)
        for (let path = parentOf(call.params.path ?? ''); path !== ''; path = parentOf(path)) directories(call.state).add(path)
        return reply
      },
      'kv1.list': (original) => (call) => {
        const listed = call.params.directory ?? ''
        const others = [...directories(call.state)].filter((path) => path !== listed)
        const objects = new Map([...call.state.objects, ...others.map((path) => [`${path}/`, {}] as const)])
        return original({ ...call, state: { objects } })
      },
    },
  },
)

const numbered = remembered(() => new Map<string, Reply>())
kv2.route(
  'dawn-version-read-kept',
  'KV-V2-10',
  'v2: a version that was read by its number can be read for ever, after it is deleted or destroyed (000 1.8: removes versions permanently)',
  'kv2.read',
  (original) => async (call) => {
    const number = Number(call.query.get('version') ?? 0)
    if (!(number > 0)) return original(call)
    const name = `${number} ${call.params.path}`
    const reply = numbered(call.state).get(name) ?? (await original(call))
    numbered(call.state).set(name, reply)
    return reply
  },
)

const emptyOnce = remembered(() => new Set<string>())
kv1.route(
  'dawn-empty-for-ever',
  'KV-LIST-01',
  'v1: a directory that was listed while it was empty is answered with 404 although there are objects in it now (000 1.5: the keys at the path)',
  'kv1.list',
  (original) => async (call) => {
    const directory = call.params.directory ?? ''
    if (emptyOnce(call.state).has(directory)) throw notFound()
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof ApiError && cause.status === 404) emptyOnce(call.state).add(directory)
      throw cause
    }
  },
)

const fronts = new WeakMap<KeyRecord, { number: number; current: number }>()
kv2.change(
  'dawn-restored-is-newest',
  'KV-V2-09',
  'v2: after an older version is undeleted, reads without number show it in place of what was written last (000 1.4, 1.8)',
  {
    rules: {
      latest: (original) => (record, now) => {
        const front = fronts.get(record)
        return front?.current === record.current ? front.number : original(record, now)
      },
    },
    routes: {
      'kv2.undeleteVersions': (original) => async (call) => {
        const reply = await original(call)
        const record = call.state.keys.get(call.rules.keyOf(call.params.path ?? ''))
        const named = Array.isArray(call.body.versions) ? call.body.versions.map(Number) : []
        const number = named.filter((candidate) => record?.versions.get(candidate)?.destroyed === false).at(-1)
        if (record && number !== undefined) fronts.set(record, { number, current: record.current })
        return reply
      },
    },
  },
)

kv2.rule(
  'dawn-deleted-instead-of-destroyed',
  'KV-V2-11',
  'v2: a destroyed version that is deleted afterwards counts as deleted only and can be undeleted (000 1.8: permanently)',
  {
    destroyed: () => (version) => ({ ...version, destroyed: true }),
    deleted: (original) => (version, now) => original({ ...version, destroyed: false }, now),
  },
)

kv2.route(
  'dawn-refused-write-leaves-key',
  'KV-V2-04',
  'v2: a write that is refused for its body leaves the key in the listing (000 1.5: the keys at the path, 7: 400)',
  'kv2.write',
  (original) => async (call) => {
    const path = call.params.path ?? ''
    try {
      return await original(call)
    } catch (cause) {
      if (path !== '' && !path.endsWith('/') && !call.state.keys.has(path)) call.state.keys.set(path, newRecord(call.now()))
      throw cause
    }
  },
)
