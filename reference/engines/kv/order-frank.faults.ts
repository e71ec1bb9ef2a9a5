/** Faults of time and order: second calls, after deletion, re-creation, before the first. */

import { ApiError, notFound } from '../../core/errors.ts'
import { parseExact, stringify } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { hasMembers, namedVersions } from './frank-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { recordOf } from './kv2-data.ts'
import { type KeyRecord, newRecord, versionShown } from './records.ts'

const one = faultsOf(kv1Engine, 'kv')
const two = faultsOf(kv2Engine, 'kv')

const goneFrom = remembered(() => new Set<string>())
one.change(
  'frank-directory-stays',
  'KV-LIST-05',
  'v1: a directory stays in the listing above it when its last key is deleted (000 1.5: the keys at the path)',
  {
    routes: {
      'kv1.delete': (original) => (call) => {
        const key = call.rules.keyOf(call.params.path ?? '')
        if (call.state.objects.has(key)) goneFrom(call.state).add(key)
        return original(call)
      },
      'kv1.list': (original) => (call) => {
        const directory = call.params.directory ?? ''
        const left = call.rules.namesIn([...goneFrom(call.state)], directory).filter((name) => name.endsWith('/'))
        if (left.length === 0) return original(call)
        return call.services.listing(new Set([...call.rules.namesIn([...call.state.objects.keys()], directory), ...left]))
      },
    },
  },
)

one.rule(
  'frank-same-size-unchanged',
  'KV-V1-03',
  'v1: a write over an object of the same length is taken for no change (000 4.1: JSON object body; stored)',
  {
    replaced: (original) => (previous, written) =>
      previous !== undefined && stringify(previous).length === stringify(written).length ? previous : original(previous, written),
  },
)

two.rule('frank-delete-toggles', 'KV-V2-08', 'v2: deleting a version a second time restores it (000 1.8: delete marks versions deleted)', {
  deleted: (original) => (version, now) =>
    version.deletedAt === undefined || version.destroyed ? original(version, now) : { ...version, deletedAt: undefined },
})

two.rule(
  'frank-destroy-can-be-undone',
  'KV-V2-11',
  'v2: undelete after destroy restores the version (000 1.8: destroy removes versions permanently)',
  {
    destroyed: () => (version) => ({ ...version, destroyed: true }),
    undeleted: () => (version) => ({ ...version, deletedAt: undefined, destroyed: false }),
  },
)

two.route(
  'frank-undelete-newest-only',
  'KV-V2-09',
  'v2: once there is a newer version, undelete does not restore an older one (000 1.8: undelete restores versions)',
  'kv2.undeleteVersions',
  (original) => (call) => {
    const record = recordOf(call)
    if (!record) return original(call)
    return namedVersions(call.body).includes(record.current)
      ? original({ ...call, body: { ...call.body, versions: [record.current] } })
      : call.rules.done()
  },
)

two.route(
  'frank-new-version-inherits-mark',
  'KV-V2-14',
  'v2: the version written after a deletion carries the mark of the deleted one (000 4.1: write at `data/<key>`)',
  'kv2.write',
  (original) => async (call) => {
    const before = recordOf(call)
    const mark = before?.versions.get(before.current)?.deletedAt
    const given = await original(call)
    const record = recordOf(call)
    const version = record?.versions.get(record.current)
    if (record && version && mark !== undefined) record.versions.set(record.current, { ...version, deletedAt: mark })
    return given
  },
)

const missedIn = remembered(() => new Set<string>())
two.change(
  'frank-miss-remembered',
  'KV-V2-04',
  'v2: a key that was read before its first write stays absent until the second (000 4.1: write at `data/<key>`)',
  {
    routes: {
      'kv2.read': (original) => (call) => {
        const key = call.rules.keyOf(call.params.path ?? '')
        const missed = missedIn(call.state)
        if (!recordOf(call)) missed.add(key)
        if (missed.has(key)) throw notFound()
        return original(call)
      },
      'kv2.write': (original) => (call) => {
        if (recordOf(call)) missedIn(call.state).delete(call.rules.keyOf(call.params.path ?? ''))
        return original(call)
      },
    },
  },
)

two.route(
  'frank-refused-write-leaves-key',
  'KV-V2-04',
  'v2: a refused first write leaves the key behind in listings (000 4.1: body has `data` object; 1.5: the keys at the path)',
  'kv2.write',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const path = call.params.path ?? ''
      const isKey = path !== '' && !path.endsWith('/')
      if (cause instanceof ApiError && isKey && !recordOf(call)) call.state.keys.set(call.rules.keyOf(path), newRecord(call.now()))
      throw cause
    }
  },
)

two.route(
  'frank-same-object-after-delete',
  'KV-V2-14',
  'v2: the object of a deleted version, written again, is taken for no change (000 4.1: write at `data/<key>`)',
  'kv2.write',
  (original) => (call) => {
    const record = recordOf(call)
    const version = record?.versions.get(record.current)
    const written = parseExact(call.text)
    const data = hasMembers(written) ? written.data : undefined
    const isSame = version?.deletedAt !== undefined && stringify(version.data ?? null) === stringify(data ?? null)
    return record && version && isSame && hasMembers(data)
      ? call.rules.written(versionShown(record, record.current, version))
      : original(call)
  },
)

two.route(
  'frank-destroy-ends-early',
  'KV-V2-10',
  'v2: destroying a list of versions ends at the first one that is destroyed already (000 1.8: destroy removes versions)',
  'kv2.destroyVersions',
  (original) => (call) => {
    const named = namedVersions(call.body)
    const done = named.findIndex((number) => recordOf(call)?.versions.get(number)?.destroyed)
    if (done === 0) return call.rules.done()
    return original(done < 0 ? call : { ...call, body: { ...call.body, versions: named.slice(0, done) } })
  },
)

one.rule(
  'frank-inner-objects-merged',
  'KV-V1-04',
  'v1: inner objects keep the members that a later write leaves out (000 4.1: JSON object body; stored)',
  {
    replaced: (original) => (previous, written) => {
      if (!hasMembers(previous) || !hasMembers(written)) return original(previous, written)
      const merged = Object.entries(written).map(([name, member]) => {
        const before = previous[name]
        return [name, hasMembers(before) && hasMembers(member) ? { ...before, ...member } : member] as const
      })
      return original(previous, Object.fromEntries(merged))
    },
  },
)

const pinned = new WeakMap<KeyRecord, { number: string; newest: number }>()
two.route(
  'frank-read-remembers-version',
  'KV-V2-09',
  'v2: after a read of an older version a read without number shows that one (000 4.1: write and read at `data/<key>`)',
  'kv2.read',
  (original) => (call) => {
    const record = recordOf(call)
    if (!record) return original(call)
    const number = call.query.get('version')
    if (number) {
      pinned.set(record, { number, newest: record.current })
      return original(call)
    }
    const pin = pinned.get(record)
    return original(pin?.newest === record.current ? { ...call, query: new URLSearchParams({ version: pin.number }) } : call)
  },
)
