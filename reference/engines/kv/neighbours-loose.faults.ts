/** Faults in which a request has an effect on, or is answered from, something beside what it names. */
import { coreEngine } from '../../core/core-engine.ts'
import { secret } from '../../core/envelope.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import type { Kv2Call, Kv2Route } from './kv2-data.ts'
import { namedVersions } from './loose-words.ts'

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

/** Does with other keys what is done with the one that a request names. */
const alsoOn =
  (isMeant: (other: string, path: string) => boolean) =>
  (original: Kv2Route['handle']): Kv2Route['handle'] =>
  async (call) => {
    const path = call.params.path ?? ''
    for (const other of [...call.state.keys.keys()])
      if (other !== path && isMeant(other, path)) await original({ ...call, params: { ...call.params, path: other } })
    return original(call)
  }

const isBelow = (other: string, path: string): boolean => other.startsWith(`${path}/`)

v2.route(
  'near-write-drops-keys-below',
  ['KV-V2-02'],
  'writing `a` in version 2 removes the keys of the directory `a/` (000 1.4 and 4.1, what is stored at data/<key> is read there)',
  'kv2.write',
  (original) => async (call) => {
    const reply = await original(call)
    for (const other of [...call.state.keys.keys()]) if (isBelow(other, call.params.path ?? '')) call.state.keys.delete(other)
    return reply
  },
)

v1.route(
  'near-delete-takes-longer-names',
  ['CORE-MOUNT-02'],
  'deleting a key of version 1 removes every key whose name begins with its name (000 1.4, the other objects were stored)',
  'kv1.delete',
  (original) => (call) => {
    const path = call.params.path ?? ''
    for (const other of [...call.state.objects.keys()]) if (other !== path && other.startsWith(path)) call.state.objects.delete(other)
    return original(call)
  },
)

core.rule(
  'near-namespaces-share-mount',
  ['CORE-MOUNT-02'],
  'a version 2 mount has the same data as the mount at the same path in another namespace (000 2.2, the namespace is part of the path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const same = others.find((mount) => engine.type === 'kv2' && mount.engine.type === 'kv2' && mount.path === place.path)
      return same?.state ?? original(engine, others, place)
    },
  },
)

v2.route(
  'near-destroy-takes-newer',
  ['KV-V2-13'],
  'destroying a version destroys all that were written after it, too (000 1.8, destroy removes versions: those named)',
  'kv2.destroyVersions',
  requestBody<Kv2Call>((body, call) => {
    const oldest = Math.min(...namedVersions(body))
    const present = [...(call.state.keys.get(call.params.path ?? '')?.versions.keys() ?? [])]
    const newer = present.filter((number) => number > oldest)
    return Number.isFinite(oldest) ? { ...body, versions: [...new Set([...namedVersions(body), ...newer])] } : body
  }),
)

v2.route(
  'near-delete-takes-current',
  ['KV-V2-12'],
  'deleting an older version marks the current one deleted as well (000 1.8, delete marks versions: those named)',
  'kv2.deleteVersions',
  requestBody<Kv2Call>((body, call) => {
    const current = call.state.keys.get(call.params.path ?? '')?.current
    return current && namedVersions(body).length > 0 ? { ...body, versions: [...namedVersions(body), current] } : body
  }),
)

v2.route(
  'near-delete-takes-directory',
  ['KV-V2-02'],
  'delete/<path> marks the versions of those numbers of all keys below the path, too (000 1.8, delete/<path> is about one path)',
  'kv2.deleteVersions',
  alsoOn(isBelow),
)

v2.route(
  'near-destroy-takes-longer-names',
  ['KV-V2-02'],
  'destroy/<path> destroys the same versions of keys whose paths begin with this one (000 1.8, destroy/<path> is about one path)',
  'kv2.destroyVersions',
  alsoOn((other, path) => other.startsWith(path) && !isBelow(other, path)),
)

const written = remembered(() => new Map<string, { owner: object; value: Json }>())

v1.change(
  'near-read-finds-other-mounts',
  ['CORE-MOUNT-02'],
  'a key that is absent in a version 1 mount is answered from a cache that holds keys of all mounts by path alone (000 7, 404)',
  {
    routes: {
      'kv1.write': (original) => async (call) => {
        const reply = await original(call)
        const path = call.params.path ?? ''
        written(call.services).set(path, { owner: call.state, value: call.state.objects.get(path) ?? {} })
        return reply
      },
      'kv1.read': (original) => (call) => {
        const path = call.params.path ?? ''
        const other = written(call.services).get(path)
        if (call.state.objects.has(path) || !other || other.owner === call.state) return original(call)
        return secret(other.value as JsonObject)
      },
    },
  },
)
