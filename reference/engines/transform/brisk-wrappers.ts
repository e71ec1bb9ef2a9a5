/** What several brisk faults of the transform engine share: other rules, another token store, other items of a batch for one handler. */
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import type { TransformRules } from './rules.ts'
import type { TokenStore } from './token-store.ts'

export type Handler = (call: TransformCall) => Reply | Promise<Reply>
export type Wrap = (original: Handler) => Handler

/** Some other rules for one operation. */
export const withRules =
  (change: (call: TransformCall) => Partial<TransformRules>): Wrap =>
  (original) =>
  (call) =>
    original({ ...call, rules: { ...call.rules, ...change(call) } })

/** Another internal store of tokens for one operation. */
export const withStore =
  (change: (store: TokenStore, call: TransformCall) => Partial<TokenStore>): Wrap =>
  (original) =>
  (call) => {
    const store = call.state.internalStore
    return original({ ...call, state: { ...call.state, internalStore: { ...store, ...change(store, call) } } })
  }

const isObject = (value: Json): value is JsonObject => value !== null && typeof value === 'object' && !Array.isArray(value)

/** Other items of a batch; requests without a proper batch stay as they are. */
export const batchItems = (change: (items: JsonObject[]) => JsonObject[]): Wrap =>
  requestBody<TransformCall>((body) => {
    const batch = body.batch_input
    return Array.isArray(batch) && batch.every(isObject) ? { ...body, batch_input: change(batch) } : body
  })

/** The `data` of a reply; empty where it has none. */
export const dataOf = (reply: Reply): JsonObject => {
  const body = reply.body as JsonObject | undefined
  return (body?.data ?? {}) as JsonObject
}

/** The name of the object, or of the role, in the path of a request. */
export const nameIn = (call: TransformCall): string => call.params.name ?? call.params.role_name ?? ''
