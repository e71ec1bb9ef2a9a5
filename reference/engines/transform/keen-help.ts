/** What several faults look at: requests of this engine, items of a batch, answers, and stores of tokens. */
import type { Call } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { RequestFacts } from '../../core/rules.ts'
import type { TransformRules } from './rules.ts'
import type { TransformState } from './state.ts'
import type { TokenStore } from './token-store.ts'

type TransformCall = Call<TransformState, TransformRules>

const SEGMENT = /(^|\/)(role|alphabet|template|store|transformation|encode|decode|validate|tokenized)(\/|$)/

/** Requests that only this engine takes; its metadata looks like that of others. */
export const isTransformPath = ({ path }: Pick<RequestFacts, 'path'>): boolean =>
  SEGMENT.test(path) && !/(^|\/)(sys|auth|data)\//.test(path)

export const isTransformCall = (call: { rules: object } | undefined): boolean => call !== undefined && 'spansOf' in call.rules

export const dataOf = (reply: Reply): JsonObject => (reply.body as { data?: JsonObject } | undefined)?.data ?? {}

export const withData = (reply: Reply, data: JsonObject): Reply => ({ ...reply, body: { ...(reply.body as JsonObject), data } })

export const resultsOf = (reply: Reply): JsonObject[] | undefined => dataOf(reply).batch_results as JsonObject[] | undefined

/** The items of a batch, undefined where there is none. */
export const batchOf = (body: JsonObject): JsonObject[] | undefined =>
  Array.isArray(body.batch_input) ? (body.batch_input as JsonObject[]) : undefined

/** A body with each item of its batch changed, or itself where it is about one value. */
export const eachItem = (body: JsonObject, change: (item: JsonObject) => JsonObject): JsonObject => {
  const batch = batchOf(body)
  return batch === undefined ? change(body) : { ...body, batch_input: batch.map(change) }
}

/** The call with tokens kept, and looked up, in another way. */
export const withStore = (call: TransformCall, change: (store: TokenStore) => Partial<TokenStore>): TransformCall => {
  const changed = (store: TokenStore): TokenStore => ({ ...store, ...change(store) })
  const stores = new Map([...call.state.stores].map(([name, store]) => [name, { ...store, tokens: changed(store.tokens) }]))
  return { ...call, state: { ...call.state, internalStore: changed(call.state.internalStore), stores } }
}
