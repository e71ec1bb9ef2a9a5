/** Faults that show on a neighbour: another key, version, directory, mount, namespace. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { namedIn, pathOf, recordAt } from './amber-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const one = faultsOf(kv1Engine, 'kv')
const two = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

one.rule(
  'amber-deep-keys-by-tail',
  'KV-LIST-01',
  'keys of four segments and more share what their last three share (000 4.1: /v1/secret/<key> stored)',
  {
    keyOf: (original) => (path) => {
      const segments = path.split('/')
      return original(segments.length > 3 ? segments.slice(-3).join('/') : path)
    },
  },
)

two.route(
  'amber-destroy-by-prefix',
  'KV-V2-02',
  'destroy takes the same versions of keys whose names begin with that key, too (000 1.8: destroy removes versions of <path>)',
  'kv2.destroyVersions',
  (original) => async (call) => {
    const reply = await original(call)
    const path = pathOf(call)
    const others = [...call.state.keys.keys()].filter((key) => key !== path && key.startsWith(path))
    for (const other of others) await original({ ...call, params: { path: other } })
    return reply
  },
)

two.rule(
  'amber-versions-between',
  'KV-V2-12',
  'versions between the ones that are named are hit, too (000 1.8: delete, destroy, undelete versions)',
  {
    chosen: () => (named, present) => present.filter((number) => number >= Math.min(...named) && number <= Math.max(...named)),
  },
)

core.rule(
  'amber-namespaces-share-mount',
  'CORE-MOUNT-02',
  'v2 mounts of one path in two namespaces hold the same secrets (000 2.2: effective path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const namesake = others.find(
        (mount) => engine.type === 'kv2' && mount.engine.type === 'kv2' && mount.path === place.path && mount.namespace !== place.namespace,
      )
      return namesake ? namesake.state : original(engine, others, place)
    },
  },
)

two.rule(
  'amber-list-similar-directory',
  'KV-LIST-09',
  'a listing has keys of directories whose names begin alike (000 1.5: the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => {
      const names = original(keys, directory)
      if (directory === '') return names
      const alike = keys.flatMap((key) => {
        const at = key.lastIndexOf('/')
        const rest = key.slice(0, Math.max(at, 0)).slice(directory.length)
        const isAlike = key.startsWith(directory) && at > directory.length && !rest.includes('/')
        return isAlike ? [key.slice(at + 1)] : []
      })
      return [...new Set([...names, ...alike])]
    },
  },
)

one.rule(
  'amber-list-grandchildren',
  'KV-LIST-02',
  'a listing has the keys of the next deeper directories among its own (000 1.5: the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => {
      const start = directory === '' ? '' : `${directory}/`
      const deeper = keys
        .filter((key) => key.startsWith(start))
        .map((key) => key.slice(start.length).split('/'))
        .flatMap(([, name, ...more]) => (name !== undefined && more.length === 0 ? [name] : []))
      return [...new Set([...original(keys, directory), ...deeper])]
    },
  },
)

two.route(
  'amber-undelete-earlier-too',
  'KV-V2-08',
  'undelete restores the earlier versions along with the one that is named (000 1.8: undelete restores versions)',
  'kv2.undeleteVersions',
  (original) => (call) => {
    const latest = Math.max(...namedIn(call.body))
    const upTo = [...(recordAt(call)?.versions.keys() ?? [])].filter((number) => number <= latest)
    return original(upTo.length > 0 ? { ...call, body: { ...call.body, versions: upTo } } : call)
  },
)

two.route(
  'amber-metadata-write-empties-key',
  'KV-V2-02',
  'a write of metadata/<path> starts the key anew, so that its data is gone (000 1.8, 4.1: data/<key> stays what was written)',
  'kv2.writeMetadata',
  (original) => async (call) => {
    const reply = await original(call)
    const record = recordAt(call)
    if (record) call.state.keys.set(pathOf(call), { ...record, versions: new Map(), current: 0 })
    return reply
  },
)

one.route(
  'amber-underscore-matches-any',
  'KV-V1-08',
  'an absent key with an underscore reads as another one that has any letter there (000 7: 404 invalid path)',
  'kv1.read',
  (original) => (call) => {
    const path = pathOf(call)
    if (call.state.objects.has(path) || !path.includes('_')) return original(call)
    const like = new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('_', '[^/]')}$`)
    const found = [...call.state.objects.keys()].find((key) => like.test(key))
    return original({ ...call, params: { path: found ?? path } })
  },
)

core.rule(
  'amber-parent-mount-inherited',
  'CORE-NS-07',
  'a namespace without the mount shows the secrets of its parent (000 2.2: effective path)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const inherited = all.filter(
        (mount) => mount.engine.type.startsWith('kv') && mount.namespace !== namespace && namespace.startsWith(mount.namespace),
      )
      return [...own, ...inherited]
    },
  },
)

one.route(
  'amber-child-removes-parent-key',
  'KV-V1-09',
  'a write of a/b removes the object at a (000 4.1: /v1/secret/<key> stored)',
  'kv1.write',
  (original) => async (call) => {
    const reply = await original(call)
    const segments = pathOf(call).split('/')
    for (let depth = 1; depth < segments.length; depth += 1) call.state.objects.delete(segments.slice(0, depth).join('/'))
    return reply
  },
)
