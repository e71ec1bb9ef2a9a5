/** What the faults of the label dawn share: words of a call, refusals answered otherwise, lists by slots. */
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { remembered } from '../../mutations/remembering.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { PartCall, PartRoute } from '../../run-management/part.ts'
import type { Caller, World } from '../../run-management/world.ts'
import type { AgentTokenRules } from './agent-tokens.rules.ts'

export type Rules = AgentTokenRules
type Call = PartCall<Rules>
type Handle = PartRoute<Rules>['handle']
type Wrap = (original: Handle) => Handle

export const whoIs = (caller: Caller): string => (caller.kind === 'user' ? caller.user.id : caller.token.id)

export const poolIn = (call: Call): string => call.params.agent_pool_id ?? ''

export const idIn = (call: Call): string => call.params.id ?? ''

export const withParams = (call: Call, params: Record<string, string>): Call => ({ ...call, params: { ...call.params, ...params } })

/** The call as if its user could manage pools; the user stays the same. */
export const permitted = (call: Call): Call => {
  const { caller } = call
  if (caller.kind !== 'user') return call
  return { ...call, caller: { kind: 'user', user: { ...caller.user, rights: { ...caller.user.rights, managePools: true } } } }
}

/** Another outcome of refused calls. */
export const onRefusal =
  (outcome: (refusal: Refusal, call: Call, original: Handle) => Reply | Promise<Reply>): Wrap =>
  (original) =>
  async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause
      return outcome(cause, call, original)
    }
  }

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Another request document; a body that is not a JSON object stays as it was sent. */
export const requestDocument =
  (change: (body: JsonObject, call: Call) => JsonObject): Wrap =>
  (original) =>
  (call) => {
    const body = parsed(call.body)
    return original(isObject(body) ? { ...call, body: Buffer.from(JSON.stringify(change(body, call))) } : call)
  }

const parsed = (body: Uint8Array): Json | undefined => {
  try {
    return JSON.parse(Buffer.from(body).toString()) as Json
  } catch {
    return undefined
  }
}

/** Lists whose pages are cut from slots, of which some may hold nothing of the pool. */
export const slotted = (slotsOf: (world: World, pool: string) => readonly string[]) => {
  const places = remembered<{ slots: number[] }>(() => ({ slots: [] }))
  return {
    tokensOf:
      (original: Rules['tokensOf']): Rules['tokensOf'] =>
      (world, pool) => {
        const tokens = original(world, pool)
        places(tokens).slots = slotsOf(world, pool).map((id) => tokens.findIndex((token) => token.id === id))
        return tokens
      },
    slice:
      (original: Rules['slice']): Rules['slice'] =>
      (items, page) =>
        original(places(items).slots, page).flatMap((place) => items.slice(place, place < 0 ? place : place + 1)),
  }
}
