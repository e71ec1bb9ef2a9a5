/** What the faults of these files share. */
import { Refusal } from '../../run-management/documents.ts'
import type { PartCall } from '../../run-management/part.ts'
import type { AgentToken, World } from '../../run-management/world.ts'
import type { AgentTokenRules } from './agent-tokens.rules.ts'

export type TokensCall = PartCall<AgentTokenRules>

export const LIST = 'agentTokens.list'
export const SHOW = 'agentTokens.show'
export const CREATE = 'agentTokens.create'
export const DESTROY = 'agentTokens.destroy'

/** The same request, decided otherwise. */
export const deciding = (call: TokensCall, rules: Partial<AgentTokenRules>): TokensCall => ({ ...call, rules: { ...call.rules, ...rules } })

export const poolIn = (call: TokensCall): string => call.params.agent_pool_id ?? ''

export const idIn = (call: TokensCall): string => call.params.id ?? ''

/** The same request about another token. */
export const about = (call: TokensCall, id: string): TokensCall => ({ ...call, params: { ...call.params, id } })

/** Who asks, as a text. */
export const askerOf = ({ caller }: TokensCall): string => (caller.kind === 'user' ? caller.user.id : caller.token.id)

/** The tokens of a pool, oldest first. */
export const inPool = (world: World, pool: string): AgentToken[] => [...world.tokens.values()].filter(({ poolId }) => poolId === pool)

/** The refusal of what is hidden or missing, in the words of the handlers. */
export const notFound = (call: TokensCall, kind: 'agent pool' | 'agent token', id: string): Refusal =>
  new Refusal(404, call.rules.hiddenDetail(kind, id, false))
