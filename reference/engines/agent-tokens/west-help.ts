/** What the faults of this label share. */
import type { Json, JsonObject } from '../../core/json.ts'
import type { PartCall, PartRoute } from '../../run-management/part.ts'
import type { AgentToken, Caller, World } from '../../run-management/world.ts'
import type { AgentTokenRules } from './agent-tokens.rules.ts'

type AgentCall = PartCall<AgentTokenRules>
export type Handle = PartRoute<AgentTokenRules>['handle']

/** The call with some rules changed for this request only. */
export const withRules = (call: AgentCall, changes: Partial<AgentTokenRules>): AgentCall => ({
  ...call,
  rules: { ...call.rules, ...changes },
})

/** Tokens of a pool, in the order of their creation. */
export const poolTokens = (world: World, pool: string): AgentToken[] => [...world.tokens.values()].filter(({ poolId }) => poolId === pool)

/** A value as an object; an empty one where it is none. */
export const membersOf = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

export const callerId = (caller: Caller): string => (caller.kind === 'user' ? caller.user.id : caller.token.id)

export const isLaterPage = ({ query }: AgentCall): boolean => Number(query.get('page[number]')) > 1
