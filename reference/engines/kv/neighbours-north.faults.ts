/** Faults that touch a neighbour: another key, version, directory, mount, namespace or caller. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { recordOf } from './kv2-data.ts'
import { decidedPerCall, deciding, type Kv1Call, type Kv2Call, type Kv2Handle, pathIn, VERSION_ROUTES } from './north-help.ts'

const kv1 = faultsOf(kv1Engine, 'kv')
const kv2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

kv1.rule(
  'north-list-of-similar-directories',
  'KV-LIST-02',
  'a listing takes in directories whose names only begin like the one asked (000 1.5: returns the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => {
      if (directory === '') return original(keys, directory)
      const below = keys.filter((key) => key.startsWith(directory)).map((key) => key.slice(directory.length + 1))
      return original(
        below.filter((rest) => rest !== ''),
        '',
      )
    },
  },
)

const anyCase = decidedPerCall(({ state, rules }) => ({
  keyOf: (path) => {
    const key = rules.keyOf(path)
    if (state.keys.has(key)) return key
    return [...state.keys.keys()].find((known) => known.toLowerCase() === key.toLowerCase()) ?? key
  },
}))
kv2.route(
  'north-known-key-of-any-case',
  'KV-V2-30',
  'a key is written onto and read from one whose name differs only by case (000 1.4: data/<key>; 4.1: POST data/<key>)',
  ['kv2.read', 'kv2.write'],
  anyCase,
)

kv1.route(
  'north-object-gives-way-to-directory',
  'KV-V1-09',
  'writing below a key removes the object at that key (000 4.1: POST /v1/secret/<key>, JSON object body, stored)',
  'kv1.write',
  (original) => async (call) => {
    const given = await original(call)
    const segments = pathIn(call).split('/')
    for (let length = 1; length < segments.length; length += 1) call.state.objects.delete(segments.slice(0, length).join('/'))
    return given
  },
)

kv2.route(
  'north-destruction-reaches-below',
  'KV-V2-02',
  'destroying versions of a key destroys those of the same numbers of the keys below it (000 1.8: destroy/<path>, removes versions)',
  'kv2.destroyVersions',
  (original) => async (call) => {
    const given = await original(call)
    const gone = [...(recordOf(call)?.versions ?? [])].filter(([, { destroyed }]) => destroyed).map(([number]) => number)
    for (const [key, { versions }] of call.state.keys) {
      if (!key.startsWith(`${pathIn(call)}/`)) continue
      for (const [number, version] of versions) if (gone.includes(number)) versions.set(number, call.rules.destroyed(version))
    }
    return given
  },
)

const deletions = remembered<number[][]>(() => [])
kv2.change(
  'north-whole-deletion-undone',
  'KV-V2-08',
  'undeleting a version restores all that were deleted in the same request (000 1.8: undelete restores versions)',
  {
    routes: {
      'kv2.deleteVersions': decidedPerCall((call) => ({
        chosen: (named, present) => {
          const chosen = call.rules.chosen(named, present)
          const record = recordOf(call)
          if (record) deletions(record).push(chosen)
          return chosen
        },
      })),
      'kv2.undeleteVersions': decidedPerCall((call) => ({
        chosen: (named, present) => {
          const record = recordOf(call)
          const together = record ? deletions(record).filter((numbers) => numbers.some((number) => named.includes(number))) : []
          return call.rules.chosen([...named, ...together.flat()], present)
        },
      })),
    },
  },
)

const read = remembered(() => new Map<string, Reply>())
const forgetting =
  (original: (call: Kv1Call) => Reply | Promise<Reply>) =>
  (call: Kv1Call): Reply | Promise<Reply> => {
    read(call.services).delete(pathIn(call))
    return original(call)
  }
kv1.change(
  'north-cache-overlooks-mount',
  'CORE-MOUNT-02',
  'a key that was read is read in other mounts with the same value (000 1.2: engines mounted at paths; 1.4: GET on the path)',
  {
    routes: {
      'kv1.read': (original) => async (call) => {
        const given = read(call.services).get(pathIn(call)) ?? (await original(call))
        read(call.services).set(pathIn(call), given)
        return given
      },
      'kv1.write': forgetting,
      'kv1.delete': forgetting,
    },
  },
)

core.rule(
  'north-namespaces-share-keys',
  'CORE-MOUNT-02',
  'mounts of version 2 at the same path of different namespaces share their keys (000 2.2: the effective path is the header and the path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const namesake = others.find((mount) => mount.path === place.path && mount.namespace !== place.namespace && mount.engine === engine)
      return namesake !== undefined && engine.type === 'kv2' ? namesake.state : original(engine, others, place)
    },
  },
)

kv1.rule(
  'north-key-behind-directory-not-listed',
  'CORE-CAP-11',
  'a key is not listed where a directory has the same name (000 1.5: returns the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => {
      const names = original(keys, directory)
      return names.filter((name) => !names.includes(`${name}/`))
    },
  },
)

kv2.rule(
  'north-directories-listed-to-the-bottom',
  'KV-LIST-02',
  'of a directory that holds directories the whole path down is listed (000 1.5: returns the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => {
      const prefix = directory === '' ? '' : `${directory}/`
      const below = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
      const leaves = original(keys, directory).filter((name) => !name.endsWith('/'))
      const directories = below.filter((rest) => rest.includes('/')).map((rest) => rest.slice(0, rest.lastIndexOf('/') + 1))
      return [...leaves, ...new Set(directories)]
    },
  },
)

kv1.rule(
  'north-data-segment-taken-away',
  'KV-V1-09',
  'in version 1 a key below data/ is the same as the one without it (000 1.4: version 1 on /v1/secret/<key>, version 2 inserts data/)',
  {
    keyOf: (original) => (path) => original(path.replace(/^data\//, '')),
  },
)

const sessions = remembered(() => new Map<string, Map<string, Reply>>())
const sessionOf = ({ state, token }: Kv2Call): Map<string, Reply> => {
  const session = sessions(state).get(token?.accessor ?? '') ?? new Map<string, Reply>()
  sessions(state).set(token?.accessor ?? '', session)
  return session
}
const ownChange =
  (original: Kv2Handle): Kv2Handle =>
  (call) => {
    sessionOf(call).clear()
    return original(call)
  }
kv2.change(
  'north-changes-of-others-unseen',
  'KV-V2-06',
  'a token that has read a key does not see what other tokens write there (000 4.1: POST data/<key>; 1.4: read with GET)',
  {
    routes: {
      'kv2.read': (original) => async (call) => {
        const asked = `${pathIn(call)}?${call.query.get('version') ?? ''}`
        const given = sessionOf(call).get(asked) ?? (await original(call))
        sessionOf(call).set(asked, given)
        return given
      },
      ...Object.fromEntries(['kv2.write', 'kv2.deleteLatest', 'kv2.deleteMetadata', ...VERSION_ROUTES].map((id) => [id, ownChange])),
    },
  },
)

const beginsAlike = (number: number, named: number[]): boolean => named.some((wanted) => String(number).startsWith(String(wanted)))
kv2.route(
  'north-destruction-by-first-digits',
  'KV-V2-13',
  'destroying version 1 destroys version 10, too (000 1.8: destroy removes versions permanently)',
  'kv2.destroyVersions',
  (original) => (call) =>
    original(
      deciding(call, {
        chosen: (named, present) => present.filter((number) => beginsAlike(number, named)),
      }),
    ),
)
