/** Later faults: what an operation does to a neighbour. */
import { coreEngine } from '../../core/core-engine.ts'
import { stringify } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { afterwards, beforehand, type Kv1Call, pathOf } from './anew-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { type Kv2Call, recordOf } from './kv2-data.ts'
import { directoryOf } from './later-help.ts'

const kv1 = faultsOf(kv1Engine, 'kv')
const kv2 = faultsOf(kv2Engine, 'kv')

const core = faultsOf(coreEngine, 'kv')

kv1.route(
  'later-object-replaces-directory',
  ['KV-V1-09'],
  'v1: writing app removes the objects below app/ (000 4.1: "JSON object body; stored")',
  'kv1.write',
  afterwards((call: Kv1Call) => {
    for (const key of [...call.state.objects.keys()]) if (key.startsWith(`${pathOf(call)}/`)) call.state.objects.delete(key)
  }),
)

kv2.route(
  'later-destroy-takes-equal-versions',
  ['KV-V2-13'],
  'v2: versions of equal content are kept once, so destroying one destroys all of that content (000 1.8: "destroy removes versions")',
  'kv2.destroyVersions',
  (original) => async (call) => {
    const record = recordOf(call)
    const before = new Map([...(record?.versions ?? [])].map(([number, { data }]) => [number, stringify(data ?? null)]))
    const given = await original(call)
    if (!record) return given
    const gone = new Set([...record.versions].filter(([, { destroyed }]) => destroyed).map(([number]) => before.get(number)))
    gone.delete('null')
    for (const [number, version] of [...record.versions])
      if (!version.destroyed && gone.has(before.get(number))) record.versions.set(number, call.rules.destroyed(version))
    return given
  },
)

kv2.route(
  'later-delete-takes-a-range',
  ['KV-V2-12'],
  'v2: versions [1, 3] in delete/ are taken as first and last, so that 2 is hidden, too (000 1.8: "delete marks versions deleted")',
  'kv2.deleteVersions',
  requestBody((body) => {
    const { versions } = body
    if (!Array.isArray(versions) || versions.length < 2) return body
    const numbers = versions.map(Number)
    const first = Math.min(...numbers)
    const length = Math.max(...numbers) - first + 1
    return length > 0 && length < 1000 ? { ...body, versions: Array.from({ length }, (_, index) => first + index) } : body
  }),
)

kv2.route(
  'later-removal-takes-prefix',
  ['CORE-MOUNT-02'],
  'v2: removing metadata/app removes every key whose name begins with app, app2 too (000 1.4, 4.1: data/<key> is stored)',
  'kv2.deleteMetadata',
  beforehand((call: Kv2Call) => {
    for (const key of [...call.state.keys.keys()]) if (pathOf(call) && key.startsWith(pathOf(call))) call.state.keys.delete(key)
  }),
)

kv1.rule(
  'later-listing-of-similar-directories',
  ['KV-LIST-02'],
  'v1: a listing of team/ shows what is in team2/ and team-b/ as well (000 1.5: "returns the keys at the path")',
  {
    namesIn: (original) => (keys, directory) => {
      if (directory === '') return original(keys, directory)
      const slash = (key: string): number => key.indexOf('/', directory.length)
      const fitting = keys.filter((key) => key.startsWith(directory) && slash(key) >= 0)
      return original(
        fitting.map((key) => `${directory}/${key.slice(slash(key) + 1)}`),
        directory,
      )
    },
  },
)

const readBefore = remembered(() => new Map<string, Reply>())
const forgetRead = beforehand((call: Kv1Call) => void readBefore(call.services).delete(pathOf(call)))

kv1.change(
  'later-read-cache-of-all-mounts',
  ['CORE-MOUNT-02'],
  'v1: reads are cached by key alone, so that a key of a second mount shows the object of the first (000 1.2: mounted at paths)',
  {
    routes: {
      'kv1.read': (original) => async (call) => {
        const cache = readBefore(call.services)
        const given = cache.get(pathOf(call)) ?? (await original(call))
        cache.set(pathOf(call), given)
        return given
      },
      'kv1.write': forgetRead,
      'kv1.delete': forgetRead,
    },
  },
)

core.rule(
  'later-mounts-inherited',
  ['CORE-NS-07'],
  'a namespace without a mount at a path uses the one of its parent: ns1/secret/foo is secret/foo (000 2.2: header followed by the path)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const above = all.filter((mount) => mount.namespace !== namespace && namespace.startsWith(mount.namespace))
      return [...own, ...above.filter(({ path }) => !own.some((mount) => mount.path === path))]
    },
  },
)

kv1.route(
  'later-emptied-directory-takes-namesake',
  ['KV-V1-01'],
  'v1: deleting the last object in app/ removes the object app along with the directory (000 4.1: "JSON object body; stored")',
  'kv1.delete',
  afterwards((call: Kv1Call) => {
    const directory = directoryOf(pathOf(call))
    if (![...call.state.objects.keys()].some((key) => key.startsWith(`${directory}/`))) call.state.objects.delete(directory)
  }),
)

kv2.rule(
  'later-long-names-share-a-record',
  ['KV-V2-02'],
  'v2: only the first 128 characters of a key count, so that long keys of one beginning overwrite each other (000 1.4: data/<key>)',
  { keyOf: (original) => (path) => original(path).slice(0, 128) },
)

core.rule(
  'later-namespaces-share-v2-mount',
  ['CORE-MOUNT-02'],
  'v2 mounts of the same path in two namespaces hold the same objects (000 2.2: header value followed by the path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const namesake = others.find(
        ({ engine: { type }, namespace, path }) =>
          type === 'kv2' && type === engine.type && path === place.path && namespace !== '' && place.namespace !== '',
      )
      return namesake ? namesake.state : original(engine, others, place)
    },
  },
)

const readByCaller = remembered(() => new Map<string, Reply>())
const placeOf = (call: Kv1Call): string => `${call.mount.namespace}${call.mount.path}${pathOf(call)}`
const forgetOwnRead = beforehand((call: Kv1Call) => void (call.token && readByCaller(call.token).delete(placeOf(call))))

kv1.change(
  'later-read-kept-per-caller',
  ['CORE-CAP-10'],
  'v1: a caller who has read an object goes on seeing it after another caller wrote it anew (000 4.1: POST stored, GET gives the secret)',
  {
    routes: {
      'kv1.read': (original) => async (call) => {
        if (!call.token) return original(call)
        const given = readByCaller(call.token).get(placeOf(call)) ?? (await original(call))
        readByCaller(call.token).set(placeOf(call), given)
        return given
      },
      'kv1.write': forgetOwnRead,
      'kv1.delete': forgetOwnRead,
    },
  },
)
