/** Ways of getting it wrong that several faults of the transform engine share. */

import type { Route } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { remembered } from '../../faults/remembering.ts'
import { replyData, requestBody } from '../../faults/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { nameOf } from './definitions.ts'
import type { TransformRules } from './rules.ts'
import type { StoreSettings, TransformState } from './state.ts'
import type { TokenStore } from './token-store.ts'

export type Handle = Route<TransformState, TransformRules>['handle']
type Wrap = (original: Handle) => Handle

/** Operations that code values. */
export const CODING = ['transform.encode', 'transform.decode']

/** Operations that ask about tokens and values. */
export const QUESTIONS = ['transform.validate', 'transform.tokenized', 'transform.metadata']

/** Handles requests of several operations in one way. */
export const all = (operations: readonly string[], wrap: Wrap): Record<string, Wrap> =>
  Object.fromEntries(operations.map((operation) => [operation, wrap]))

/** Handles a request by other rules than the rest. */
export const byRules =
  (change: (rules: TransformRules, call: TransformCall) => Partial<TransformRules>): Wrap =>
  (original) =>
  (call) =>
    original({ ...call, rules: { ...call.rules, ...change(call.rules, call) } })

/** The call with some parts of its state replaced. */
export const withState = <C extends { state: TransformState }>(call: C, change: Partial<TransformState>): C => ({
  ...call,
  state: { ...call.state, ...change },
})

/** Handles a request with some parts of the state replaced. */
export const byState =
  (change: (state: TransformState, call: TransformCall) => Partial<TransformState>): Wrap =>
  (original) =>
  (call) =>
    original(withState(call, change(call.state, call)))

/** Handles a request with other tokens in the stores of the mount than there are. */
export const byStores = (change: (tokens: TokenStore, call: TransformCall, settings: StoreSettings) => TokenStore): Wrap =>
  byState(({ stores }, call) => ({
    stores: new Map([...stores].map(([name, { settings, tokens }]) => [name, { settings, tokens: change(tokens, call, settings) }])),
  }))

/** Handles a request with some methods of the store inside the mount replaced. */
export const overInternalStore = (change: (store: TokenStore, call: TransformCall) => Partial<TokenStore>): Wrap =>
  byState(({ internalStore }, call) => ({ internalStore: { ...internalStore, ...change(internalStore, call) } }))

/** Does something to the state first; it is told the name in the path. */
export const before =
  (effect: (state: TransformState, name: string, call: TransformCall) => void): Wrap =>
  (original) =>
  (call) => {
    effect(call.state, nameOf(call), call)
    return original(call)
  }

/** Does something to the state when a request succeeded; it is told the name in the path. */
export const after =
  (effect: (state: TransformState, name: string, call: TransformCall, reply: Reply) => void): Wrap =>
  (original) =>
  async (call) => {
    const reply = await original(call)
    effect(call.state, nameOf(call), call, reply)
    return reply
  }

/** What a faulty server remembers beside its state: a record for each mount, also where a fault has put another state in its place. */
export const beside = <T>(make: () => T): ((state: TransformState) => T) => {
  const recordOf = remembered(make)
  return ({ templates }) => recordOf(templates)
}

/** What is created again has, of what its write leaves out, what the deleted one had. */
export const deletedRemembered = (write: string, remove: string, had: (state: TransformState, name: string) => JsonObject | undefined) => {
  const deleted = beside(() => new Map<string, JsonObject>())
  return {
    routes: {
      [`transform.${remove}`]: before((state, name) => {
        const known = had(state, name)
        if (known !== undefined) deleted(state).set(name, known)
      }),
      [`transform.${write}`]: requestBody<TransformCall>((body, call) =>
        had(call.state, nameOf(call)) === undefined ? { ...deleted(call.state).get(nameOf(call)), ...body } : body,
      ),
    },
  }
}

const isItem = (item: unknown): item is JsonObject => typeof item === 'object' && item !== null && !Array.isArray(item)

/** Other items of a batch than those that were sent; the whole body goes along. */
export const requestItems = (change: (item: JsonObject, index: number, body: JsonObject) => JsonObject) =>
  requestBody<TransformCall>((body) =>
    Array.isArray(body.batch_input)
      ? { ...body, batch_input: body.batch_input.map((item, index) => (isItem(item) ? change(item, index, body) : item)) }
      : body,
  )

export const dataOf = (reply: Reply): JsonObject => ((reply.body as JsonObject | undefined)?.data ?? {}) as JsonObject

/** Items of a batch in an answer, changed as a whole; answers about one value stay as they are. */
export const replyItems = (change: (items: JsonObject[], call: TransformCall) => JsonObject[]) =>
  replyData<TransformCall>((data, call) =>
    Array.isArray(data.batch_results) ? { ...data, batch_results: change(data.batch_results as JsonObject[], call) } : data,
  )
