/** Faults of what a request does to others: other keys, versions, mounts, namespaces. */

import { coreEngine } from '../../core/core-engine.ts'
import { notFound } from '../../core/errors.ts'
import { type Json, stringify } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { namedVersions } from './frank-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { recordOf } from './kv2-data.ts'
import type { KeyRecord } from './records.ts'

const one = faultsOf(kv1Engine, 'kv')
const two = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

two.rule(
  'frank-versions-between',
  'KV-V2-13',
  'v2: versions between the named ones are deleted, restored and destroyed too (000 1.8: effects on versions)',
  {
    chosen: (original) => (named, present) => {
      const between = present.filter((number) => number > Math.min(...named) && number < Math.max(...named))
      return original([...named, ...between], present)
    },
  },
)

two.route(
  'frank-destroy-takes-older',
  'KV-V2-13',
  'v2: destroying a version destroys those before it (000 1.8: destroy removes versions)',
  'kv2.destroyVersions',
  requestBody((body, call) => {
    const newest = Math.max(...namedVersions(body))
    const older = [...(recordOf(call)?.versions.keys() ?? [])].filter((number) => number <= newest)
    return older.length > 0 ? { ...body, versions: older } : body
  }),
)

one.route(
  'frank-delete-takes-below',
  'KV-V1-01',
  'v1: deleting a key deletes the keys of the directory of the same name (000 4.1: an object is stored at its key)',
  'kv1.delete',
  (original) => async (call) => {
    const given = await original(call)
    const { objects } = call.state
    for (const key of [...objects.keys()].filter((candidate) => candidate.startsWith(`${call.params.path}/`))) objects.delete(key)
    return given
  },
)

two.rule(
  'frank-leaf-behind-directory',
  'CORE-CAP-11',
  'v2: a key is not listed beside a directory of the same name (000 1.5: the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => {
      const names = original(keys, directory)
      return names.filter((name) => !names.includes(`${name}/`))
    },
  },
)

core.rule(
  'frank-namespaces-share-path',
  'CORE-MOUNT-02',
  'v2: mounts of one path in two namespaces hold the same keys (000 2.2: effective path)',
  {
    stateOf: (original) => (engine, others, place) =>
      (engine.type === 'kv2' && others.find(({ path, engine: { type } }) => type === 'kv2' && path === place.path)?.state) ||
      original(engine, others, place),
  },
)

const cacheOf = remembered(() => new Map<string, Json>())
one.change(
  'frank-cache-without-mount',
  'CORE-MOUNT-02',
  'v1: the cache of objects goes by the key without the mount (000 4.1: read at `/v1/secret/<key>`)',
  {
    routes: {
      'kv1.read': (original) => (call) => {
        const cached = cacheOf(call.services).get(call.params.path ?? '')
        return cached === undefined ? original(call) : call.rules.shown(cached, call.mount.defaultLeaseTtl)
      },
      'kv1.write': (original) => async (call) => {
        const given = await original(call)
        const key = call.params.path ?? ''
        const stored = call.state.objects.get(call.rules.keyOf(key))
        if (stored !== undefined) cacheOf(call.services).set(key, stored)
        return given
      },
      'kv1.delete': (original) => (call) => {
        cacheOf(call.services).delete(call.params.path ?? '')
        return original(call)
      },
    },
  },
)

one.route(
  'frank-write-below-drops-key',
  'KV-V1-09',
  'v1: a write below a key, which makes it a directory too, removes its object (000 4.1: stored)',
  'kv1.write',
  (original) => async (call) => {
    const given = await original(call)
    const segments = (call.params.path ?? '').split('/')
    for (let length = 1; length < segments.length; length += 1) call.state.objects.delete(segments.slice(0, length).join('/'))
    return given
  },
)

two.route(
  'frank-destroy-by-content',
  'KV-V2-13',
  'v2: destroy removes the content of all versions and keys that hold the same object (000 1.8: destroy removes versions)',
  'kv2.destroyVersions',
  (original) => async (call) => {
    const record = recordOf(call)
    const contents = new Set(namedVersions(call.body).map((number) => stringify(record?.versions.get(number)?.data ?? null)))
    contents.delete('null')
    const given = await original(call)
    for (const { versions } of call.state.keys.values()) {
      for (const [number, version] of versions) {
        if (contents.has(stringify(version.data ?? null))) versions.set(number, { ...version, data: undefined })
      }
    }
    return given
  },
)

two.route(
  'frank-undelete-all',
  'KV-V2-08',
  'v2: undelete restores all deleted versions of the key, not the named ones alone (000 1.8: delete marks versions deleted)',
  'kv2.undeleteVersions',
  requestBody((body, call) => {
    const all = [...(recordOf(call)?.versions.keys() ?? [])]
    return namedVersions(body).length > 0 && all.length > 0 ? { ...body, versions: all } : body
  }),
)

const hidden = new WeakSet<KeyRecord>()
two.change(
  'frank-older-hides-key',
  'KV-V2-12',
  'v2: when an older version is deleted, the key reads as deleted (000 1.8: delete marks versions)',
  {
    routes: {
      'kv2.deleteVersions': (original) => async (call) => {
        const given = await original(call)
        const record = recordOf(call)
        if (record && namedVersions(call.body).some((number) => number < record.current && record.versions.has(number))) hidden.add(record)
        return given
      },
      'kv2.undeleteVersions': (original) => (call) => {
        const record = recordOf(call)
        if (record) hidden.delete(record)
        return original(call)
      },
      'kv2.write': (original) => (call) => {
        const record = recordOf(call)
        if (record) hidden.delete(record)
        return original(call)
      },
      'kv2.read': (original) => (call) => {
        const record = recordOf(call)
        if (record && hidden.has(record) && !call.query.has('version')) throw notFound()
        return original(call)
      },
    },
  },
)

one.rule(
  'frank-data-prefix-dropped',
  'KV-V1-09',
  'v1: a key in a directory `data` is the same as the key without it (000 1.4: only v2 inserts `data/`)',
  {
    keyOf: (original) => (path) => original(path.replace(/^data\//, '')),
  },
)
