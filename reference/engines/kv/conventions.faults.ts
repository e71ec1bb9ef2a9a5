/** Faults of what all engines have in common, where only checks of the conventions notice them. */
import type { Route } from '../../core/engine.ts'
import { ApiError, notFound } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { replyData } from '../../faults/wrappers.ts'
import type { Kv1Rules } from './kv1.rules.ts'
import { type Kv1State, kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const one = faultsOf(kv1Engine, 'core')
const two = faultsOf(kv2Engine, 'core')

one.route('read-outside-prefix', 'CORE-PREFIX-01', 'reads under the prefix find nothing', 'kv1.read', () => () => {
  throw notFound()
})
one.route('default-mount-only', 'CORE-MOUNT-01', 'a read looks in the default mount alone', 'kv1.read', (original) => (call) => {
  if (call.mount.path !== 'secret/') throw notFound()
  return original(call)
})

/** Another status where data is missing or of another type. */
const badData = (status: number): Parameters<typeof two.rule>[3] => ({
  checkData: (original) => (data) => {
    try {
      original(data)
    } catch {
      throw new ApiError(status)
    }
  },
})
two.rule('bad-data-422', 'CORE-STATUS-04', 'missing data is refused with 422', badData(422))
two.rule('bad-data-500', ['CORE-STATUS-13', 'CORE-STATUS-04'], 'data of a wrong type ends in an internal error', badData(500))

type Handle = Route<Kv1State, Kv1Rules>['handle']

/** What was read, by path without namespace, of a whole server. */
const readBefore = remembered(() => new Map<string, Json>())

const forgetting =
  (original: Handle): Handle =>
  (call) => {
    readBefore(call.services).delete(call.path)
    return original(call)
  }

one.change('cache-without-namespace', ['CORE-NS-05', 'CORE-NS-06'], 'objects that were read are kept by a path that lacks the namespace', {
  routes: {
    'kv1.write': forgetting,
    'kv1.delete': forgetting,
    'kv1.read': (original) => async (call) => {
      const cache = readBefore(call.services)
      const kept = cache.get(call.path)
      if (kept !== undefined) return call.rules.shown(kept, call.mount.defaultLeaseTtl)
      const reply = await original(call)
      const stored = call.state.objects.get(call.rules.keyOf(call.params.path ?? ''))
      if (stored !== undefined) cache.set(call.path, stored)
      return reply
    },
  },
})
two.route(
  'names-of-digits-as-numbers',
  'CORE-LIST-03',
  'a listing shows names that consist of digits as numbers',
  'kv2.list',
  replyData((data) => ({
    ...data,
    keys: (data.keys as string[]).map((name) => (/^(0|[1-9]\d{0,14})$/.test(name) ? Number(name) : name)),
  })),
)

export const faults = [...one.declared, ...two.declared]
