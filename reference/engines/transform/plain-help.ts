/** What the faults `plain` of this engine share: the items of a request, its results, and calls by another state or other rules. */
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import type { TransformCall } from './batches.ts'
import type { TransformRules } from './rules.ts'
import type { Transformation, TransformState } from './state.ts'
import type { KeptToken } from './token-store.ts'

export const roleName = (call: TransformCall): string => call.params.role_name ?? ''

export const batchOf = (call: TransformCall): JsonObject[] | undefined =>
  Array.isArray(call.body.batch_input) ? (call.body.batch_input as JsonObject[]) : undefined

/** The items of a batch, or the body as the only one. */
export const itemsOf = (call: TransformCall): JsonObject[] => batchOf(call) ?? [call.body]

export const dataOf = (reply: Reply): JsonObject => ((reply.body as JsonObject | undefined)?.data ?? {}) as JsonObject

/** The results of a reply, one for each item. */
export const resultsOf = (reply: Reply): JsonObject[] => {
  const data = dataOf(reply)
  return Array.isArray(data.batch_results) ? (data.batch_results as JsonObject[]) : [data]
}

const withData = (reply: Reply, data: JsonObject): Reply => ({ ...reply, body: { ...(reply.body as JsonObject), data } })

/** The same reply with the results of a batch changed; others stay. */
export const withResults = (reply: Reply, change: (results: JsonObject[]) => JsonObject[]): Reply => {
  const data = dataOf(reply)
  return Array.isArray(data.batch_results) ? withData(reply, { ...data, batch_results: change(data.batch_results as JsonObject[]) }) : reply
}

/** The request with parts of the mount's state replaced; the state itself stays. */
export const withState = (call: TransformCall, parts: Partial<TransformState>): TransformCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as TransformState, parts),
})

export const withRules = (call: TransformCall, rules: Partial<TransformRules>): TransformCall => ({
  ...call,
  rules: { ...call.rules, ...rules },
})

/** Name of the transformation of an item, as the request means it; empty where it does not say. */
export const chosen = (call: TransformCall, item: JsonObject): string => {
  const ofRole = call.state.roles.get(roleName(call)) ?? []
  return typeof item.transformation === 'string' && item.transformation !== ''
    ? item.transformation
    : ofRole.length === 1
      ? (ofRole[0] ?? '')
      : ''
}

export const transformationOf = (call: TransformCall, item: JsonObject): Transformation | undefined =>
  call.state.transformations.get(chosen(call, item))

const inMount = (transformation: Transformation | undefined): transformation is Transformation =>
  transformation?.type === 'tokenization' && transformation.stores[0] === 'builtin/internal'

/** What the mount itself keeps of the token that an item gives. */
export const tokenIn = async (call: TransformCall, transformation: Transformation | undefined, token: unknown) => {
  if (!inMount(transformation)) return undefined
  const digest = call.rules.digestOf(transformation, 'token', String(token))
  return (await call.state.internalStore.byToken(transformation.id, [digest])).get(digest)
}

/** What the mount itself keeps of all tokens of a value, the first made first. */
export const tokensOfValue = async (
  call: TransformCall,
  transformation: Transformation | undefined,
  value: unknown,
): Promise<KeptToken[]> => {
  if (!inMount(transformation)) return []
  return call.state.internalStore.byValue(transformation.id, [call.rules.digestOf(transformation, 'value', String(value))])
}

/** Whether a request, before it is routed, goes to one of these collections or actions of this engine. */
export const goesTo =
  (...collections: string[]) =>
  ({ path }: Pick<RequestFacts, 'path'>): boolean =>
    !isProvisioning({ path }) &&
    path
      .split('/')
      .slice(0, -1)
      .some((segment) => collections.includes(segment))

/** Whether a routed request is one of this engine. */
export const isTransform = (call: { rules: object } | undefined): boolean => call !== undefined && 'shownEncoded' in call.rules
