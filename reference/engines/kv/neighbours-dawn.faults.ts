/** Faults that show at a neighbour: another key, version, caller, mount or namespace. */
import { stringify } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { parentOf } from './dawn-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import type { Kv2State } from './records.ts'

const kv1 = faultsOf(kv1Engine, 'kv')
const kv2 = faultsOf(kv2Engine, 'kv')
kv1.route(
  'dawn-delete-takes-directory',
  'KV-V1-01',
  'v1: deleting an object deletes what is stored below its name, too (000 4.1: body stored, GET returns the JSON secret)',
  'kv1.delete',
  (original) => async (call) => {
    const reply = await original(call)
    for (const key of [...call.state.objects.keys()]) if (key.startsWith(`${call.params.path}/`)) call.state.objects.delete(key)
    return reply
  },
)

kv2.route(
  'dawn-destroy-by-last-segment',
  'KV-V2-02',
  'v2: destroying versions destroys those of equally named objects in other directories, too (000 1.8: destroy/<path>)',
  'kv2.destroyVersions',
  (original) => async (call) => {
    const name = (path: string | undefined) => path?.split('/').at(-1)
    const reply = await original(call)
    for (const path of call.state.keys.keys()) if (name(path) === name(call.params.path)) await original({ ...call, params: { path } })
    return reply
  },
)

kv2.route(
  'dawn-undelete-restores-older',
  'KV-V2-08',
  'v2: undeleting a version restores all deleted versions before it, too (000 1.8: undelete restores versions, delete marks versions deleted)',
  'kv2.undeleteVersions',
  requestBody((body) => {
    const newest = Array.isArray(body.versions) ? Math.max(...body.versions.map(Number)) : 0
    if (!(newest >= 1 && newest <= 1000)) return body
    return { ...body, versions: Array.from({ length: newest }, (_, index) => index + 1) }
  }),
)

kv2.rule(
  'dawn-versions-as-range',
  'KV-V2-13',
  'v2: versions 1 and 3 named together mean the range, and version 2 is deleted, restored or destroyed as well (000 1.8)',
  {
    chosen: () => (named, present) => present.filter((number) => number >= Math.min(...named) && number <= Math.max(...named)),
  },
)

kv1.rule(
  'dawn-extension-stripped',
  'KV-LIST-01',
  'v1: `app.json` and `app` are one object, since the format ending is cut off (000 1.4: <key>)',
  {
    keyOf: (original) => (path) => original(path.replace(/\.(json|ya?ml|txt)$/i, '')),
  },
)

kv2.rule(
  'dawn-plus-is-blank',
  'KV-LIST-09',
  'v2: a plus sign in a key is read as a blank, so that `a+b` and `a b` are one object (000 1.4: <key>)',
  {
    keyOf: (original) => (path) => original(path.replaceAll('+', ' ')),
  },
)

kv1.rule(
  'dawn-list-similar-directories',
  'KV-LIST-02',
  'v1: listing `app` also returns what is in `app-old` (000 1.5: the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => {
      const isSimilar = (key: string) =>
        directory !== '' && key.startsWith(directory) && key.indexOf('/', directory.length) > directory.length
      const below = (key: string) => key.slice(key.indexOf('/', directory.length) + 1)
      return original([...keys, ...keys.filter(isSimilar).map((key) => `${directory}/${below(key)}`)], directory)
    },
  },
)

const statesOf = remembered(() => new Set<Kv2State>())
kv2.change(
  'dawn-absent-from-other-mount',
  'CORE-MOUNT-02',
  'v2: an object that a mount does not have is read from another mount that has one of that name (000 1.2: engines mounted at paths, 7: 404)',
  {
    routes: {
      'kv2.write': (original) => (call) => {
        statesOf(call.services).add(call.state)
        return original(call)
      },
      'kv2.read': (original) => (call) => {
        const key = call.rules.keyOf(call.params.path ?? '')
        if (call.state.keys.has(key)) return original(call)
        const other = [...statesOf(call.services)].find(({ keys }) => keys.has(key))
        return original(other ? { ...call, state: other } : call)
      },
    },
  },
)

kv1.route(
  'dawn-read-any-case',
  'KV-V1-08',
  'v1: a key that does not exist is answered with the object whose key differs in letter case only (000 7: 404, 1.4: <key>)',
  'kv1.read',
  (original) => (call) => {
    const asked = call.params.path ?? ''
    if (call.state.objects.has(asked)) return original(call)
    const path = [...call.state.objects.keys()].find((key) => key.toLowerCase() === asked.toLowerCase()) ?? asked
    return original({ ...call, params: { path } })
  },
)

kv2.route(
  'dawn-destroy-shared-content',
  'KV-V2-13',
  'v2: destroying a version destroys every version with equal content, of whichever object (000 1.8: destroy removes versions)',
  'kv2.destroyVersions',
  (original) => async (call) => {
    const record = call.state.keys.get(call.rules.keyOf(call.params.path ?? ''))
    const before = [...(record?.versions ?? [])].filter(([, { destroyed }]) => !destroyed)
    const reply = await original(call)
    const gone = before.filter(([number]) => record?.versions.get(number)?.destroyed).map(([, { data }]) => stringify(data ?? null))
    for (const { versions } of call.state.keys.values()) {
      for (const [number, version] of versions) {
        if (version.data !== undefined && gone.includes(stringify(version.data))) versions.set(number, call.rules.destroyed(version))
      }
    }
    return reply
  },
)

kv2.route(
  'dawn-object-becomes-directory',
  'KV-V2-02',
  'v2: writing `a/b` takes away the object `a`, which is a directory from then on (000 1.4, 4.1: POST data/<key>)',
  'kv2.write',
  (original) => async (call) => {
    const reply = await original(call)
    call.state.keys.delete(call.rules.keyOf(parentOf(call.params.path ?? '')))
    return reply
  },
)
