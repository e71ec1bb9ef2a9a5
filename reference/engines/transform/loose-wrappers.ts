/** What several of the loose faults share: requests handled as if the mount, its rules or the items of a batch were others. */
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import type { TransformRules } from './rules.ts'
import type { Transformation, TransformState } from './state.ts'
import type { TokenStore } from './token-store.ts'

export const CODING = ['transform.encode', 'transform.decode'] as const
export const TRANSFORMATION_WRITES = [
  'transform.writeFpe',
  'transform.writeMasking',
  'transform.writeTokenization',
  'transform.writeTransformation',
] as const

export const withState = (call: TransformCall, change: Partial<TransformState>): TransformCall => ({
  ...call,
  state: { ...call.state, ...change },
})

export const withRules = (call: TransformCall, change: Partial<TransformRules>): TransformCall => ({
  ...call,
  rules: { ...call.rules, ...change },
})

export const withTransformations = (call: TransformCall, change: (transformation: Transformation) => Transformation): TransformCall =>
  withState(call, { transformations: new Map([...call.state.transformations].map(([name, known]) => [name, change(known)])) })

export const withInternalStore = (call: TransformCall, change: (store: TokenStore) => Partial<TokenStore>): TransformCall =>
  withState(call, { internalStore: { ...call.state.internalStore, ...change(call.state.internalStore) } })

const isItem = (item: unknown): boolean => typeof item === 'object' && item !== null && !Array.isArray(item)

/** The items of a batch; undefined where there is none. */
export const itemsOf = (body: JsonObject, field = 'batch_input'): JsonObject[] | undefined => {
  const batch = body[field]
  return Array.isArray(batch) && batch.every(isItem) ? (batch as JsonObject[]) : undefined
}

/** Another batch than the one that was sent. */
export const requestItems = (change: (items: JsonObject[], body: JsonObject) => JsonObject[]) =>
  requestBody<TransformCall>((body) => {
    const items = itemsOf(body)
    return items ? { ...body, batch_input: change(items, body) } : body
  })

/** The `data` of a reply. */
export const dataOf = (reply: Reply): JsonObject => ((reply.body as JsonObject | undefined)?.data ?? {}) as JsonObject

/** The transformation that a request, or the first item of its batch, is about. */
export const meant = (call: TransformCall): Transformation | undefined => {
  const names = call.state.roles.get(call.params.role_name ?? '') ?? []
  const { transformation } = itemsOf(call.body)?.[0] ?? call.body
  return call.state.transformations.get(typeof transformation === 'string' ? transformation : (names[0] ?? ''))
}
