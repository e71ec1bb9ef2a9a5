/** Faults that touch a neighbour: another key, version, mount or namespace. */
import { coreEngine } from '../../core/core-engine.ts'
import { stringify } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { pathOf } from './dusk-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { recordOf } from './kv2-data.ts'

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

v1.rule(
  'dusk-list-by-name-prefix',
  'KV-LIST-02',
  'a listing of `app` shows the rests of `app2` and `apple/x`, too (000 1.5: the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => {
      const below = keys.filter((key) => key.startsWith(directory) && key !== directory)
      return original(
        below.map((key) => key.slice(directory.length).replace(/^\//, '')),
        '',
      )
    },
  },
)

v1.route(
  'dusk-read-other-case',
  'KV-V1-08',
  'a read of a name that is not there answers with one that differs by letter case (000 1.4: a secret is read on its key; 7: 404)',
  'kv1.read',
  (original) => (call) => {
    const path = pathOf(call)
    const names = [...call.state.objects.keys()]
    const similar = names.includes(path) ? path : names.find((name) => name.toLowerCase() === path.toLowerCase())
    return original({ ...call, params: { ...call.params, path: similar ?? path } })
  },
)

v2.route(
  'dusk-metadata-delete-takes-directory',
  'KV-V2-02',
  'deleting the metadata of `a` deletes the keys below `a/` as well (000 4.1: POST data/<key>; 1.4: read at its key)',
  'kv2.deleteMetadata',
  (original) => (call) => {
    for (const key of call.state.keys.keys()) if (key.startsWith(`${pathOf(call)}/`)) call.state.keys.delete(key)
    return original(call)
  },
)

v1.route(
  'dusk-last-child-takes-parent',
  'KV-V1-01',
  'deleting the last key of directory `a/` prunes the object `a`, too (000 4.1: JSON object body; stored)',
  'kv1.delete',
  (original) => async (call) => {
    const reply = await original(call)
    const { objects } = call.state
    const parent = pathOf(call).split('/').slice(0, -1).join('/')
    if (parent !== '' && ![...objects.keys()].some((key) => key.startsWith(`${parent}/`))) objects.delete(parent)
    return reply
  },
)

v2.rule(
  'dusk-version-in-text-of-list',
  'KV-V2-12',
  'naming version 10 names version 1, too (000 1.8: destroy removes versions, those named)',
  {
    chosen: () => (named, present) => present.filter((number) => named.join(',').includes(String(number))),
  },
)

v1.rule('dusk-v1-drops-data', 'KV-V1-09', 'a v1 key `data/x` is kept as `x` (000 1.4: only version 2 inserts `data/`)', {
  keyOf: (original) => (path) => original(path.replace(/^data\//, '')),
})

v2.rule(
  'dusk-directory-hides-object',
  'CORE-CAP-11',
  'of an object `a` and a directory `a/` a listing shows one (000 1.5: returns the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => {
      const names = original(keys, directory)
      return names.filter((name) => !names.includes(`${name}/`))
    },
  },
)

const answers = remembered(() => new Map<string, Reply>())
type Handle1 = (typeof kv1Engine.routes)[number]['handle']
const forgetting =
  (original: Handle1): Handle1 =>
  (call) => {
    answers(call.services).delete(pathOf(call))
    return original(call)
  }
v1.change(
  'dusk-read-cache-without-mount',
  'CORE-MOUNT-02',
  'reads are cached by key, whichever mount it is in (000 conventions: engines at any path; 1.4)',
  {
    routes: {
      'kv1.read': (original) => async (call) => {
        const known = answers(call.services)
        const reply = known.get(pathOf(call)) ?? (await original(call))
        known.set(pathOf(call), reply)
        return reply
      },
      'kv1.write': forgetting,
      'kv1.delete': forgetting,
    },
  },
)

v2.route(
  'dusk-undelete-takes-newest',
  'KV-V2-08',
  'restoring an older version restores the newest one, too (000 1.8: delete marks versions deleted, undelete restores those named)',
  'kv2.undeleteVersions',
  (original) => async (call) => {
    const reply = await original(call)
    const record = recordOf(call)
    const newest = record?.versions.get(record.current)
    if (record && newest) record.versions.set(record.current, call.rules.undeleted(newest))
    return reply
  },
)

core.rule(
  'dusk-mounts-of-root-inherited',
  'CORE-NS-07',
  'a namespace without a v2 mount of its own reaches that of the root (000 2.2: the effective path begins with the namespace)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const ofRoot = original(all, '').filter(({ engine, path }) => engine.type === 'kv2' && !own.some((mount) => mount.path === path))
      return namespace === '' ? own : [...own, ...ofRoot]
    },
  },
)

v2.route(
  'dusk-destroy-shared-content',
  'KV-V2-13',
  'equal data is kept once: destroying a version destroys other versions and keys with the same data (000 1.8: those named)',
  'kv2.destroyVersions',
  (original) => async (call) => {
    const before = new Map(recordOf(call)?.versions)
    const reply = await original(call)
    const after = recordOf(call)?.versions
    const gone = new Set<string>()
    for (const [number, { data }] of before) if (data !== undefined && after?.get(number)?.destroyed) gone.add(stringify(data))
    for (const { versions } of call.state.keys.values()) {
      for (const [number, version] of versions) {
        if (version.data !== undefined && gone.has(stringify(version.data))) versions.set(number, call.rules.destroyed(version))
      }
    }
    return reply
  },
)
