/** Ways of getting wrong who may ask for what, which faults of several engines share: overrides of the rules of all requests. */
import type { Capability } from '../core/policy-syntax.ts'
import type { CoreRules, RequestFacts } from '../core/rules.ts'
import type { Token } from '../core/tokens.ts'

type Granted = CoreRules['capabilityGranted']

/** A request as a fault looks at it; undefined before an operation is known. */
export type Asked = Parameters<Granted>[2]

type Override<Rule extends keyof CoreRules> = { [Name in Rule]: (original: CoreRules[Name]) => CoreRules[Name] }

/** A caller who has a capability counts as having another, too: `needs`, or whichever is asked for. */
export const countsAs = (has: Capability, where: (call: Asked) => boolean, needs?: Capability): Override<'capabilityGranted'> => ({
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed, call) || (where(call) && (needs ?? needed) === needed && original(granted, has, call)),
})

/** A token with which something was asked for while it was good stays good for that. */
export const goodForEver = (where: (request: RequestFacts) => boolean): Override<'callerRefused'> => {
  const seen = new Map<string, Token>()
  return {
    callerRefused: (original) => (given, token, request) => {
      if (!where(request)) return original(given, token, request)
      if (given !== undefined && token) seen.set(given, token)
      return given !== undefined && seen.has(given) ? undefined : original(given, token, request)
    },
  }
}
