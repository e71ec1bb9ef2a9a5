/** What several faults of this engine share. */
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { TransformCall } from './batches.ts'
import type { TransformRules } from './rules.ts'
import type { Transformation, TransformState } from './state.ts'
import type { TokenStore } from './token-store.ts'

export type Handler = (call: TransformCall) => Reply | Promise<Reply>

export const withRules = (call: TransformCall, rules: Partial<TransformRules>): TransformCall => ({
  ...call,
  rules: { ...call.rules, ...rules },
})

/** The call with a part of its state exchanged; the maps that stay are those of the mount. */
export const withState = (call: TransformCall, state: Partial<TransformState>): TransformCall => ({
  ...call,
  state: { ...call.state, ...state },
})

export const withInternalStore = (call: TransformCall, store: Partial<TokenStore>): TransformCall =>
  withState(call, { internalStore: { ...call.state.internalStore, ...store } })

export const dataOf = (reply: Reply): JsonObject => ((reply.body as JsonObject | undefined)?.data ?? {}) as JsonObject

export const withData = (reply: Reply, data: JsonObject): Reply => ({ ...reply, body: { ...(reply.body as JsonObject), data } })

/** The items of a batch as they were sent; undefined without a sound batch. */
export const itemsOf = ({ body }: TransformCall): JsonObject[] | undefined => {
  const batch = body.batch_input
  if (!Array.isArray(batch) || batch.some((item) => item === null || typeof item !== 'object' || Array.isArray(item))) return undefined
  return batch as JsonObject[]
}

export const roleOf = (call: TransformCall): string => call.params.role_name ?? ''

/** The transformation that a request about one value means. */
export const meant = (call: TransformCall): Transformation | undefined => {
  const name = call.body.transformation ?? call.state.roles.get(roleOf(call))?.[0]
  return typeof name === 'string' ? call.state.transformations.get(name) : undefined
}

/** Whether a request is for a mount of this engine. */
export const isTransform = (call: Asked): boolean =>
  typeof call?.state === 'object' && call.state !== null && 'internalStore' in call.state && 'alphabets' in call.state

/** Whether a path is one of encoding or decoding; false for provisioning. */
export const isCoding = (path: string): boolean => !/(^|\/)(sys|auth)\//.test(path) && /(^|\/)(encode|decode)\/[^/]+$/.test(path)
