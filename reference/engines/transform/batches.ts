/** One value or a batch of them: who may, which transformation, and answers in the order of the items. */
import type { Call } from '../../core/engine.ts'
import { secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { TransformRules } from './rules.ts'
import type { Transformation, TransformState } from './state.ts'

export type TransformCall = Call<TransformState, TransformRules>

/** An item with the transformation that it is about. */
export interface Task {
  item: JsonObject
  name: string
  transformation: Transformation
  /** Whether the item is one of a batch. */
  batched: boolean
}

export type Result = JsonObject | ApiError

/** Does the items of one transformation, one result for each in their order. */
export type Work = (call: TransformCall, tasks: Task[]) => Result[] | Promise<Result[]>

/** What an action returns, or its refusal. */
export const attempt = (action: () => JsonObject): Result => {
  try {
    return action()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

const taskOf = (call: TransformCall, role: string, item: JsonObject, batched: boolean): Task | ApiError => {
  const { rules, state } = call
  const transformations = state.roles.get(role)
  if (transformations === undefined) throw rules.unknownRole(role)
  try {
    const name = rules.chosenName(item, transformations)
    const transformation = state.transformations.get(name)
    if (!rules.roleAllows(transformations, name)) throw invalid(`the role may not use ${name}`)
    if (transformation === undefined) throw invalid(`no transformation ${name}`)
    if (!rules.transformationAllows(transformation, role)) throw invalid(`${name} does not allow this role`)
    return { item, name, transformation, batched }
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Answers a request about one value or several: each transformation does its items together. */
export const answered = async (call: TransformCall, work: Work): Promise<Reply> => {
  const role = call.params.role_name ?? ''
  const batch = call.rules.batchOf(call.body)
  const tasks = (batch ?? [call.body]).map((item) => taskOf(call, role, item, batch !== undefined))
  const results: Result[] = tasks.map((task) => (task instanceof ApiError ? task : {}))
  const byTransformation = new Map<Transformation, number[]>()
  for (const [index, task] of tasks.entries()) {
    if (task instanceof ApiError) continue
    const known = byTransformation.get(task.transformation)
    if (known === undefined) byTransformation.set(task.transformation, [index])
    else known.push(index)
  }
  for (const indices of byTransformation.values()) {
    const done = await work(
      call,
      indices.map((index) => tasks[index] as Task),
    )
    for (const [place, index] of indices.entries()) results[index] = done[place]!
  }
  if (batch !== undefined)
    return secret(call.rules.batchResults(results.map((result) => (result instanceof ApiError ? call.rules.failedItem(result) : result))))
  const [only] = results
  if (only instanceof ApiError) throw only
  return secret(only!)
}
