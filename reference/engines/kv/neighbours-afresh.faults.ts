/** Blind faults of both key-value versions that show at a neighbour: another key, version, mount or namespace. */
import { coreEngine } from '../../core/core-engine.ts'
import { stringify } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { baseOf, choosing, directoryOf, parentsOf, versionAt } from './afresh-help.ts'
import { afterwards, beforehand, type Kv1Call, pathOf } from './anew-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { type Kv2Call, recordOf } from './kv2-data.ts'
import type { Kv2State } from './records.ts'

const first = faultsOf(kv1Engine, 'kv')
const second = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

first.route(
  'afresh-parent-lost-to-child',
  ['KV-V1-09'],
  'writing a/b makes a directory of the key a, whose object is gone (000 4.1: JSON object body; stored)',
  'kv1.write',
  afterwards((call: Kv1Call) => {
    for (const parent of parentsOf(pathOf(call))) call.state.objects.delete(parent)
  }),
)

second.route(
  'afresh-children-lost-to-parent',
  ['KV-V2-02'],
  'the first write of a removes the keys below a/ (000 1.8: data/<path>; a write touches its own path alone)',
  'kv2.write',
  (original) => async (call) => {
    const isNew = !recordOf(call)
    const given = await original(call)
    const below = [...call.state.keys.keys()].filter((key) => isNew && key.startsWith(`${pathOf(call)}/`))
    for (const key of below) call.state.keys.delete(key)
    return given
  },
)

second.route(
  'afresh-destroy-by-beginning',
  ['KV-V2-02'],
  'destroy/app also destroys those versions of app2 and app/db, whose names begin alike (000 1.8: destroy/<path>)',
  'kv2.destroyVersions',
  (original) => async (call) => {
    const path = pathOf(call)
    const alike = [...call.state.keys.keys()].filter((key) => key !== path && key.startsWith(path))
    for (const key of alike) await original({ ...call, params: { path: key } })
    return original(call)
  },
)

second.route(
  'afresh-delete-takes-later-versions',
  ['KV-V2-12'],
  'delete of version 1 hides the later ones, so the present one cannot be read (000 1.8: delete marks versions deleted)',
  'kv2.deleteVersions',
  (original) => (call) => original(choosing(call, (named, present) => present.filter((number) => number >= Math.min(...named)))),
)

second.route(
  'afresh-undelete-restores-all',
  ['KV-V2-08'],
  'undelete of one version brings back every deleted one of the key, the newest too (000 1.8: undelete restores versions)',
  'kv2.undeleteVersions',
  (original) => (call) => original(choosing(call, (_named, present) => present)),
)

core.rule(
  'afresh-namespaces-share-objects',
  ['CORE-MOUNT-02'],
  'version 1 mounts at the same path of two namespaces share their objects (000 2.2: the effective path begins with the namespace)',
  {
    stateOf: (original) => (engine, others, place) => {
      const namesake = others.find(({ engine: { type }, path }) => engine.type === 'kv1' && type === 'kv1' && path === place.path)
      return namesake?.state ?? original(engine, others, place)
    },
  },
)

const statesOf = remembered(() => new Map<string, Kv2State>())

const noteState = ({ services, mount, state }: Kv2Call): void => {
  statesOf(services).set(mount.namespace + mount.path, state)
}

second.change(
  'afresh-read-inherits-from-root',
  ['CORE-MOUNT-02'],
  'a key that a namespace lacks is read from the mount of the same path in the root (000 2.2; 7: 404)',
  {
    routes: {
      'kv2.write': beforehand(noteState),
      'kv2.read': (original) => (call) => {
        noteState(call)
        const root = statesOf(call.services).get(call.mount.path)
        return original(root && !recordOf(call) ? { ...call, state: root } : call)
      },
    },
  },
)

second.route(
  'afresh-listing-loses-directory',
  ['KV-LIST-09'],
  'a directory is not listed once the newest version of any key in it is deleted (000 1.5: returns the keys at the path)',
  'kv2.list',
  (original) => (call) => {
    const asked = call.params.directory ? `${call.params.directory}/` : ''
    const paths = [...call.state.keys.keys()]
    const hidden = paths.flatMap((path) => {
      const version = versionAt(call, path)
      const directory = directoryOf(path)
      return version && directory.length > asked.length && !call.rules.visible(version, call.now()) ? [directory] : []
    })
    const kept = [...call.state.keys].filter(([path]) => !hidden.some((directory) => path.startsWith(directory)))
    return original({ ...call, state: { ...call.state, keys: new Map(kept) } })
  },
)

const repliesOf = remembered(() => new Map<string, Reply>())

const forget = afterwards((call: Kv2Call) => {
  repliesOf(call.state).delete(baseOf(pathOf(call)))
})

second.change(
  'afresh-read-cached-by-last-segment',
  ['KV-V2-02'],
  'after a read of a/config, b/config is answered with the same object (000 1.4: GET reads what was written on the same path)',
  {
    routes: {
      'kv2.read': (original) => async (call) => {
        if (call.query.has('version')) return original(call)
        const cache = repliesOf(call.state)
        const name = baseOf(pathOf(call))
        const given = cache.get(name) ?? (await original(call))
        cache.set(name, given)
        return given
      },
      'kv2.write': forget,
      'kv2.deleteLatest': forget,
      'kv2.deleteVersions': forget,
      'kv2.undeleteVersions': forget,
      'kv2.destroyVersions': forget,
      'kv2.writeMetadata': forget,
      'kv2.deleteMetadata': forget,
    },
  },
)

second.route(
  'afresh-destroy-takes-equal-content',
  ['KV-V2-13'],
  'destroying a version destroys all versions of other keys that hold an equal object (000 1.8: destroy removes versions)',
  'kv2.destroyVersions',
  (original) => async (call) => {
    const before = new Map(recordOf(call)?.versions)
    const given = await original(call)
    const after = recordOf(call)?.versions
    const gone = [...before].flatMap(([number, { data }]) => (data !== undefined && after?.get(number)?.destroyed ? [stringify(data)] : []))
    for (const { versions } of call.state.keys.values()) {
      for (const [number, version] of versions) {
        if (version.data !== undefined && gone.includes(stringify(version.data))) versions.set(number, call.rules.destroyed(version))
      }
    }
    return given
  },
)

first.rule(
  'afresh-listing-key-behind-directory',
  ['CORE-CAP-11'],
  'a key is missing from a listing where a directory has the same name (000 1.5: returns the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => {
      const names = original(keys, directory)
      return names.filter((name) => !names.includes(`${name}/`))
    },
  },
)

second.rule(
  'afresh-listing-of-inner-directory',
  ['KV-LIST-02'],
  'the listing of db/ also shows the keys of team/db/, where the name is found further on (000 1.5: returns the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => {
      const within = `/${directory}/`
      const moved = keys.flatMap((key) => {
        const at = directory === '' ? -1 : `/${key}`.indexOf(within)
        return at < 0 ? [] : [key.slice(at)]
      })
      return original([...keys, ...moved], directory)
    },
  },
)
