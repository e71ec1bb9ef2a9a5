/** Words that the faults of this engine share. */
import type { PartCall, PartRoute } from '../../run-management/part.ts'
import type { AgentToken, Caller, World } from '../../run-management/world.ts'
import type { AgentTokenRules } from './agent-tokens.rules.ts'

type Call = PartCall<AgentTokenRules>
export type Handle = PartRoute<AgentTokenRules>['handle']

export const inPool = (world: World, pool: string): AgentToken[] => [...world.tokens.values()].filter(({ poolId }) => poolId === pool)

export const callerId = (caller: Caller): string => (caller.kind === 'user' ? caller.user.id : caller.token.id)

/** Handles requests by rules that are changed with the request in sight. */
export const withRules =
  (change: (call: Call) => Partial<AgentTokenRules>) =>
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, rules: { ...call.rules, ...change(call) } })

/** Handles requests for another token than the one that is named, where `choose` finds one. */
export const tokenNamed =
  (choose: (id: string, known: string[]) => string | undefined) =>
  (original: Handle): Handle =>
  (call) => {
    const id = call.params.id ?? ''
    const chosen = call.world.tokens.has(id) ? id : choose(id, [...call.world.tokens.keys()])
    return original({ ...call, params: { ...call.params, id: chosen ?? id } })
  }
