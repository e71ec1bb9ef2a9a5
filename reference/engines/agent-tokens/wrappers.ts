/** What faults of agent tokens share. */
import type { Reply } from '../../core/reply.ts'
import type { PartCall } from '../../run-management/part.ts'
import type { AgentToken, World } from '../../run-management/world.ts'
import type { AgentTokenRules } from './agent-tokens.rules.ts'

export type Call = PartCall<AgentTokenRules>
export type Handle = (call: Call) => Reply | Promise<Reply>

/** All tokens of a token's pool, itself included. */
export const ofPool = (world: World, { poolId }: AgentToken): AgentToken[] =>
  [...world.tokens.values()].filter((other) => other.poolId === poolId)
