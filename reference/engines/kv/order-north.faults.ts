/** Faults of time and order: the second call, after deletion, after re-creation, after a refusal, at the same time. */
import { secret } from '../../core/envelope.ts'
import { ApiError, notFound } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { recordOf } from './kv2-data.ts'
import { isRecord, pathIn } from './north-help.ts'

const kv1 = faultsOf(kv1Engine, 'kv')
const kv2 = faultsOf(kv2Engine, 'kv')

kv1.rule(
  'north-members-stay-after-update',
  'KV-V1-03',
  'members that a later write leaves out stay (000 4.1: POST or PUT /v1/secret/<key>, JSON object body, stored)',
  {
    replaced: (original) => (previous, written) => {
      const kept = original(previous, written)
      return isRecord(previous) && isRecord(kept) ? { ...previous, ...kept } : kept
    },
  },
)

kv2.route(
  'north-write-restores-deleted-versions',
  'KV-V2-08',
  'writing a new version takes the marks of deletion off the older ones (000 1.8: delete marks versions deleted)',
  'kv2.write',
  (original) => async (call) => {
    const given = await original(call)
    const { versions } = recordOf(call) ?? {}
    for (const [number, version] of versions ?? []) versions?.set(number, call.rules.undeleted(version))
    return given
  },
)

kv2.rule(
  'north-destroyed-after-deletion-restored',
  'KV-V2-11',
  'a version that was deleted before it was destroyed comes back with undelete (000 1.8: destroy removes versions permanently)',
  {
    destroyed: (original) => (version) => (version.deletedAt === undefined ? original(version) : { ...version, destroyed: true }),
    undeleted: (original) => (version) =>
      version.destroyed && version.data !== undefined ? { ...version, destroyed: false, deletedAt: undefined } : original(version),
  },
)

kv2.rule(
  'north-second-deletion-undoes-first',
  'KV-V2-08',
  'deleting a version that is deleted shows it again (000 1.8: delete marks versions deleted)',
  {
    deleted: (original) => (version, now) =>
      !version.destroyed && version.deletedAt !== undefined && version.deletedAt <= now
        ? { ...version, deletedAt: undefined }
        : original(version, now),
  },
)

const listed = remembered(() => new Set<string>())
kv1.route(
  'north-emptied-directory-listed',
  'KV-LIST-05',
  'a directory that was listed and has lost its keys since is an empty 200 (000 1.5: an empty listing returns 404)',
  'kv1.list',
  (original) => async (call) => {
    const directory = call.params.directory ?? ''
    try {
      const given = await original(call)
      listed(call.state).add(directory)
      return given
    } catch (cause) {
      if (!listed(call.state).has(directory)) throw cause
      return secret({ keys: [] })
    }
  },
)

const absent = remembered(() => new Set<string>())
kv1.change(
  'north-absence-remembered',
  'CORE-MOUNT-02',
  'a key that was asked for before its first write stays absent until it is updated (000 1.4: read with GET, written with POST)',
  {
    routes: {
      'kv1.read': (original) => async (call) => {
        if (absent(call.state).has(pathIn(call))) throw notFound()
        try {
          return await original(call)
        } catch (cause) {
          if (cause instanceof ApiError && cause.status === 404) absent(call.state).add(pathIn(call))
          throw cause
        }
      },
      'kv1.write': (original) => (call) => {
        if (call.state.objects.has(call.rules.keyOf(pathIn(call)))) absent(call.state).delete(pathIn(call))
        return original(call)
      },
    },
  },
)

kv2.rule(
  'north-number-of-deleted-version-reused',
  'KV-V2-09',
  'a write after the newest version was deleted takes its place, so that it cannot be undeleted (000 1.8: undelete restores versions)',
  {
    nextVersion: (original) => (record) =>
      record.versions.get(record.current)?.deletedAt === undefined ? original(record) : record.current,
  },
)

kv2.route(
  'north-new-version-born-deleted',
  'KV-V2-14',
  'a version that follows a deleted one is marked deleted like it (000 4.1: POST data/<key>; 1.8: delete marks versions)',
  'kv2.write',
  (original) => async (call) => {
    const before = recordOf(call)
    const deletedAt = before?.versions.get(before.current)?.deletedAt
    const given = await original(call)
    const record = recordOf(call)
    const version = record?.versions.get(record.current)
    if (version && deletedAt !== undefined) version.deletedAt = deletedAt
    return given
  },
)

kv2.route(
  'north-versions-move-up',
  'KV-V2-13',
  'destroying a version gives its number to the next one (000 1.8: destroy removes versions permanently)',
  'kv2.destroyVersions',
  (original) => async (call) => {
    const given = await original(call)
    const record = recordOf(call)
    if (!record || record.versions.size === 0) return given
    const first = Math.min(...record.versions.keys())
    const left = [...record.versions.values()].filter(({ destroyed }) => !destroyed)
    record.versions = new Map(left.map((version, place) => [first + place, version]))
    record.current = first + left.length - 1
    return given
  },
)

kv2.route(
  'north-refused-write-takes-a-number',
  'KV-V2-05',
  'a refused write of a key that exists uses up a version, so that the key cannot be read (000 7: 400, invalid request; 4.1: data/<key>)',
  'kv2.write',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const record = recordOf(call)
      if (record && cause instanceof ApiError) record.current += 1
      throw cause
    }
  },
)
