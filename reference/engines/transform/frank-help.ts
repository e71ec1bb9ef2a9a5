/** What the faults of these files share: other parts of a call, and what a reply holds. */
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { TransformCall } from './batches.ts'
import type { Transformation, TransformState } from './state.ts'
import type { TokenStore } from './token-store.ts'

const OPERATION = /(^|\/)(alphabet|template|transformation|role|store|encode|decode|validate|tokenized)\//

/** Whether a path, its mount included, is one that only this engine has. */
export const atTransform = ({ path }: { path: string }): boolean => OPERATION.test(`${path}/`)

/** Whether a call reached this engine. */
export const isTransform = (call: { rules: object } | undefined): boolean => call !== undefined && 'tokenTtl' in call.rules

export const withState = (call: TransformCall, parts: Partial<TransformState>): TransformCall => ({
  ...call,
  state: { ...call.state, ...parts },
})

export const withRules = (call: TransformCall, rules: Partial<TransformCall['rules']>): TransformCall => ({
  ...call,
  rules: { ...call.rules, ...rules },
})

export const withBody = (call: TransformCall, fields: JsonObject): TransformCall => ({ ...call, body: { ...call.body, ...fields } })

export const withInternalStore = (call: TransformCall, parts: Partial<TokenStore>): TransformCall =>
  withState(call, { internalStore: { ...call.state.internalStore, ...parts } })

export const dataOf = (reply: Reply): JsonObject => ((reply.body as JsonObject | undefined)?.data ?? {}) as JsonObject

export const withData = (reply: Reply, data: JsonObject): Reply => ({ ...reply, body: { ...(reply.body as JsonObject), data } })

export const roleOf = (call: TransformCall): string => call.params.role_name ?? ''

export const nameOf = (call: TransformCall): string => call.params.name ?? ''

export const isBatch = (call: TransformCall): boolean => Array.isArray(call.body.batch_input)

/** The name of the transformation that the scalar parameters mean. */
export const transformationName = (call: TransformCall): string =>
  String(call.body.transformation ?? call.state.roles.get(roleOf(call))?.[0] ?? '')

export const transformationOf = (call: TransformCall): Transformation | undefined =>
  call.state.transformations.get(transformationName(call))
