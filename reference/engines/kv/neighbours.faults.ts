/** Faults that reach a neighbour: another key, version or mount. */
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { type Kv1State, kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { type Kv2Call, recordOf } from './kv2-data.ts'

const one = faultsOf(kv1Engine, 'kv')

const two = faultsOf(kv2Engine, 'kv')

const allVersions = (call: Kv2Call): number[] => [...(recordOf(call)?.versions.keys() ?? [])]

one.route(
  'neighbour-delete-prefix',
  'KV-V1-01',
  'a deletion takes the keys along whose names begin with it',
  'kv1.delete',
  (original) => (call) => {
    const path = call.params.path ?? ''
    for (const key of [...call.state.objects.keys()]) if (key !== path && key.startsWith(path)) call.state.objects.delete(key)
    return original(call)
  },
)
one.route(
  'neighbour-write-same-leaf',
  ['KV-V1-01', 'KV-V1-09'],
  'a write replaces the keys of the same name in other directories',
  'kv1.write',
  (original) => async (call) => {
    const reply = await original(call)
    const path = call.params.path ?? ''
    const leaf = path.split('/').at(-1)
    const written = call.state.objects.get(path)
    for (const key of [...call.state.objects.keys()]) {
      if (written !== undefined && key !== path && key.split('/').at(-1) === leaf) call.state.objects.set(key, written)
    }
    return reply
  },
)
two.route(
  'neighbour-destroy-older',
  'KV-V2-13',
  'destroying a version destroys those before it',
  'kv2.destroyVersions',
  requestBody((body, call) => {
    const named = Array.isArray(body.versions) ? body.versions.map(Number) : []
    return named.length === 0 ? body : { ...body, versions: allVersions(call).filter((number) => number <= Math.max(...named)) }
  }),
)
two.route(
  'neighbour-undelete-all',
  ['KV-V2-08', 'KV-V2-09', 'KV-V2-12'],
  'restoring a version restores all of the key',
  'kv2.undeleteVersions',
  requestBody((body, call) =>
    Array.isArray(body.versions) && allVersions(call).length > 0 ? { ...body, versions: allVersions(call) } : body,
  ),
)
two.route(
  'neighbour-metadata-directory',
  'KV-V2-02',
  'deleting a key deletes the keys below it',
  'kv2.deleteMetadata',
  (original) => (call) => {
    const below = `${call.params.path ?? ''}/`
    for (const key of [...call.state.keys.keys()]) if (key.startsWith(below)) call.state.keys.delete(key)
    return original(call)
  },
)
const mountsSeen = new Set<Kv1State>()
one.route(
  'neighbour-other-mount',
  'KV-V1-01',
  'a write reaches the key of that name in another mount',
  'kv1.write',
  (original) => async (call) => {
    const path = call.params.path ?? ''
    mountsSeen.add(call.state)
    const reply = await original(call)
    const written = call.state.objects.get(path)
    for (const state of mountsSeen) if (written !== undefined && state.objects.has(path)) state.objects.set(path, written)
    return reply
  },
)
