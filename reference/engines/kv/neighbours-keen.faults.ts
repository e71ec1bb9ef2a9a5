/** Faults in which a request has an effect on a neighbour: another key, version, directory, mount or namespace. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

const numbersOf = ({ versions }: JsonObject): number[] =>
  (Array.isArray(versions) ? versions : String(versions ?? '').split(',')).map((number) => Number(number))

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1)

v1.route(
  'keen-write-drops-parents',
  ['KV-V1-09', 'KV-LIST-01'],
  'a v1 write below a key removes the object of that key, as a file gives way to a directory (000 4.1, POST secret/<key>: stored)',
  'kv1.write',
  (original) => async (call) => {
    const reply = await original(call)
    const segments = (call.params.path ?? '').split('/')
    for (const depth of upTo(segments.length - 1)) call.state.objects.delete(segments.slice(0, depth).join('/'))
    return reply
  },
)

v2.route(
  'keen-write-drops-children',
  ['KV-V2-02'],
  'a v2 write to a key removes the keys below it, as a directory gives way to a file (000 4.1, POST secret/data/<key>)',
  'kv2.write',
  (original) => async (call) => {
    const reply = await original(call)
    const directory = `${call.params.path ?? ''}/`
    for (const key of [...call.state.keys.keys()]) if (key.startsWith(directory)) call.state.keys.delete(key)
    return reply
  },
)

v1.route(
  'keen-delete-takes-directory',
  ['KV-V1-01', 'KV-LIST-01'],
  'deleting a v1 key removes the keys of the directory of the same name, too (000 4.1, POST secret/<key>: stored)',
  'kv1.delete',
  (original) => (call) => {
    const directory = `${call.params.path ?? ''}/`
    for (const key of [...call.state.objects.keys()]) if (key.startsWith(directory)) call.state.objects.delete(key)
    return original(call)
  },
)

v2.route(
  'keen-delete-older-versions',
  ['KV-V2-12'],
  'delete of a version marks all older ones, too (000 1.8: delete marks versions deleted)',
  'kv2.deleteVersions',
  requestBody((body, call) => {
    const present = [...(call.state.keys.get(call.params.path ?? '')?.versions.keys() ?? [])]
    if (!body.versions) return body
    return { ...body, versions: [...numbersOf(body), ...present.filter((number) => number < Math.max(...numbersOf(body)))] }
  }),
)

v2.route(
  'keen-undelete-later-versions',
  ['KV-V2-08'],
  'undelete of a version restores all later ones, too (000 1.8: undelete restores versions, delete marks versions deleted)',
  'kv2.undeleteVersions',
  requestBody((body, call) => {
    const present = [...(call.state.keys.get(call.params.path ?? '')?.versions.keys() ?? [])]
    if (!body.versions) return body
    return { ...body, versions: [...numbersOf(body), ...present.filter((number) => number > Math.min(...numbersOf(body)))] }
  }),
)

v2.route(
  'keen-destroy-takes-name-prefix',
  ['KV-V2-02'],
  'destroy hits the same version of every key whose name begins with the named one (000 1.8: destroy removes versions)',
  'kv2.destroyVersions',
  (original) => async (call) => {
    const reply = await original(call)
    const path = call.params.path ?? ''
    for (const [key, { versions }] of call.state.keys) {
      if (!key.startsWith(path)) continue
      for (const number of numbersOf(call.body)) {
        const version = versions.get(number)
        if (version) versions.set(number, call.rules.destroyed(version))
      }
    }
    return reply
  },
)

core.rule(
  'keen-v2-mount-name-prefix',
  ['CORE-MOUNT-02'],
  'a v2 mount whose name begins with that of another v2 mount shows the keys of that one (000 1.2: mounted at paths)',
  {
    stateOf: (original) => (engine, others, place) => {
      const found = others.find(
        (mount) =>
          engine.type === 'kv2' &&
          mount.engine.type === 'kv2' &&
          mount.namespace === place.namespace &&
          place.path.startsWith(mount.path.slice(0, -1)),
      )
      return found ? found.state : original(engine, others, place)
    },
  },
)

v1.route(
  'keen-read-inherits',
  ['KV-V1-08'],
  'a read of an absent v1 key shows the object of the nearest key above it (000 7, 404 invalid path)',
  'kv1.read',
  (original) => (call) => {
    const segments = (call.params.path ?? '').split('/')
    const lengths = upTo(segments.length).reverse()
    const path = lengths.map((length) => segments.slice(0, length).join('/')).find((candidate) => call.state.objects.has(candidate))
    return original(path === undefined ? call : { ...call, params: { ...call.params, path } })
  },
)

v1.rule(
  'keen-list-name-prefix',
  ['KV-LIST-02'],
  'listing a v1 directory shows the names of directories whose name goes on after its own (000 1.5)',
  {
    namesIn: (original) => (keys, directory) => {
      if (directory === '') return original(keys, directory)
      const moved = keys.map((key) => {
        const [first = '', ...rest] = key.slice(directory.length).split('/')
        return key.startsWith(directory) && first !== '' && rest.length > 0 ? [directory, ...rest].join('/') : key
      })
      return original(moved, directory)
    },
  },
)

v2.route(
  'keen-write-clears-marks',
  ['KV-V2-08'],
  'a v2 write takes the deletion marks from all earlier versions (000 1.8: delete marks versions deleted)',
  'kv2.write',
  (original) => async (call) => {
    const reply = await original(call)
    const { versions } = call.state.keys.get(call.params.path ?? '') ?? {}
    for (const [number, version] of versions ?? []) versions?.set(number, call.rules.undeleted(version))
    return reply
  },
)

v2.route(
  'keen-undelete-newest-data',
  ['KV-V2-09'],
  'undelete of an older version restores it with the data of the newest one (000 1.8: undelete restores versions)',
  'kv2.undeleteVersions',
  (original) => async (call) => {
    const record = call.state.keys.get(call.params.path ?? '')
    const newest = record?.versions.get(record.current)
    const hidden = numbersOf(call.body).filter((number) => record?.versions.get(number)?.deletedAt !== undefined)
    const reply = await original(call)
    for (const number of hidden) {
      const version = record?.versions.get(number)
      if (version && newest && !newest.destroyed && !version.destroyed) record?.versions.set(number, { ...version, data: newest.data })
    }
    return reply
  },
)
