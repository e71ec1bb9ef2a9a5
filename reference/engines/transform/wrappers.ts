/** Ways of getting it wrong that several faults of the transform engine share. */
import type { Route } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import type { TransformRules } from './rules.ts'
import type { StoreSettings, TransformState } from './state.ts'
import type { TokenStore } from './token-store.ts'

export type Handle = Route<TransformState, TransformRules>['handle']

/** Operations that code values. */
export const CODING = ['transform.encode', 'transform.decode']

/** Handles a request by other rules than the rest. */
export const byRules =
  (change: (rules: TransformRules, call: TransformCall) => Partial<TransformRules>) =>
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, rules: { ...call.rules, ...change(call.rules, call) } })

/** Handles a request with other tokens in the stores of the mount than there are. */
export const byStores =
  (change: (tokens: TokenStore, call: TransformCall, settings: StoreSettings) => TokenStore) =>
  (original: Handle): Handle =>
  (call) => {
    const changed = [...call.state.stores].map(
      ([name, { settings, tokens }]) => [name, { settings, tokens: change(tokens, call, settings) }] as const,
    )
    return original({ ...call, state: { ...call.state, stores: new Map(changed) } })
  }

/** Other items of a batch than those that were sent; the whole body goes along. */
export const requestItems = (change: (item: JsonObject, index: number, body: JsonObject) => JsonObject) =>
  requestBody<TransformCall>((body) =>
    Array.isArray(body.batch_input)
      ? { ...body, batch_input: body.batch_input.map((item, index) => change(item as JsonObject, index, body)) }
      : body,
  )

export const dataOf = (reply: Reply): JsonObject => ((reply.body as JsonObject | undefined)?.data ?? {}) as JsonObject

/** What was written is kept under its name in the first place; later writes are acknowledged and dropped. */
export const firstWriteWins =
  (known: (state: TransformState) => ReadonlyMap<string, unknown>) =>
  (original: Handle): Handle =>
  async (call) =>
    known(call.state).has(call.params.name ?? '') ? { status: 204 } : original(call)

/** Names without those that begin with another one. */
export const withoutContinued = (names: string[]): string[] =>
  names.filter((name) => !names.some((other) => other !== name && name.startsWith(other)))

/** What a faulty server remembers beside its state: a record for each mount. */
export const beside = <T>(make: () => T): ((state: TransformState) => T) => {
  const known = new WeakMap<object, T>()
  return ({ templates }) => {
    const found = known.get(templates) ?? make()
    known.set(templates, found)
    return found
  }
}

/** The call with some parts of its state replaced. */
export const withState = <C extends { state: TransformState }>(call: C, change: Partial<TransformState>): C => ({
  ...call,
  state: { ...call.state, ...change },
})

/** Handles a request with some methods of the store inside the mount replaced. */
export const overInternalStore =
  (change: (store: TokenStore) => Partial<TokenStore>) =>
  (original: Handle): Handle =>
  (call) => {
    const { internalStore } = call.state
    return original(withState(call, { internalStore: { ...internalStore, ...change(internalStore) } }))
  }

/** Items of a batch in an answer, changed as a whole; answers about one value stay as they are. */
export const replyItems = (change: (items: JsonObject[], call: TransformCall) => JsonObject[]) =>
  replyData<TransformCall>((data, call) =>
    Array.isArray(data.batch_results) ? { ...data, batch_results: change(data.batch_results as JsonObject[], call) } : data,
  )
