/** What several faults of agent tokens share: who asks, what a body says, a request by another caller. */
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { anybody, objectIn } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { PartCall } from '../../run-management/part.ts'
import type { AgentToken, World } from '../../run-management/world.ts'
import type { agentTokens } from './engine.ts'

export type Rules = typeof agentTokens.rules
type Call = PartCall<Rules>

export const callerId = ({ caller }: Call): string => (caller.kind === 'user' ? caller.user.id : caller.token.id)

/** The request as if somebody with all rights had sent it, under the id of who did. */
export const asManager = (call: Call): Call => {
  const caller = anybody({ readRuns: true, overrideChecks: true, managePools: true })
  return caller.kind === 'user' ? { ...call, caller: { ...caller, user: { ...caller.user, id: callerId(call) } } } : call
}

/** True for a pool that is there and that the caller may not use. */
export const hiddenPool = (call: Call): boolean => {
  const pool = call.params.agent_pool_id ?? ''
  return call.world.pools.has(pool) && !call.rules.mayManage(call.caller, pool) && !call.rules.mayUsePool(call.caller, pool)
}

/** `data` of a request body; an empty object where there is none. */
export const sentData = (call: Call): JsonObject => {
  try {
    return objectIn(JSON.parse(new TextDecoder().decode(call.body)) as JsonObject, 'data')
  } catch {
    return {}
  }
}

/** A body with another `data.attributes`. */
export const withAttributes = (body: Json, attributes: Json): Json => {
  const holder = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
  return { ...holder, data: { ...objectIn(holder, 'data'), attributes } }
}

/** `data` of a body as a fault looks at it; an empty object where there is none. */
export const dataIn = (body: Json): JsonObject =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? objectIn(body, 'data') : {}

export const inPool = (world: World, pool: string): AgentToken[] => [...world.tokens.values()].filter(({ poolId }) => poolId === pool)

/** Does something else where a request is refused as not found. */
export const onMissing = async (run: () => Reply | Promise<Reply>, instead: (refused: Refusal) => Reply | undefined): Promise<Reply> => {
  try {
    return await run()
  } catch (cause) {
    const answer = cause instanceof Refusal && cause.status === 404 ? instead(cause) : undefined
    if (answer) return answer
    throw cause
  }
}
