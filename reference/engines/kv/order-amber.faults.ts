/** Faults of time and order: second calls, deletion and re-creation, updates that narrow, what was before the first. */
import { ApiError } from '../../core/errors.ts'
import { type Json, stringify } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isObject, namedIn, recordAt } from './amber-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { versionShown } from './records.ts'

const one = faultsOf(kv1Engine, 'kv')
const two = faultsOf(kv2Engine, 'kv')

one.rule(
  'amber-nested-members-stay',
  'KV-V1-04',
  'a write keeps members of nested objects that it leaves out (000 4.1: JSON object body; stored)',
  {
    replaced: (original) => (previous, written) => {
      if (!isObject(previous) || !isObject(written)) return original(previous, written)
      const merged = Object.entries(written).map(([name, member]): [string, Json] => {
        const before = Object.hasOwn(previous, name) ? previous[name] : undefined
        return [name, isObject(before) && isObject(member) ? { ...before, ...member } : member]
      })
      return original(previous, Object.fromEntries(merged))
    },
  },
)

two.route(
  'amber-write-revives-previous',
  'KV-V2-08',
  'a write takes the mark off the deleted version before it (000 1.8: delete marks versions deleted)',
  'kv2.write',
  (original) => async (call) => {
    const before = recordAt(call)?.current ?? 0
    const reply = await original(call)
    const record = recordAt(call)
    const version = record?.versions.get(before)
    if (version) record?.versions.set(before, call.rules.undeleted(version))
    return reply
  },
)

two.rule(
  'amber-deleted-not-destroyed',
  'KV-V2-11',
  'destroy passes over versions that are deleted already (000 1.8: destroy removes versions permanently)',
  {
    destroyed: (original) => (version) => (version.deletedAt === undefined ? original(version) : version),
  },
)

two.rule(
  'amber-second-delete-restores',
  'KV-V2-08',
  'a second deletion of a version takes the mark off (000 1.8: delete marks versions deleted)',
  {
    deleted: (original) => (version, now) =>
      version.deletedAt === undefined ? original(version, now) : { ...version, deletedAt: undefined },
  },
)

const restored = remembered(() => new Set<number>())
two.change(
  'amber-restored-for-good',
  'CORE-CAP-04',
  'a version that was restored once cannot be deleted again (000 1.8: delete marks versions deleted)',
  {
    routes: {
      'kv2.undeleteVersions': (original) => (call) => {
        const record = recordAt(call)
        for (const number of record ? namedIn(call.body) : []) restored(record!.versions).add(number)
        return original(call)
      },
      'kv2.deleteVersions': (original) => (call) => {
        const record = recordAt(call)
        const named = namedIn(call.body)
        if (!record || named.length === 0) return original(call)
        const others = named.filter((number) => !restored(record.versions).has(number))
        return others.length > 0 ? original({ ...call, body: { ...call.body, versions: others } }) : call.rules.done()
      },
    },
  },
)

const emptyUntil = remembered(() => new Map<string, number>())
one.route(
  'amber-empty-listing-remembered',
  'KV-LIST-01',
  'a directory that was listed as empty stays so for seconds after its first key (000 1.5: returns the keys at the path)',
  'kv1.list',
  (original) => async (call) => {
    const empty = emptyUntil(call.state)
    const directory = call.params.directory ?? ''
    if ((empty.get(directory) ?? 0) > call.now()) throw new ApiError(404)
    try {
      return await original(call)
    } catch (cause) {
      empty.set(directory, call.now() + 5)
      throw cause
    }
  },
)

one.rule(
  'amber-same-size-unchanged',
  'KV-V1-03',
  'a write of the same length as what is stored is taken as unchanged (000 4.1: JSON object body; stored)',
  {
    replaced: (original) => (previous, written) =>
      previous !== undefined && stringify(previous).length === stringify(written).length ? previous : original(previous, written),
  },
)

two.route(
  'amber-one-version-a-second',
  'KV-V2-08',
  'a write within a second of the last replaces its version, so that deleting version 1 hides the newest data (000 1.8: marks versions deleted)',
  'kv2.write',
  (original) => async (call) => {
    const known = recordAt(call)
    const before = known?.current ?? 0
    const last = known?.versions.get(before)
    const reply = await original(call)
    const record = recordAt(call)
    const written = record?.versions.get(record.current)
    if (!record || !written || !last || written.createdAt - last.createdAt >= 1) return reply
    record.versions.delete(record.current)
    record.versions.set(before, written)
    record.current = before
    return call.rules.written(versionShown(record, before, written))
  },
)

two.route(
  'amber-write-purges-deleted',
  'KV-V2-09',
  'a write clears away older versions that are marked deleted, so that undelete finds none (000 1.8: undelete restores versions)',
  'kv2.write',
  (original) => async (call) => {
    const reply = await original(call)
    const record = recordAt(call)
    const marked = [...(record?.versions ?? [])].filter(
      ([number, version]) => number !== record?.current && version.deletedAt !== undefined,
    )
    for (const [number] of marked) record?.versions.delete(number)
    return reply
  },
)
