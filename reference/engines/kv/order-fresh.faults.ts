/** What depends on what happened before: deletion, re-creation, a second time, a refusal, a look before the first write. */
import type { Call } from '../../core/engine.ts'
import { ApiError, notFound } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { reply } from '../../mutations/wrappers.ts'
import type { Kv1Rules } from './kv1.rules.ts'
import { type Kv1State, kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import type { Kv2Call } from './kv2-data.ts'
import { newRecord } from './records.ts'

type Kv1Call = Call<Kv1State, Kv1Rules>

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')

const trash = remembered(() => new Map<string, Json>())
v1.change(
  'fresh-v1-recreated-inherits',
  ['KV-V1-01'],
  'an object written again after its deletion keeps the members of the deleted one (000 4.1: JSON object body; stored)',
  {
    routes: {
      'kv1.delete': (original) => (call) => {
        const path = call.params.path ?? ''
        const object = call.state.objects.get(path)
        if (object !== undefined) trash(call.state).set(path, object)
        return original(call)
      },
      'kv1.write': reply<Kv1Call>((given, { params, state }) => {
        const path = params.path ?? ''
        const before = trash(state).get(path)
        if (before !== undefined) state.objects.set(path, { ...(before as JsonObject), ...(state.objects.get(path) as JsonObject) })
        trash(state).delete(path)
        return given
      }),
    },
  },
)

const seenReads = remembered(() => new Map<string, Reply>())
v1.route(
  'fresh-v1-read-survives-deletion',
  ['CORE-MOUNT-02'],
  'an object that was read before stays readable after its deletion (000 7: 404 for what is not there)',
  'kv1.read',
  (original) => async (call) => {
    const path = call.params.path ?? ''
    const seen = seenReads(call.state)
    try {
      const given = await original(call)
      seen.set(path, given)
      return given
    } catch (cause) {
      const before = seen.get(path)
      if (before === undefined) throw cause
      return before
    }
  },
)

const emptyDirectories = remembered(() => new Set<string>())
v1.route(
  'fresh-v1-empty-listing-sticks',
  ['KV-LIST-01'],
  'a directory that was listed while it was empty is answered with 404 for ever (000 1.5: returns the keys at the path)',
  'kv1.list',
  (original) => async (call) => {
    const directory = call.params.directory ?? ''
    const known = emptyDirectories(call.state)
    if (known.has(directory)) throw notFound()
    try {
      return await original(call)
    } catch (cause) {
      known.add(directory)
      throw cause
    }
  },
)

const writtenTexts = remembered(() => new Map<string, Set<string>>())
v1.route(
  'fresh-v1-earlier-content-skipped',
  ['KV-V1-04'],
  'a write of a content that the object had before is taken for a repetition: A, B, A leaves B (000 4.1: JSON object body; stored)',
  'kv1.write',
  (original) => async (call) => {
    const path = call.params.path ?? ''
    const isNew = !call.state.objects.has(path)
    const texts = (isNew ? undefined : writtenTexts(call.state).get(path)) ?? new Set<string>()
    if (texts.has(call.text)) return call.rules.written()
    const given = await original(call)
    writtenTexts(call.state).set(path, texts.add(call.text))
    return given
  },
)

const restoredOnce = remembered(() => new Set<string>())
v2.route(
  'fresh-undelete-once',
  ['KV-V2-09'],
  'a version that was restored once stays hidden when it is deleted and restored again (000 1.8: undelete restores versions)',
  'kv2.undeleteVersions',
  (original) => (call) => {
    const { versions } = call.body
    if (!Array.isArray(versions)) return original(call)
    const path = call.params.path ?? ''
    const spent = restoredOnce(call.state)
    const left = versions.filter((number) => !spent.has(`${path}#${number}`))
    for (const number of left)
      if (call.state.keys.get(path)?.versions.get(Number(number))?.deletedAt !== undefined) spent.add(`${path}#${number}`)
    if (versions.length > 0 && left.length === 0) return call.rules.done()
    return original({ ...call, body: { ...call.body, versions: left } })
  },
)

v2.rule(
  'fresh-destroy-spares-deleted',
  ['KV-V2-11'],
  'destroying a version that is deleted already does nothing, so that undelete brings it back (000 1.8: destroy removes permanently)',
  { destroyed: (original) => (version) => (version.deletedAt === undefined ? original(version) : version) },
)

v2.route(
  'fresh-metadata-write-restores',
  ['KV-V2-08'],
  "writing a key's metadata makes its deleted versions readable again (000 1.8: delete marks versions deleted)",
  'kv2.writeMetadata',
  reply<Kv2Call>((given, { params, state, rules }) => {
    const versions = state.keys.get(params.path ?? '')?.versions
    for (const [number, version] of [...(versions ?? [])]) versions?.set(number, rules.undeleted(version))
    return given
  }),
)

v2.rule(
  'fresh-delete-toggles',
  ['KV-V2-08'],
  'deleting a version that is deleted already makes it readable again (000 1.8: delete marks versions deleted)',
  {
    deleted: (original) => (version, now) =>
      version.deletedAt !== undefined && version.deletedAt <= now ? { ...version, deletedAt: undefined } : original(version, now),
  },
)

const removedKeys = remembered(() => new Set<string>())
v2.change(
  'fresh-recreated-not-listed',
  ['KV-LIST-01'],
  'a key that was removed by its metadata and written again is missing in listings (000 1.5: returns the keys at the path)',
  {
    routes: {
      'kv2.deleteMetadata': (original) => (call) => {
        const path = call.params.path ?? ''
        if (call.state.keys.has(path)) removedKeys(call.state).add(path)
        return original(call)
      },
      'kv2.list': (original) => (call) => {
        const keys = new Map([...call.state.keys].filter(([path]) => !removedKeys(call.state).has(path)))
        return original({ ...call, state: { ...call.state, keys } })
      },
    },
  },
)

v2.route(
  'fresh-refused-write-hides-newest',
  ['KV-V2-05'],
  'after a refused write, such as one without `data`, a read no longer finds the key (000 7: 400 for invalid data, which changes nothing)',
  'kv2.write',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const record = call.state.keys.get(call.params.path ?? '')
      if (record && cause instanceof ApiError) record.current += 1
      throw cause
    }
  },
)

v2.route(
  'fresh-read-makes-record',
  ['KV-LIST-09'],
  'a read of an unknown key leaves an empty one, which is listed and whose first write needs `update` (000 1.6: create or update)',
  ['kv2.read', 'kv2.readMetadata'],
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const path = call.params.path ?? ''
      if (path !== '' && !path.endsWith('/') && !call.state.keys.has(path)) call.state.keys.set(path, newRecord(call.now()))
      throw cause
    }
  },
)

const emptied = remembered(() => new Set<string>())
v2.change(
  'fresh-all-destroyed-ends-key',
  ['KV-V2-14'],
  'a key all of whose versions were destroyed cannot be read any more, even when it is written again (000 4.1: `data` is stored)',
  {
    routes: {
      'kv2.destroyVersions': reply<Kv2Call>((given, { params, state }) => {
        const path = params.path ?? ''
        const versions = [...(state.keys.get(path)?.versions.values() ?? [])]
        if (versions.length > 0 && versions.every(({ destroyed }) => destroyed)) emptied(state).add(path)
        return given
      }),
      'kv2.read': (original) => (call) => {
        if (emptied(call.state).has(call.params.path ?? '')) throw notFound()
        return original(call)
      },
    },
  },
)
