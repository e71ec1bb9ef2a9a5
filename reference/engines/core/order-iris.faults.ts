/** Faults of the core conventions in time and order: the second call, after deletion, after an update, before the first. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError, notFound } from '../../core/errors.ts'
import { goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isEngineRoute, isProvisioning } from '../../mutations/request-kinds.ts'
import { kv1Engine } from '../kv/kv1.ts'
import { kv2Engine } from '../kv/kv2.ts'
import { newRecord, type Version } from '../kv/records.ts'
import { ownToken, placeOf, toEngine } from './iris-help.ts'

const core = faultsOf(coreEngine, 'core')
const kv1 = faultsOf(kv1Engine, 'core')
const kv2 = faultsOf(kv2Engine, 'core')

const everWritten = remembered(() => new Set<string>())

core.rule(
  'iris-recreation-is-update',
  'CORE-CAP-19',
  'making an object anew after its deletion asks for `update` (000, 1.6 and 5.4: what does not exist is created, which the existence check tells)',
  {
    finish: (original) => (call, route, reply) => {
      if (call.method === 'POST' && isEngineRoute(route)) everWritten(call.services).add(placeOf(call))
      return original(call, route, reply)
    },
    capabilityGranted: (original) => (granted, needed, call) => {
      const isKnown = needed === 'create' && toEngine(call) && everWritten(call.services).has(placeOf(call))
      return original(granted, isKnown ? 'update' : needed, call)
    },
  },
)

const createdPaths = remembered(() => new Set<string>())

core.rule(
  'iris-existence-checked-once',
  'CORE-CAP-07',
  'a path that was once written as new counts as new ever after, so that `create` suffices to change it (000, 1.6 and 5.4: `create` and `update` are distinguished by an existence check)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      if (!toEngine(call)) return original(granted, needed, call)
      const created = createdPaths(call.services)
      const allowed = original(granted, needed === 'update' && created.has(placeOf(call)) ? 'create' : needed, call)
      if (allowed && needed === 'create') created.add(placeOf(call))
      return allowed
    },
  },
)

kv2.rule(
  'iris-deleted-not-destroyed',
  'KV-V2-11',
  'destroying a version that is deleted already does nothing, and undelete brings it back (000, 1.8: destroy removes versions permanently)',
  { destroyed: (original) => (version) => (version.deletedAt === undefined ? original(version) : version) },
)

const isTwice = (version: Version): boolean => 'twice' in version && version.twice === true

kv2.rule(
  'iris-undelete-once-for-each-delete',
  'KV-V2-09',
  'a version that was deleted twice stays hidden after one undelete (000, 1.8: undelete restores versions)',
  {
    deleted: (original) => (version, now) => {
      const next = original(version, now)
      return version.deletedAt === undefined ? next : Object.assign({ ...next }, { twice: true })
    },
    undeleted: (original) => (version) => (isTwice(version) ? Object.assign({ ...version }, { twice: false }) : original(version)),
  },
)

kv2.route(
  'iris-write-restores-deleted',
  'KV-V2-08',
  'a new version brings back the older ones that were deleted (000, 1.8: delete marks versions deleted; undelete restores them)',
  'kv2.write',
  (original) => async (call) => {
    const reply = await original(call)
    const record = call.state.keys.get(call.params.path ?? '')
    for (const [number, version] of record?.versions ?? []) {
      if (version.deletedAt !== undefined && number !== record?.current) record?.versions.set(number, call.rules.undeleted(version))
    }
    return reply
  },
)

const absentKeys = remembered(() => new Set<string>())

kv1.change(
  'iris-absence-remembered',
  'CORE-MOUNT-02',
  'a key that was read before it existed stays 404 after its first write (000, 1.4: a secret that is written is read with GET on the same path)',
  {
    routes: {
      'kv1.read': (original) => async (call) => {
        const absent = absentKeys(call.state)
        const path = call.params.path ?? ''
        if (!call.state.objects.has(path)) absent.add(path)
        if (absent.has(path)) throw notFound()
        return original(call)
      },
      'kv1.write': (original) => (call) => {
        const path = call.params.path ?? ''
        if (call.state.objects.has(path)) absentKeys(call.state).delete(path)
        return original(call)
      },
    },
  },
)

kv2.route(
  'iris-refused-write-leaves-key',
  'KV-V2-04',
  'a write that is refused for its `data` leaves the key in the listing (000, 7: 400 is an invalid request; what is refused changes nothing)',
  'kv2.write',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const path = call.params.path ?? ''
      const isNew = path !== '' && !path.endsWith('/') && !call.state.keys.has(path)
      if (cause instanceof ApiError && cause.status === 400 && isNew) call.state.keys.set(path, newRecord(call.now()))
      throw cause
    }
  },
)

const writtenTexts = remembered(() => new Map<string, Set<string>>())

kv1.route(
  'iris-return-to-former-value-lost',
  'KV-V1-04',
  'writing a value that the key has had before is taken for a repetition and dropped (000, 4.1: the JSON object body is stored)',
  'kv1.write',
  (original) => async (call) => {
    const path = call.params.path ?? ''
    const known = writtenTexts(call.state)
    const texts = known.get(path) ?? new Set<string>()
    known.set(path, texts)
    if (texts.has(call.text) && call.state.objects.has(path)) return call.rules.written()
    const reply = await original(call)
    texts.add(call.text)
    return reply
  },
)

const decisions = remembered(() => new Map<string, boolean>())

core.rule(
  'iris-first-decision-kept',
  'CORE-CAP-07',
  'what a token was told at its first request to a path holds for its later ones, whatever the verb (000, 5.4 and 7: each operation needs its own capability)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      if (!toEngine(call) || needed === 'sudo') return original(granted, needed, call)
      const known = decisions(call.services)
      const key = `${call.token?.id} ${placeOf(call)}`
      const decided = known.get(key) ?? original(granted, needed, call)
      known.set(key, decided)
      return decided
    },
  },
)

core.rule(
  'iris-revoked-bearer-good',
  'CORE-AUTH-15',
  'a token that came as a bearer while it was good stays good as a bearer after its revocation (000, 5.1 and 7: 403 for wrong credentials)',
  goodForEver((request) => ownToken(request) === undefined && !isProvisioning(request)),
)
