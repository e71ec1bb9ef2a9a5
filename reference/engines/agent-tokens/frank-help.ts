/** What the faults of agent tokens share. */
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { objectIn } from '../../run-management/answer-changes.ts'
import type { PartCall } from '../../run-management/part.ts'
import type { AgentToken, Caller, World } from '../../run-management/world.ts'
import type { AgentTokenRules } from './agent-tokens.rules.ts'

type Call = PartCall<AgentTokenRules>

/** The same call, decided by other rules. */
export const withRules = (call: Call, rules: Partial<AgentTokenRules>): Call => ({ ...call, rules: { ...call.rules, ...rules } })

export const poolIn = (call: Call): string => call.params.agent_pool_id ?? ''

export const tokenIn = (call: Call): AgentToken | undefined => call.world.tokens.get(call.params.id ?? '')

/** Who calls, as a key. */
export const keyOf = (caller: Caller): string => (caller.kind === 'user' ? caller.user.id : caller.token.id)

export const inPool = (world: World, pool: string): AgentToken[] => [...world.tokens.values()].filter(({ poolId }) => poolId === pool)

const asObject = (value: Json | undefined): JsonObject => objectIn({ value: value ?? null }, 'value')

/** The document of an answer or a request; empty where it is not an object. */
export const documentOf = (body: Json | undefined): JsonObject => asObject(body)

/** The token that a create answer tells of. */
export const createdIn = (call: Call, reply: Reply): AgentToken | undefined =>
  call.world.tokens.get(String(objectIn(documentOf(reply.body), 'data').id))

/** The request body as JSON; null where it is none. */
export const sentIn = (call: Call): Json => {
  try {
    return JSON.parse(new TextDecoder().decode(call.body)) as Json
  } catch {
    return null
  }
}
