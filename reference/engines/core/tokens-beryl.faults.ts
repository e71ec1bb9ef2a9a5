/** Faults by which a token is not compared to its end, or is refused more than it is denied. */
import { coreEngine } from '../../core/core-engine.ts'
import type { CoreRules } from '../../core/rules.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'

const { rule } = faultsOf(coreEngine, 'core')

const LONG = 16

/** What the two rules share: tokens that were good, whole and by all but their last character. */
const known = () => {
  const whole = new Set<string>()
  const cut = new Map<string, string>()
  return {
    tokenOf:
      (original: CoreRules['tokenOf']): CoreRules['tokenOf'] =>
      (request, spelling) => {
        const given = original(request, spelling)
        return given === undefined || whole.has(given) ? given : (cut.get(given.slice(0, -1)) ?? given)
      },
    callerRefused:
      (original: CoreRules['callerRefused']): CoreRules['callerRefused'] =>
      (given, token, request) => {
        if (given !== undefined && token !== undefined) {
          whole.add(given)
          if (given.length > LONG) cut.set(given.slice(0, -1), given)
        }
        return original(given, token, request)
      },
  }
}

rule(
  'beryl-token-last-character',
  'CORE-AUTH-03',
  'the last character of a token is not compared, once the right one was used (000, 7: 403 for wrong credentials; 5.1: a client token is required)',
  known(),
)

const deniedMounts = remembered(() => new Set<string>())

rule(
  'opal-deny-spreads',
  'CORE-CAP-03',
  'a token that was refused at a denied path is refused at the other paths of the mount, too (000, 7: 403 is for what is forbidden)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      if (!call?.token || call.mount.path === '') return original(granted, needed, call)
      const denied = deniedMounts(call.services)
      const place = `${call.token.id} ${call.mount.namespace}${call.mount.path}`
      if (granted.has('deny')) denied.add(place)
      return original(granted, needed, call) && !denied.has(place)
    },
  },
)
