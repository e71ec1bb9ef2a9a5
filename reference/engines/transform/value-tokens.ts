/** Tokens: made, opened, and looked up, many at a time. */
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { attempt, type Result, type Task, type TransformCall } from './batches.ts'
import type { Transformation } from './state.ts'
import type { KeptToken, TokenStore } from './token-store.ts'

const storeOf = (call: TransformCall, transformation: Transformation): TokenStore => {
  const [name] = transformation.stores
  if (name === 'builtin/internal') return call.state.internalStore
  const store = call.state.stores.get(name ?? '')
  if (store === undefined) throw invalid(`no store ${name}`)
  return store.tokens
}

/** What the items hold, of which some are refused; the results of the others are filled in later. */
const read = <T>(tasks: Task[], one: (task: Task) => T): { results: Result[]; values: { index: number; value: T }[] } => {
  const values: { index: number; value: T }[] = []
  const results = tasks.map((task, index) =>
    attempt(() => {
      values.push({ index, value: one(task) })
      return {}
    }),
  )
  return { results, values }
}

const made = (call: TransformCall, task: Task): { token: string; kept: KeptToken } => {
  const { rules, services } = call
  const { item, transformation } = task
  const value = rules.givenValue(item)
  const token = rules.newToken(services.random, value, transformation)
  const ttl = rules.tokenTtl(rules.requestedTtl(item), transformation.maxTtl)
  const kept: KeptToken = {
    owner: transformation.id,
    token: rules.digestOf(transformation, 'token', token),
    value: rules.digestOf(transformation, 'value', value),
    sealed: rules.sealed(transformation, value, services.random),
    metadata: rules.metadataOf(item),
    expiresAt: rules.expiresAt(ttl, call.now()),
  }
  return { token, kept }
}

/** Makes a token for each value; kept with one request to the store. */
export const madeTokens = async (call: TransformCall, tasks: Task[]): Promise<Result[]> => {
  const { results, values } = read(tasks, (task) => made(call, task))
  if (values.length > 0) await storeOf(call, tasks[0]!.transformation).put(values.map(({ value }) => value.kept))
  for (const { index, value } of values) results[index] = call.rules.shownEncoded(value.token)
  return results
}

/** What is kept of the tokens that the items name, those that have ended left out; item by item. */
export const knownTokens = async (
  call: TransformCall,
  tasks: Task[],
): Promise<{ results: Result[]; found: { index: number; kept: KeptToken | undefined }[] }> => {
  const { rules } = call
  const { transformation } = tasks[0]!
  const { results, values } = read(tasks, ({ item }) => rules.digestOf(transformation, 'token', rules.givenValue(item)))
  const kept = await storeOf(call, transformation).byToken(
    transformation.id,
    values.map(({ value }) => value),
  )
  const alive = (token: KeptToken | undefined) => (token !== undefined && rules.isAlive(token, call.now()) ? token : undefined)
  return { results, found: values.map(({ index, value }) => ({ index, kept: alive(kept.get(value)) })) }
}

/** Opens tokens: each gives its value, in whatever form `shown` gives it. */
export const openedTokens = async (
  call: TransformCall,
  tasks: Task[],
  shown: (task: Task, value: string) => JsonObject,
): Promise<Result[]> => {
  const { results, found } = await knownTokens(call, tasks)
  for (const { index, kept } of found)
    results[index] = attempt(() => {
      if (kept === undefined) throw invalid('no such token')
      return shown(tasks[index]!, call.rules.opened(tasks[index]!.transformation, kept.sealed))
    })
  return results
}

/** Whether the values of the items have tokens that have not ended. */
export const tokenizedValues = async (call: TransformCall, tasks: Task[]): Promise<Result[]> => {
  const { rules } = call
  const { transformation } = tasks[0]!
  const { results, values } = read(tasks, ({ item }) => rules.digestOf(transformation, 'value', rules.givenValue(item)))
  const kept = await storeOf(call, transformation).byValue(
    transformation.id,
    values.map(({ value }) => value),
  )
  const known = new Set(kept.filter((token) => rules.isAlive(token, call.now())).map(({ value }) => value))
  for (const { index, value } of values) results[index] = rules.shownTokenized(known.has(value))
  return results
}
