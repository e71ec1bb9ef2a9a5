/** Faults of the core conventions in time and order: the second call, after deletion, after an update, before the first. */
import { coreEngine } from '../../core/core-engine.ts'
import { goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isEngineRoute, isProvisioning } from '../../mutations/request-kinds.ts'
import { ownToken, placeOf, toEngine } from './iris-help.ts'

const core = faultsOf(coreEngine, 'core')

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
