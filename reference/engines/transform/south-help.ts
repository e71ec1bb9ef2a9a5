/** What the faults of one writer share. */
import type { JsonObject } from '../../core/json.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { TransformCall } from './batches.ts'
import type { TransformRules } from './rules.ts'
import type { TransformState } from './state.ts'
import type { TokenStore } from './token-store.ts'

/** The same call, decided by some other rules. */
export const withRules = (call: TransformCall, rules: Partial<TransformRules>): TransformCall => ({
  ...call,
  rules: { ...call.rules, ...rules },
})

/** The same call, which finds another state; what is kept elsewhere in the state stays. */
export const withState = (call: TransformCall, part: Partial<TransformState>): TransformCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as TransformState, part),
})

/** Whether a request that is authorised is one of this engine. */
export const isTransform = (call: Asked): boolean => call !== undefined && 'chosenName' in call.rules

/** The batch of a body, changed; bodies without a batch stay. */
export const batchChanged = (body: JsonObject, change: (items: JsonObject[]) => JsonObject[]): JsonObject =>
  Array.isArray(body.batch_input) ? { ...body, batch_input: change(body.batch_input as JsonObject[]) } : body

/** Puts something around the tokens of a mount, once. */
export const aroundTokens = (wrap: (store: TokenStore) => TokenStore): ((state: TransformState) => void) => {
  const done = new WeakSet<TransformState>()
  return (state) => {
    if (done.has(state)) return
    done.add(state)
    state.internalStore = wrap(state.internalStore)
  }
}
