/** What an operation does to the neighbours of what it names: other keys, versions, directories, mounts, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Call } from '../../core/engine.ts'
import { notFound } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { reply, replyData, requestBody } from '../../mutations/wrappers.ts'
import type { Kv1Rules } from './kv1.rules.ts'
import { type Kv1State, kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import type { Kv2Call } from './kv2-data.ts'

type Kv1Call = Call<Kv1State, Kv1Rules>

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)
const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

v1.route(
  'fresh-v1-delete-takes-children',
  ['KV-V1-01'],
  'deleting an object deletes those below its path, too: `a` takes `a/b` along (000 1.4: a secret is read with GET on its path)',
  'kv1.delete',
  reply<Kv1Call>((given, { params, state }) => {
    for (const key of [...state.objects.keys()]) if (key.startsWith(`${params.path}/`)) state.objects.delete(key)
    return given
  }),
)

v1.rule(
  'fresh-v1-list-like-wildcards',
  ['KV-LIST-02'],
  'a listing takes `_` and `%` in the directory for wildcards and shows keys of neighbours (000 1.5: returns the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => {
      const source = directory
        .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replace(/_/g, '.')
        .replace(/%/g, '.*')
      const prefix = new RegExp(directory === '' ? '^' : `^${source}/`, 's')
      const below = keys.filter((key) => prefix.test(key)).map((key) => key.replace(prefix, ''))
      return original(below, '')
    },
  },
)

v1.route(
  'fresh-v1-write-turns-parent-into-directory',
  ['KV-V1-09'],
  'writing `a/b` removes the object at `a`, which becomes a directory (000 4.1: JSON object body; stored)',
  'kv1.write',
  reply<Kv1Call>((given, { params, state }) => {
    const path = params.path ?? ''
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) state.objects.delete(path.slice(0, at))
    return given
  }),
)

core.rule(
  'fresh-v1-root-mounts-inherited',
  ['CORE-NS-07'],
  'a namespace without a mount of that path reaches the v1 mount of the root (000 2.2: namespace and path make the effective path)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const inherited = all.filter(
        (mount) => mount.namespace === '' && mount.engine.type === 'kv1' && !own.some(({ path }) => path === mount.path),
      )
      return [...own, ...inherited]
    },
  },
)

v2.route(
  'fresh-destroy-up-to-named',
  ['KV-V2-13'],
  'destroying a version destroys all older ones with it (000 1.8: destroy removes versions, those that are named)',
  'kv2.destroyVersions',
  requestBody<Kv2Call>((body) => {
    const last = Array.isArray(body.versions) ? Math.max(...body.versions.map(Number)) : Number.NaN
    return last >= 1 && last < 1000 ? { ...body, versions: Array.from({ length: last }, (_none, index) => index + 1) } : body
  }),
)

v2.route(
  'fresh-config-purges-deleted',
  ['KV-V2-09'],
  "writing the mount's config removes the deleted versions of all keys, which cannot be restored (000 1.8: undelete restores versions)",
  'kv2.writeConfig',
  reply<Kv2Call>((given, call) => {
    for (const { versions } of call.state.keys.values())
      for (const [number, version] of [...versions])
        if ((version.deletedAt ?? Number.POSITIVE_INFINITY) <= call.now()) versions.delete(number)
    return given
  }),
)

v2.route(
  'fresh-metadata-delete-by-prefix',
  ['CORE-MOUNT-02'],
  'deleting the metadata of `db` deletes every key that begins alike, such as `db-replica` (000 1.4: a secret is read on its own path)',
  'kv2.deleteMetadata',
  reply<Kv2Call>((given, { params, state }) => {
    const path = params.path ?? ''
    for (const key of [...state.keys.keys()]) if (path !== '' && key.startsWith(path)) state.keys.delete(key)
    return given
  }),
)

const tombstones = remembered(() => new Set<string>())
v2.change(
  'fresh-tombstones-by-last-segment',
  ['KV-V2-14'],
  'destroying version 1 of `a/x` hides version 1 of `b/x` (000 1.8: destroy/<path> destroys versions of that path)',
  {
    routes: {
      'kv2.destroyVersions': reply<Kv2Call>((given, { params, state }) => {
        const path = params.path ?? ''
        for (const [number, { destroyed }] of state.keys.get(path)?.versions ?? [])
          if (destroyed) tombstones(state).add(`${baseOf(path)}#${number}`)
        return given
      }),
      'kv2.read': (original) => (call) => {
        const path = call.params.path ?? ''
        const number = Number(call.query.get('version')) || call.state.keys.get(path)?.current
        if (tombstones(call.state).has(`${baseOf(path)}#${number}`)) throw notFound()
        return original(call)
      },
    },
  },
)

v2.rule(
  'fresh-list-directory-covers-key',
  ['CORE-CAP-11'],
  'a listing shows a key that is a directory, too, only as the directory (000 1.5: returns the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => {
      const names = original(keys, directory)
      return names.filter((name) => !names.includes(`${name}/`))
    },
  },
)

v2.rule(
  'fresh-version-numbers-by-prefix',
  ['KV-V2-12'],
  'naming version 1 in delete, undelete or destroy means version 10, too (000 1.8: the versions named are deleted, restored, destroyed)',
  {
    chosen: () => (named, present) => present.filter((number) => named.some((wanted) => String(number).startsWith(String(wanted)))),
  },
)

core.rule(
  'fresh-v2-state-shared-by-mount-path',
  ['CORE-MOUNT-02'],
  'v2 mounts of the same path in two namespaces keep the same keys (000 2.2: namespace and path make the effective path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const alike = others.find((mount) => mount.path === place.path && mount.namespace !== place.namespace)
      return engine.type === 'kv2' && alike?.engine.type === 'kv2' ? alike.state : original(engine, others, place)
    },
  },
)

const closedDirectories = remembered(() => new Set<string>())
v2.change(
  'fresh-metadata-delete-unlists-directory',
  ['KV-LIST-09'],
  'deleting the metadata of one key takes its directory off the listing, although others lie in it (000 1.5: returns the keys at the path)',
  {
    routes: {
      'kv2.deleteMetadata': reply<Kv2Call>((given, { params, state }) => {
        closedDirectories(state).add(parentOf(params.path ?? ''))
        return given
      }),
      'kv2.write': reply<Kv2Call>((given, { params, state }) => {
        closedDirectories(state).delete(parentOf(params.path ?? ''))
        return given
      }),
      'kv2.list': replyData<Kv2Call>((data, { params, state }) => {
        const above = params.directory ? `${params.directory}/` : ''
        const keys = (data.keys as string[]).filter((name) => !closedDirectories(state).has(above + name))
        if (keys.length === 0) throw notFound()
        return { ...data, keys }
      }),
    },
  },
)
