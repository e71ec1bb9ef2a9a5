/** Faults of time and order: the second time, after a deletion, after a restoration, after an empty answer, after a refusal. */
import { ApiError } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { newRecord } from './records.ts'

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')

const namesByState = (): ((owner: object) => Set<string>) => remembered(() => new Set<string>())

const pathOf = (call: { params: Record<string, string> }): string => call.params.path ?? call.params.directory ?? ''

const itemsOf = ({ versions }: JsonObject): Json[] =>
  Array.isArray(versions) ? versions : typeof versions === 'string' ? versions.split(',') : []

/** Exact numbers are objects of their own kind. */
const isPlain = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

v1.rule(
  'keen-nested-objects-merge',
  ['KV-V1-04'],
  'a v1 write merges nested objects into those that were stored before (000 4.1, POST: stored)',
  {
    replaced: (original) => (previous, written) => {
      if (!isPlain(previous) || !isPlain(written)) return original(previous, written)
      const merged = Object.entries(written).map(([name, member]) => {
        const before = previous[name]
        return [name, isPlain(before) && isPlain(member) ? { ...before, ...member } : member] as const
      })
      return original(previous, Object.fromEntries(merged))
    },
  },
)

v2.route(
  'keen-undelete-newest-only',
  ['KV-V2-09'],
  'undelete restores a version only as long as it is the newest (000 1.8: undelete restores versions)',
  'kv2.undeleteVersions',
  requestBody((body, call) => {
    const current = call.state.keys.get(pathOf(call))?.current
    const kept = itemsOf(body).filter((item) => Number(item) === current)
    return itemsOf(body).length > 0 ? { ...body, versions: kept.length > 0 ? kept : [0] } : body
  }),
)

const restored = namesByState()
v2.change(
  'keen-delete-once-restored',
  ['KV-V2-08'],
  'a version that was restored once cannot be deleted again (000 1.8: delete marks versions)',
  {
    routes: {
      'kv2.undeleteVersions': (original) => (call) => {
        for (const item of itemsOf(call.body)) restored(call.state).add(`${pathOf(call)} ${Number(item)}`)
        return original(call)
      },
      'kv2.deleteVersions': requestBody((body, call) => {
        const kept = itemsOf(body).filter((item) => !restored(call.state).has(`${pathOf(call)} ${Number(item)}`))
        return itemsOf(body).length > 0 ? { ...body, versions: kept.length > 0 ? kept : [0] } : body
      }),
    },
  },
)

v2.rule(
  'keen-destroy-skips-deleted',
  ['KV-V2-11'],
  'destroy passes over a version that is marked deleted, so that undelete brings it back (000 1.8)',
  {
    destroyed: (original) => (version) => (version.deletedAt === undefined ? original(version) : version),
  },
)

v2.change(
  'keen-write-revives-destroyed',
  ['KV-V2-10'],
  'the write after a destruction makes the destroyed version readable again (000 1.8: permanently)',
  {
    rules: { destroyed: () => (version) => ({ ...version, destroyed: true }) },
    routes: {
      'kv2.write': (original) => async (call) => {
        const reply = await original(call)
        const { versions } = call.state.keys.get(pathOf(call)) ?? {}
        for (const [number, version] of versions ?? []) if (version.destroyed) versions?.set(number, { ...version, destroyed: false })
        return reply
      },
    },
  },
)

const emptyListings = namesByState()
v2.route(
  'keen-empty-listing-remembered',
  ['KV-LIST-09'],
  'a v2 directory that was empty when it was listed stays empty in listings (000 1.5: returns the keys at the path)',
  'kv2.list',
  (original) => (call) => {
    const known = emptyListings(call.state)
    const names = known.has(pathOf(call)) ? [] : call.rules.namesIn([...call.state.keys.keys()], pathOf(call))
    if (names.length === 0) known.add(pathOf(call))
    return original({ ...call, rules: { ...call.rules, namesIn: () => names } })
  },
)

const buried = remembered(() => new Map<string, Json>())
v1.change(
  'keen-recreated-has-old-members',
  ['KV-V1-01', 'KV-V1-04'],
  'a v1 key written again after its deletion has the old members, too (000 4.1, POST: stored)',
  {
    routes: {
      'kv1.delete': (original) => (call) => {
        const stored = call.state.objects.get(pathOf(call))
        if (stored !== undefined) buried(call.state).set(pathOf(call), stored)
        return original(call)
      },
      'kv1.write': (original) => async (call) => {
        const reply = await original(call)
        const old = buried(call.state).get(pathOf(call))
        const written = call.state.objects.get(pathOf(call))
        buried(call.state).delete(pathOf(call))
        if (isPlain(old) && isPlain(written)) call.state.objects.set(pathOf(call), { ...old, ...written })
        return reply
      },
    },
  },
)

v2.rule(
  'keen-second-delete-restores',
  ['KV-V2-08'],
  'delete of a version that is deleted already restores it (000 1.8: delete marks versions deleted)',
  {
    deleted: (original) => (version, now) =>
      version.deletedAt === undefined ? original(version, now) : { ...version, deletedAt: undefined },
  },
)

const asked = remembered(() => new Map<string, number>())
v2.change(
  'keen-asked-version-sticks',
  ['KV-V2-09'],
  'after a read of a numbered version, reads without number show it until the next write (000 1.4: read with GET)',
  {
    routes: {
      'kv2.read': (original) => async (call) => {
        const number = call.query.get('version')
        const stuck = asked(call.state).get(pathOf(call))
        const query = !number && stuck !== undefined ? new URLSearchParams({ version: String(stuck) }) : call.query
        const reply = await original({ ...call, query })
        if (number) asked(call.state).set(pathOf(call), Number(number))
        return reply
      },
      'kv2.write': (original) => (call) => {
        asked(call.state).delete(pathOf(call))
        return original(call)
      },
    },
  },
)

v2.route(
  'keen-refused-write-leaves-name',
  ['KV-V2-04'],
  'a v2 write that is refused for want of data leaves the name of a new key in the listing (000 7, 400 invalid request)',
  'kv2.write',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const path = pathOf(call)
      const usable = path !== '' && !path.endsWith('/') && !call.state.keys.has(path)
      if (cause instanceof ApiError && usable) call.state.keys.set(path, newRecord(call.now()))
      throw cause
    }
  },
)
