/** What faults of agent tokens share. */
import type { PartCall } from '../../run-management/part.ts'
import type { AgentToken, World } from '../../run-management/world.ts'
import type { AgentTokenRules } from './agent-tokens.rules.ts'

export type Call = PartCall<AgentTokenRules>

export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 15))

/** The call with the only known name that holds the one asked for, or that it holds. */
export const nearest = (call: Call, parameter: 'id' | 'agent_pool_id', known: Iterable<string>): Call => {
  const asked = call.params[parameter] ?? ''
  const found = [...known].filter((name) => asked.includes(name) || (asked.length > 8 && name.includes(asked)))
  return { ...call, params: { ...call.params, [parameter]: found[0] ?? asked } }
}

/** All tokens of a token's pool, itself included. */
export const ofPool = (world: World, { poolId }: AgentToken): AgentToken[] =>
  [...world.tokens.values()].filter((other) => other.poolId === poolId)
