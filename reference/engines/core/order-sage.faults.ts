/** Faults of the conventions in time and order: after refusals, and after what served requests is gone. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Call } from '../../core/engine.ts'
import type { Mount } from '../../core/mounts.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isEngineRoute } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine, 'core')

/** Namespace and path of a request that was routed. */
const placeOf = ({ mount, path }: Call<unknown, object>): string => mount.namespace + path

/** The mounts that are there, and those that were until something else took their place. */
const unmountedYetServed = (original: typeof coreEngine.rules.mountsSeen): typeof coreEngine.rules.mountsSeen => {
  let known: Mount[] = []
  let gone: Mount[] = []
  return (all, namespace) => {
    gone = [...gone, ...known.filter((mount) => !all.includes(mount) && mount.engine.close === undefined)].filter(
      (old) => !all.some((mount) => mount.namespace === old.namespace && mount.path === old.path),
    )
    known = [...all]
    return [...original(all, namespace), ...original(gone, namespace)]
  }
}

rule(
  'sage-order-unmounted-served',
  'CORE-STATUS-06',
  'routes of a mount that served requests outlive it: once unmounted, its objects can still be read and written until something is mounted there anew (000, 7: 404 "invalid path"; 1.2: functionality is provided by engines mounted at paths)',
  { mountsSeen: unmountedYetServed },
)

const begun = remembered(() => new Set<string>())

rule(
  'sage-order-refused-write-counts-as-existing',
  'CORE-CAP-19',
  'a write that was refused for its data leaves its name reserved: the corrected write counts as an update of an object that never came to be (000, 1.6: an existence check decides whether a write is a create or an update)',
  {
    check: (original) => (call, route) => {
      if (call.method === 'POST' && isEngineRoute(route)) begun(call.services).add(placeOf(call))
      original(call, route)
    },
    finish: (original) => (call, route, reply) => {
      if (call.method === 'POST') begun(call.services).delete(placeOf(call))
      return original(call, route, reply)
    },
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, call && needed === 'create' && begun(call.services).has(placeOf(call)) ? 'update' : needed, call),
  },
)
