/** What the faults of these files share. */
import type { JsonObject } from '../../core/json.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { TransformCall } from './batches.ts'
import type { TransformRules } from './rules.ts'
import type { Transformation, TransformState } from './state.ts'

export const CODING = ['transform.encode', 'transform.decode']
export const QUESTIONS = ['transform.validate', 'transform.tokenized', 'transform.metadata']
export const BY_ROLE = [...CODING, ...QUESTIONS]

export const CODING_PATH = /(^|\/)(encode|decode)\/[^/]+$/

export const nameOf = ({ params }: TransformCall): string => params.name ?? ''
const roleOf = ({ params }: TransformCall): string => params.role_name ?? ''

/** The same request about an object of another name. */
export const about = (call: TransformCall, name: string): TransformCall => ({ ...call, params: { ...call.params, name } })

/** The same request, decided otherwise. */
export const deciding = (call: TransformCall, rules: Partial<TransformRules>): TransformCall => ({
  ...call,
  rules: { ...call.rules, ...rules },
})

/** The same request before a state of which parts are others. */
export const seeing = (call: TransformCall, parts: Partial<TransformState>): TransformCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as TransformState, parts),
})

/** The items of a batch that is well formed. */
export const batchIn = ({ body }: TransformCall): JsonObject[] | undefined => {
  const batch = body.batch_input
  if (!Array.isArray(batch) || batch.some((item) => item === null || typeof item !== 'object' || Array.isArray(item))) return undefined
  return batch as JsonObject[]
}

/** The same request with other items, where it is a batch. */
export const withBatch = (call: TransformCall, change: (items: JsonObject[]) => JsonObject[]): TransformCall => {
  const items = batchIn(call)
  return items === undefined ? call : { ...call, body: { ...call.body, batch_input: change(items) } }
}

/** The transformation that an item is about, as far as it exists. */
export const meant = (call: TransformCall, item: JsonObject): Transformation | undefined => {
  const names = call.state.roles.get(roleOf(call)) ?? []
  const name = item.transformation ?? (names.length === 1 ? names[0] : undefined)
  return typeof name === 'string' ? call.state.transformations.get(name) : undefined
}

/** Whether a request, seen by the conventions, is one to this engine. */
export const isTransform = (call: Asked): call is NonNullable<Asked> => call !== undefined && 'maskDecodable' in call.rules
