/** Blind faults of both key-value versions in time and order: second calls, after deletions and refusals, before the first. */
import { secret } from '../../core/envelope.ts'
import { ApiError, notFound } from '../../core/errors.ts'
import { stringify } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { storing, versionAt } from './afresh-help.ts'
import { afterwards, beforehand, isObject, pathOf, withMembers } from './anew-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { type Kv2Call, recordOf } from './kv2-data.ts'
import { newRecord } from './records.ts'

const first = faultsOf(kv1Engine, 'kv')
const second = faultsOf(kv2Engine, 'kv')

first.rule(
  'afresh-rewrite-merges-nested',
  ['KV-V1-04'],
  'a second write replaces members, but inside of an object it keeps those of before (000 4.1: JSON object body; stored)',
  storing((written, previous) =>
    withMembers(written, (entries) =>
      entries.map(([name, member]) => {
        const known = isObject(previous) ? previous[name] : undefined
        return [name, isObject(member) && isObject(known) ? { ...known, ...member } : member]
      }),
    ),
  ),
)

second.route(
  'afresh-new-version-born-deleted',
  ['KV-V2-14'],
  'what is written over a deleted version is hidden as well (000 1.8: delete marks the versions that were there)',
  'kv2.write',
  (original) => async (call) => {
    const before = versionAt(call, pathOf(call))
    const given = await original(call)
    const version = versionAt(call, pathOf(call))
    if (version && before?.deletedAt !== undefined && before.deletedAt <= call.now()) version.deletedAt = before.deletedAt
    return given
  },
)

second.rule(
  'afresh-delete-toggles',
  ['KV-V2-08'],
  'a second deletion of the same version restores it (000 1.8: delete marks versions deleted)',
  {
    deleted: (original) => (version, now) =>
      version.deletedAt !== undefined && version.deletedAt <= now ? { ...version, deletedAt: undefined } : original(version, now),
  },
)

second.route(
  'afresh-refused-write-leaves-name',
  ['KV-V2-04'],
  'a write that is refused for its data leaves the name in listings (000 7: 400 invalid request; readings: nothing changed)',
  'kv2.write',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const path = pathOf(call)
      if (path !== '' && !path.endsWith('/') && !recordOf(call)) call.state.keys.set(path, newRecord(call.now()))
      throw cause
    }
  },
)

second.route(
  'afresh-refused-write-hides-present',
  ['KV-V2-05'],
  'a write that is refused for its data hides the object that is there (000 7: 400 invalid request; readings: nothing changed)',
  'kv2.write',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const version = versionAt(call, pathOf(call))
      if (version && cause instanceof ApiError && !isObject(call.body.data)) version.deletedAt ??= call.now()
      throw cause
    }
  },
)

const listedOnce = remembered(() => new Set<string>())

first.route(
  'afresh-emptied-directory-lists',
  ['KV-LIST-05'],
  'a directory that was listed with keys and lost them lists as [] with 200 (000 1.5: an empty listing returns 404)',
  'kv1.list',
  (original) => async (call) => {
    const seen = listedOnce(call.state)
    const directory = call.params.directory ?? ''
    try {
      const given = await original(call)
      seen.add(directory)
      return given
    } catch (cause) {
      if (cause instanceof ApiError && seen.has(directory)) return secret({ keys: [] })
      throw cause
    }
  },
)

const pending = remembered(() => new Set<string>())

second.change(
  'afresh-deletion-ahead-of-write',
  ['KV-V2-14'],
  'a version that was named in a deletion before it was written is hidden from its start (000 1.8: delete marks versions deleted)',
  {
    routes: {
      'kv2.deleteVersions': beforehand((call) => {
        const { versions } = call.body
        const known = recordOf(call)?.versions
        const missing = (Array.isArray(versions) ? versions : []).filter((number) => !known?.has(Number(number)))
        for (const number of missing) pending(call.state).add(`${pathOf(call)} ${String(number)}`)
      }),
      'kv2.write': afterwards((call) => {
        const record = recordOf(call)
        const version = versionAt(call, pathOf(call))
        if (version && pending(call.state).delete(`${pathOf(call)} ${record?.current}`)) version.deletedAt = call.now()
      }),
    },
  },
)

first.rule(
  'afresh-rewrite-of-same-length-lost',
  ['KV-V1-03'],
  'a write whose object is as long as the stored one counts as unchanged and is not stored (000 4.1: JSON object body; stored)',
  storing((written, previous) => (previous !== undefined && stringify(previous).length === stringify(written).length ? previous : written)),
)

second.route(
  'afresh-first-write-after-metadata',
  ['KV-V2-02'],
  'the first object of a key whose metadata was written before it cannot be read (000 1.4, 1.8: data/<path>, metadata/<path>)',
  'kv2.write',
  (original) => async (call) => {
    const known = recordOf(call)
    const isFirstWrite = known?.current === 0
    const given = await original(call)
    if (known && isFirstWrite) known.current = 0
    return given
  },
)

second.route(
  'afresh-metadata-write-starts-anew',
  ['KV-V2-09'],
  'writing metadata of a key that has an object begins a new record, and the object is gone (000 1.8: only destroy removes versions)',
  'kv2.writeMetadata',
  beforehand((call: Kv2Call) => {
    call.state.keys.delete(pathOf(call))
  }),
)

const missed = remembered(() => new Set<string>())

first.change(
  'afresh-absence-remembered',
  ['CORE-MOUNT-02'],
  'a key that was asked for before its first write stays 404 until it is written twice (000 1.4: a secret is read with GET)',
  {
    routes: {
      'kv1.write': beforehand((call) => {
        if (call.state.objects.has(pathOf(call))) missed(call.state).delete(pathOf(call))
      }),
      'kv1.read': (original) => (call) => {
        const known = missed(call.state)
        if (!call.state.objects.has(pathOf(call))) known.add(pathOf(call))
        if (known.has(pathOf(call))) throw notFound()
        return original(call)
      },
    },
  },
)
