/** A fault by which the lease times of a mount are those of its neighbours. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'

const { route } = faultsOf(coreEngine, 'ssh')

route(
  'opal-lease-times-of-type',
  'SSH-TTL-03',
  'lease times set for a mount become those of all mounts of its type in the namespace that have none (000, 4.4: the system defaults apply where nothing is set)',
  'sys.writeMount',
  (original) => async (call) => {
    const reply = await original(call)
    const path = (call.params.path ?? '').replace(/\/tune$/, '').replace(/\/+$/, '')
    const changed = call.state.mounts.find(call.mount.namespace, `${path}/`)
    for (const mount of call.state.mounts.of(call.mount.namespace)) {
      if (changed === undefined || mount.engine.type !== changed.engine.type) continue
      mount.defaultLeaseTtl ||= changed.defaultLeaseTtl
      mount.maxLeaseTtl ||= changed.maxLeaseTtl
    }
    return reply
  },
)
