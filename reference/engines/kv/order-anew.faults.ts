/** Faults of time and order: the second call, after a deletion, a refusal or a change. */
import type { Json } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { refusal } from '../../mutations/wrappers.ts'
import { afterwards, beforehand, isObject, pathOf } from './anew-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { type Kv2Call, recordOf } from './kv2-data.ts'
import { newRecord } from './records.ts'

const kv1 = faultsOf(kv1Engine, 'kv')
const kv2 = faultsOf(kv2Engine, 'kv')

const hot = remembered(() => ({ seen: new Set<string>(), kept: new Map<string, Reply>() }))
const cooled = afterwards<Kv2Call>((call) => {
  hot(call.state).seen.clear()
  hot(call.state).kept.clear()
})

kv2.change(
  'anew-hot-read-survives-delete',
  ['KV-V2-08'],
  'a key that was read twice is still shown after delete/, for its answer is cached (000 1.8: "delete marks versions deleted")',
  {
    routes: {
      'kv2.read': (original) => async (call) => {
        const { seen, kept } = hot(call.state)
        const key = `${pathOf(call)}?${call.query.get('version') ?? ''}`
        const given = kept.get(key) ?? (await original(call))
        if (seen.has(key)) kept.set(key, given)
        seen.add(key)
        return given
      },
      'kv2.write': cooled,
      'kv2.deleteLatest': cooled,
      'kv2.undeleteVersions': cooled,
      'kv2.destroyVersions': cooled,
      'kv2.writeMetadata': cooled,
      'kv2.deleteMetadata': cooled,
    },
  },
)

const restored = new WeakSet<object>()

kv2.rule(
  'anew-restored-once-only',
  ['KV-V2-09'],
  'a version deleted a second time is not restored (000 1.8: "undelete restores versions")',
  {
    undeleted: (original) => (version) => {
      if (!isObject(version.data) || version.deletedAt === undefined) return original(version)
      if (restored.has(version.data)) return version
      restored.add(version.data)
      return original(version)
    },
  },
)

kv2.rule(
  'anew-deleted-version-not-destroyed',
  ['KV-V2-11'],
  'destroying a version that is deleted already does nothing: undelete restores it (000 1.8: "destroy removes versions permanently")',
  { destroyed: (original) => (version) => (version.deletedAt === undefined ? original(version) : version) },
)

kv2.route(
  'anew-write-drops-deleted-versions',
  ['KV-V2-09'],
  'a deleted version cannot be restored once a newer one is written (000 1.8: "undelete restores versions")',
  'kv2.write',
  afterwards((call) => {
    const record = recordOf(call)
    for (const [number, { deletedAt }] of record?.versions ?? []) {
      if (deletedAt !== undefined && deletedAt <= call.now() && number !== record?.current) record?.versions.delete(number)
    }
  }),
)

kv2.route(
  'anew-destroyed-mark-inherited',
  ['KV-V2-14'],
  'what is written after the newest version was destroyed cannot be read (000 4.1: "body has data object"; 000 1.4)',
  'kv2.write',
  (original) => async (call) => {
    const before = recordOf(call)
    const inherited = before?.versions.get(before.current)?.destroyed ?? false
    const given = await original(call)
    const record = recordOf(call)
    const version = record?.versions.get(record.current)
    if (inherited && record && version) record.versions.set(record.current, { ...version, destroyed: true })
    return given
  },
)

kv2.route(
  'anew-refused-write-leaves-key',
  ['KV-V2-04'],
  'a write refused with 400 leaves the new key in the listing (000 7: "400 invalid request"; 000 1.5: "returns the keys at the path")',
  'kv2.write',
  refusal((refused, call) => {
    if (!recordOf(call) && !/(^|\/)$/.test(pathOf(call))) call.state.keys.set(pathOf(call), newRecord(call.now()))
    return refused
  }),
)

const applied = remembered(() => new Map<string, Set<string>>())

kv1.change(
  'anew-earlier-body-taken-for-repetition',
  ['KV-V1-04'],
  'writing an object back that the key held before the present one does nothing (000 4.1: "JSON object body; stored")',
  {
    routes: {
      'kv1.write': (original) => async (call) => {
        const bodies = applied(call.state).get(pathOf(call)) ?? new Set()
        if (bodies.has(call.text)) return call.rules.written()
        const given = await original(call)
        applied(call.state).set(pathOf(call), bodies.add(call.text))
        return given
      },
      'kv1.delete': afterwards((call) => void applied(call.state).delete(pathOf(call))),
    },
  },
)

const listings = remembered(() => new Map<string, Reply>())

kv1.change(
  'anew-listing-misses-new-directory',
  ['KV-LIST-03'],
  'a directory that arises after its parent was listed is missing in later listings (000 1.5: "returns the keys at the path")',
  {
    routes: {
      'kv1.list': (original) => async (call) => {
        const directory = call.params.directory ?? ''
        const given = listings(call.state).get(directory) ?? (await original(call))
        listings(call.state).set(directory, given)
        return given
      },
      'kv1.write': afterwards((call) => {
        const segments = pathOf(call).split('/')
        listings(call.state).delete(segments.slice(0, -1).join('/'))
      }),
      'kv1.delete': afterwards((call) => listings(call.state).clear()),
    },
  },
)

const marks = remembered(() => new Set<string>())

const markedAgain = afterwards<Kv2Call>((call) => {
  const record = recordOf(call)
  const version = record?.versions.get(record.current)
  if (!record || !version || !marks(call.state).delete(`${pathOf(call)}#${record.current}`)) return
  record.versions.set(record.current, call.rules.deleted(version, call.now()))
})

kv2.change(
  'anew-marks-outlive-key',
  ['KV-V2-14'],
  'a key written anew after its metadata were removed starts deleted where the old version of that number was (000 4.1, 1.8)',
  {
    routes: {
      'kv2.deleteMetadata': beforehand((call) => {
        for (const [number, { deletedAt }] of recordOf(call)?.versions ?? [])
          if (deletedAt !== undefined) marks(call.state).add(`${pathOf(call)}#${number}`)
      }),
      'kv2.write': markedAgain,
    },
  },
)

kv2.rule(
  'anew-nested-members-kept-by-second-write',
  ['KV-V2-06'],
  'a second write keeps members of nested objects that it leaves out (000 4.1: "body has data object", which the version holds)',
  {
    replaced: (original) => (previous, next) => {
      if (!isObject(previous) || !isObject(next)) return original(previous, next)
      const merged = Object.entries(next).map(([name, value]): [string, Json] => {
        const before = Object.hasOwn(previous, name) ? previous[name] : undefined
        return [name, isObject(before) && isObject(value) ? { ...before, ...value } : value]
      })
      return original(previous, Object.fromEntries(merged))
    },
  },
)
