/** Later faults: what happens second, after a deletion, after a refusal, before the first. */

import { secret } from '../../core/envelope.ts'
import { ApiError, notFound } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { parseExact, stringify } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import { afterwards, beforehand, isObject, type Kv1Call, pathOf } from './anew-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { type Kv2Call, recordOf } from './kv2-data.ts'
import { directoryOf } from './later-help.ts'
import { newRecord, type Version, versionShown } from './records.ts'

const kv1 = faultsOf(kv1Engine, 'kv')
const kv2 = faultsOf(kv2Engine, 'kv')

kv2.rule(
  'later-number-of-deleted-version-reused',
  ['KV-V2-09'],
  'v2: a write after the newest version was deleted takes its number, so that it is lost (000 1.8: "undelete restores versions")',
  {
    nextVersion: (original) => (record) =>
      record.versions.get(record.current)?.deletedAt === undefined ? original(record) : record.current,
  },
)

kv2.route(
  'later-only-newest-restored',
  ['KV-V2-09'],
  'v2: a deleted version cannot be restored any more once a newer one was written (000 1.8: "undelete restores versions")',
  'kv2.undeleteVersions',
  (original) => (call) => {
    const { versions } = call.body
    if (!Array.isArray(versions) || versions.length === 0) return original(call)
    const newest = versions.filter((version) => Number(version) === recordOf(call)?.current)
    return newest.length > 0 ? original({ ...call, body: { ...call.body, versions: newest } }) : call.rules.done()
  },
)

kv2.rule(
  'later-deleted-version-not-destroyed',
  ['KV-V2-11'],
  'v2: destroying a version that is deleted does nothing; undelete brings it back (000 1.8: "destroy removes versions permanently")',
  { destroyed: (original) => (version) => (version.deletedAt === undefined ? original(version) : version) },
)

const restored = new WeakSet<Version>()

kv2.rule(
  'later-restored-version-stays',
  ['KV-V2-08'],
  'v2: a restored version cannot be deleted again (000 1.8: "delete marks versions deleted")',
  {
    undeleted: (original) => (version) => {
      const given = original(version)
      if (version.deletedAt !== undefined) restored.add(given)
      return given
    },
    deleted: (original) => (version, now) => (restored.has(version) ? version : original(version, now)),
  },
)

const listed = remembered(() => new Set<string>())

kv1.route(
  'later-emptied-directory-lists-nothing',
  ['KV-LIST-05'],
  'v1: a directory that was listed before and is empty now answers 200 without keys (000 1.5: "An empty listing returns 404")',
  'kv1.list',
  (original) =>
    insteadOfRefusal<Kv1Call>(
      () => secret({ keys: [] }),
      (call) => listed(call.state).has(call.params.directory ?? ''),
    )(afterwards((call: Kv1Call) => void listed(call.state).add(call.params.directory ?? ''))(original)),
)

kv2.route(
  'later-refused-write-leaves-key',
  ['KV-V2-04'],
  'v2: a write that is refused for its body leaves an empty key, which is listed (000 7: 400 "invalid request, missing or invalid data")',
  'kv2.write',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const path = pathOf(call)
      const isKey = path !== '' && !path.endsWith('/')
      if (cause instanceof ApiError && isKey && !recordOf(call)) call.state.keys.set(call.rules.keyOf(path), newRecord(call.now()))
      throw cause
    }
  },
)

kv2.route(
  'later-same-content-not-written',
  ['KV-V2-14'],
  'v2: a write of what the newest version holds is skipped, even where that version is deleted: it stays hidden (000 4.1: POST data/<key>)',
  'kv2.write',
  (original) => (call) => {
    const record = recordOf(call)
    const newest = record?.versions.get(record.current)
    if (!record || !isObject(newest?.data)) return original(call)
    const written = (parseExact(call.text) as JsonObject).data ?? null
    if (stringify(newest.data) !== stringify(written)) return original(call)
    return call.rules.written(versionShown(record, record.current, newest))
  },
)

const removed = remembered(() => new Map<string, Json>())

kv1.change(
  'later-deleted-object-shines-through',
  ['KV-V1-01'],
  'v1: an object that is written again after its deletion has the members of the deleted one besides (000 4.1: "JSON object body; stored")',
  {
    routes: {
      'kv1.delete': beforehand((call: Kv1Call) => {
        const stored = call.state.objects.get(pathOf(call))
        if (stored !== undefined) removed(call.state).set(pathOf(call), stored)
      }),
      'kv1.write': afterwards((call: Kv1Call) => {
        const old = removed(call.state).get(pathOf(call))
        const stored = call.state.objects.get(pathOf(call))
        if (isObject(old) && isObject(stored)) call.state.objects.set(pathOf(call), { ...old, ...stored })
        removed(call.state).delete(pathOf(call))
      }),
    },
  },
)

const foundEmpty = remembered(() => new Set<string>())

kv2.change(
  'later-empty-listing-remembered',
  ['KV-LIST-03'],
  'v2: a directory listed while empty stays 404 until a key is written directly in it (000 1.5: "the keys at the path")',
  {
    routes: {
      'kv2.list': (original) => async (call) => {
        const directory = call.params.directory ?? ''
        const empties = foundEmpty(call.state)
        if (empties.has(directory)) throw notFound()
        try {
          return await original(call)
        } catch (cause) {
          if (cause instanceof ApiError && cause.status === 404) empties.add(directory)
          throw cause
        }
      },
      'kv2.write': afterwards((call: Kv2Call) => void foundEmpty(call.state).delete(directoryOf(pathOf(call)))),
    },
  },
)

kv2.rule(
  'later-undelete-switches',
  ['KV-V2-09'],
  'v2: undelete hides a version that is not deleted (000 1.8: "undelete restores versions")',
  {
    undeleted: (original) => (version) =>
      version.deletedAt === undefined && !version.destroyed ? { ...version, deletedAt: version.createdAt } : original(version),
  },
)

kv2.rule(
  'later-second-deletion-destroys',
  ['KV-V2-09'],
  'v2: deleting a version that is deleted already destroys it, so that undelete does nothing (000 1.8: "delete marks versions deleted")',
  {
    deleted: (original) => (version, now) => {
      const isDeleted = version.deletedAt !== undefined && version.deletedAt <= now
      return isDeleted ? { ...version, data: undefined, destroyed: true } : original(version, now)
    },
  },
)

kv2.route(
  'later-config-absent-before-first-write',
  ['KV-V2-15'],
  'v2: config answers 404 as long as nothing was set there (000 1.8: a v2 mount "exposes the path patterns config, …")',
  'kv2.readConfig',
  (original) => (call) => {
    if (Object.values(call.state.config).every((value) => !value)) throw notFound()
    return original(call)
  },
)
