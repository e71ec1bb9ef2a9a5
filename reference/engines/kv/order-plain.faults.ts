/** Faults of time and order: what came before, what was deleted, what was cached, what was narrowed. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { isKvRequest, isObject, namedVersions, noting } from './plain-help.ts'
import { newRecord } from './records.ts'

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

const merged = (previous: Json | undefined, written: Json): Json => {
  if (!isObject(previous) || !isObject(written)) return written
  const members = Object.entries(written).map(([name, member]) => [name, merged(previous[name], member)] as const)
  return { ...previous, ...Object.fromEntries(members) }
}

v1.rule(
  'plain-rewrite-merges-inner',
  'KV-V1-04',
  'v1: a second write keeps members of nested objects that it leaves out (000 4.1: JSON object body, stored)',
  {
    replaced: (original) => (previous, written) => {
      const next = original(previous, written)
      if (!isObject(previous) || !isObject(next)) return next
      return Object.fromEntries(Object.entries(next).map(([name, member]) => [name, merged(previous[name], member)]))
    },
  },
)

v2.route(
  'plain-restored-becomes-newest',
  'KV-V2-12',
  'v2: restoring an older version makes it the present one, and the next write takes the place of its successor (000 1.8: undelete restores)',
  'kv2.undeleteVersions',
  (original) => async (call) => {
    const reply = await original(call)
    const record = call.state.keys.get(call.params.path ?? '')
    const restored = namedVersions(call.body).filter((number) => record?.versions.has(number))
    if (record && restored.length > 0) record.current = Math.max(...restored)
    return reply
  },
)

v2.rule(
  'plain-destroy-spares-deleted',
  'KV-V2-11',
  'v2: destroying a version that is marked deleted leaves it restorable (000 1.8: destroy removes versions permanently)',
  {
    destroyed: (original) => (version) => (version.deletedAt === undefined ? original(version) : version),
  },
)

v2.route(
  'plain-write-restores-deleted',
  'KV-V2-08',
  'v2: a write takes the marks off the versions before it that were deleted (000 1.8: delete marks versions deleted)',
  'kv2.write',
  (original) => async (call) => {
    const reply = await original(call)
    const record = call.state.keys.get(call.params.path ?? '')
    if (record) for (const [number, version] of [...record.versions]) record.versions.set(number, call.rules.undeleted(version))
    return reply
  },
)

/** Directories below which an object was deleted, without trailing slash. */
const emptied = remembered(() => new Set<string>())

v1.change(
  'plain-emptied-directory-listed',
  'KV-LIST-05',
  'v1: a directory whose last object was deleted is still listed in the one above (000 1.5: returns the keys at the path)',
  {
    routes: {
      'kv1.delete': (original) => (call) => {
        const path = call.params.path ?? ''
        const segments = call.state.objects.has(path) ? path.split('/') : []
        for (let length = 1; length < segments.length; length += 1) emptied(call.state).add(segments.slice(0, length).join('/'))
        return original(call)
      },
      'kv1.list': (original) => async (call) => {
        const directory = call.params.directory ?? ''
        const keys = [...call.state.objects.keys(), ...[...emptied(call.state)].map((name) => `${name}/`)]
        const names = call.rules.namesIn(keys, directory).filter((name) => name !== '')
        return names.length === 0 ? original(call) : call.services.listing(names)
      },
    },
  },
)

type Handler2 = (typeof kv2Engine.routes)[number]['handle']
const seenReads = remembered(() => new Map<string, Map<string, Reply>>())
const forgettingReads: (original: Handler2) => Handler2 = (original) => (call) => {
  seenReads(call.state).delete(call.params.path ?? '')
  return original(call)
}

v2.change(
  'plain-read-cache-survives-destroy',
  'KV-V2-10',
  'v2: a version that was read once is still shown after it was destroyed, until the next write (000 1.8: destroy removes permanently)',
  {
    routes: {
      'kv2.read': (original) => async (call) => {
        const path = call.params.path ?? ''
        const reads = seenReads(call.state).get(path) ?? new Map<string, Reply>()
        seenReads(call.state).set(path, reads)
        const version = call.query.get('version') ?? ''
        const reply = reads.get(version) ?? (await original(call))
        reads.set(version, reply)
        return reply
      },
      'kv2.write': forgettingReads,
      'kv2.deleteLatest': forgettingReads,
      'kv2.deleteVersions': forgettingReads,
      'kv2.undeleteVersions': forgettingReads,
      'kv2.writeMetadata': forgettingReads,
      'kv2.deleteMetadata': forgettingReads,
    },
  },
)

v2.route(
  'plain-refused-write-leaves-name',
  'KV-V2-04',
  'v2: a refused first write leaves the name of the key in listings (000 7: 400 invalid request; 1.5: returns the keys at the path)',
  'kv2.write',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const path = call.params.path ?? ''
      if (path !== '' && !path.endsWith('/') && !call.state.keys.has(path)) call.state.keys.set(path, newRecord(call.now()))
      throw cause
    }
  },
)

const restoredVersions = remembered(() => new Set<number>())

v2.change(
  'plain-restored-cannot-be-deleted',
  'KV-V2-08',
  'v2: a version that was restored once cannot be marked deleted again (000 1.8: delete marks versions deleted)',
  {
    routes: {
      'kv2.undeleteVersions': (original) => async (call) => {
        const reply = await original(call)
        const record = call.state.keys.get(call.params.path ?? '')
        if (record) for (const number of namedVersions(call.body)) restoredVersions(record).add(number)
        return reply
      },
      'kv2.deleteVersions': (original) => (call) => {
        const record = call.state.keys.get(call.params.path ?? '')
        if (!record) return original(call)
        const chosen = (named: number[], present: number[]): number[] =>
          call.rules.chosen(named, present).filter((number) => !restoredVersions(record).has(number))
        return original({ ...call, rules: { ...call.rules, chosen } })
      },
    },
  },
)

core.rule(
  'plain-reads-while-sealed',
  'CORE-SEAL-01',
  'objects can still be read after the service was sealed (000 7: 503 sealed; 3)',
  noting({
    outOfService: (original) => (seal, request) =>
      isKvRequest(request) && request.method === 'GET' && seal.initialized ? undefined : original(seal, request),
  }),
)
