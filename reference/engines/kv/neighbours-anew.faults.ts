/** Faults whose effect is on a neighbour: another key, version, caller, mount or namespace. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { afterwards, type Kv1Call, pathOf } from './anew-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { recordOf } from './kv2-data.ts'

const kv1 = faultsOf(kv1Engine, 'kv')
const kv2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

kv1.route(
  'anew-key-below-replaces-key-above',
  ['KV-V1-09'],
  'writing a/b removes the object at a, as if a name were a key or a directory, never both (000 4.1: "JSON object body; stored")',
  'kv1.write',
  afterwards((call) => {
    const segments = pathOf(call).split('/')
    for (let count = 1; count < segments.length; count += 1) call.state.objects.delete(segments.slice(0, count).join('/'))
  }),
)

kv1.route(
  'anew-deletion-takes-subtree',
  ['KV-V1-01'],
  'deleting the key a deletes a/b as well (000 4.1: "JSON object body; stored")',
  'kv1.delete',
  afterwards((call) => {
    const below = [...call.state.objects.keys()].filter((key) => key.startsWith(`${pathOf(call)}/`))
    for (const key of below) call.state.objects.delete(key)
  }),
)

kv1.rule(
  'anew-listing-by-bare-prefix',
  ['KV-LIST-02'],
  'the listing of app/ holds leftovers of names below apple/ (000 1.5: "returns the keys at the path")',
  {
    namesIn: (original) => (keys, directory) => {
      if (directory === '') return original(keys, directory)
      const below = keys.filter((key) => key.startsWith(directory)).map((key) => key.slice(directory.length + 1))
      return original(
        below.filter((key) => key !== ''),
        '',
      )
    },
  },
)

kv1.rule(
  'anew-directory-cut-at-last-slash',
  ['CORE-CAP-11'],
  'a listing names a/b/ instead of a/ for keys two directories further down (000 1.5: "returns the keys at the path")',
  {
    namesIn: () => (keys, directory) => {
      const prefix = directory === '' ? '' : `${directory}/`
      const below = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
      return [...new Set(below.map((rest) => rest.slice(0, rest.lastIndexOf('/') + 1) || rest))]
    },
  },
)

const readsByPath = remembered(() => new Map<string, Reply>())
const forgottenByPath = afterwards<Kv1Call>((call) => void readsByPath(call.services).delete(pathOf(call)))

kv1.change(
  'anew-read-cache-of-all-mounts',
  ['CORE-MOUNT-02'],
  'a key that was read in one mount is answered from there in another mount or namespace too (000 1.4, 2.2: the path names the mount)',
  {
    routes: {
      'kv1.read': (original) => async (call) => {
        const known = readsByPath(call.services)
        const given = known.get(pathOf(call)) ?? (await original(call))
        known.set(pathOf(call), given)
        return given
      },
      'kv1.write': forgottenByPath,
      'kv1.delete': forgottenByPath,
    },
  },
)

const readsByToken = remembered(() => new Map<string, Reply>())
const placeOf = (call: Kv1Call): string => call.mount.namespace + call.path
const forgottenByToken = afterwards<Kv1Call>((call) => void readsByToken(call.token ?? call.services).delete(placeOf(call)))

kv1.change(
  'anew-read-cache-of-a-caller',
  ['CORE-CAP-10'],
  'a caller who read an object does not see what other callers write to it later (000 4.1: GET returns what POST stored)',
  {
    routes: {
      'kv1.read': (original) => async (call) => {
        const known = readsByToken(call.token ?? call.services)
        const given = known.get(placeOf(call)) ?? (await original(call))
        known.set(placeOf(call), given)
        return given
      },
      'kv1.write': forgottenByToken,
      'kv1.delete': forgottenByToken,
    },
  },
)

const lastSegment = (path: string): string => path.split('/').at(-2) ?? ''

core.rule(
  'anew-v2-mount-known-by-last-segment',
  ['CORE-MOUNT-02'],
  'v2 mounts at a/secret/ and b/secret/ hold the same keys (000 conventions: "Engines can be mounted at any path")',
  {
    stateOf: (original) => (engine, others, place) =>
      others.find(
        ({ engine: { type }, namespace, path }) =>
          type === 'kv2' && engine.type === type && namespace === place.namespace && lastSegment(path) === lastSegment(place.path),
      )?.state ?? original(engine, others, place),
  },
)

core.rule(
  'anew-v2-mount-inherited-by-namespace',
  ['CORE-NS-07'],
  'a namespace without a v2 mount at that path reads the one of the namespace above (000 2.2: header ns1/ means ns1/secret/foo)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const above = all.filter((mount) => mount.namespace !== namespace && namespace.startsWith(mount.namespace))
      return [...own, ...above.filter(({ engine, path }) => engine.type === 'kv2' && !own.some((mount) => mount.path === path))]
    },
  },
)

kv2.route(
  'anew-destroy-purges-deleted-versions',
  ['KV-V2-09'],
  'destroying one version makes the deleted ones of the key unrecoverable (000 1.8: "undelete restores versions")',
  'kv2.destroyVersions',
  afterwards((call) => {
    const versions = recordOf(call)?.versions ?? new Map()
    for (const [number, version] of versions) if (version.deletedAt <= call.now()) versions.set(number, call.rules.destroyed(version))
  }),
)

kv2.route(
  'anew-metadata-write-restores-versions',
  ['KV-V2-08'],
  'writing metadata of a key makes its deleted versions readable again (000 1.8: "delete marks versions deleted")',
  'kv2.writeMetadata',
  afterwards((call) => {
    const versions = recordOf(call)?.versions ?? new Map()
    for (const [number, version] of versions) versions.set(number, call.rules.undeleted(version))
  }),
)

kv2.route(
  'anew-undelete-restores-newest-too',
  ['KV-V2-08'],
  'undeleting an older version brings the deleted newest one back as well (000 1.8: "delete marks versions deleted")',
  'kv2.undeleteVersions',
  afterwards((call) => {
    const record = recordOf(call)
    const newest = record?.versions.get(record.current)
    if (record && newest) record.versions.set(record.current, call.rules.undeleted(newest))
  }),
)

kv2.route(
  'anew-metadata-deletion-by-prefix',
  ['CORE-MOUNT-02'],
  'deleting the metadata of app removes app2 and app/x too (000 4.1: "body has data object", which was written there)',
  'kv2.deleteMetadata',
  afterwards((call) => {
    if (pathOf(call) === '') return
    for (const key of [...call.state.keys.keys()].filter((known) => known.startsWith(pathOf(call)))) call.state.keys.delete(key)
  }),
)
