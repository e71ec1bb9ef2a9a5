import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isEngineRoute } from '../../mutations/request-kinds.ts'
import { mountKey, serverOf, toEngine } from './pearl-help.ts'

const { rule } = faultsOf(coreEngine, 'core')

const begun = remembered(() => new Set<string>())

rule(
  'pearl-first-write-is-an-update',
  'CORE-CAP-19',
  'the very first write in a mount counts as an update (000, 1.6: an existence check decides whether a write is a create or an update)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'create' && toEngine(call) && !begun(serverOf(call)).has(mountKey(call)) ? 'update' : needed, call),
    finish: (original) => (call, route, reply) => {
      if (isEngineRoute(route) && call.method === 'POST') begun(serverOf(call)).add(mountKey(call))
      return original(call, route, reply)
    },
  },
)
