/** What the faults of this writer share: names of operations, and calls with other decisions. */
import type { Json, JsonObject } from '../../core/json.ts'
import { objectIn } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { PartCall } from '../../run-management/part.ts'
import type { AgentToken } from '../../run-management/world.ts'
import type { AgentTokenRules } from './agent-tokens.rules.ts'

export type TokensCall = PartCall<AgentTokenRules>

export const LIST = 'agentTokens.list'
export const CREATE = 'agentTokens.create'
export const SHOW = 'agentTokens.show'
export const DESTROY = 'agentTokens.destroy'

/** The call with some of its decisions made otherwise. */
export const withRules = (call: TokensCall, rules: Partial<AgentTokenRules>): TokensCall => ({
  ...call,
  rules: { ...call.rules, ...rules },
})

export const poolNamed = (call: TokensCall): string => call.params.agent_pool_id ?? ''

export const idNamed = (call: TokensCall): string => call.params.id ?? ''

export const tokenNamed = (call: TokensCall): AgentToken | undefined => call.world.tokens.get(idNamed(call))

export const callerId = ({ caller }: TokensCall): string => (caller.kind === 'user' ? caller.user.id : caller.token.id)

/** The caller together with the pool that it asks for. */
export const callerAtPool = (call: TokensCall): string => `${callerId(call)} ${poolNamed(call)}`

/** The page that a list request asks for. */
export const pageAsked = (call: TokensCall) => call.rules.page(call.query, call.rules.defaultPageSize())

/** The refusal for a token that is missing. */
export const noToken = (call: TokensCall): Refusal => new Refusal(404, call.rules.hiddenDetail('agent token', idNamed(call), false))

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The attributes of a create request; none where it has none. */
export const attributesOf = (body: Json): JsonObject => objectIn(objectIn(isObject(body) ? body : {}, 'data'), 'attributes')

/** A create request with another description. */
export const describedAs = (body: Json, description: string): Json => {
  const whole = isObject(body) ? body : {}
  const data = objectIn(whole, 'data')
  return { ...whole, data: { ...data, attributes: { ...objectIn(data, 'attributes'), description } } }
}
