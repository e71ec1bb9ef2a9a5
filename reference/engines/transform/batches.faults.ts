/** Faults of batches: items that touch each other, what stands beside the batch, and requests that come at once. */
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { replyData, requestBody } from '../../faults/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import { byRules, CODING, type Handle, overInternalStore, QUESTIONS, replyItems, requestItems } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(transformEngine)

const ENCODE = 'transform.encode'
const isObject = (item: unknown): item is JsonObject => typeof item === 'object' && item !== null && !Array.isArray(item)

rule('batch-reversed', ['TRANSFORM-BATCH-02', 'TRANSFORM-BATCH-08', 'TRANSFORM-BATCH-11'], 'the results of a batch come in reverse', {
  batchResults: (original) => (results) => original([...results].reverse()),
})
rule('batch-named-otherwise', 'TRANSFORM-BATCH-01', 'the results stand under results', { batchResults: () => (results) => ({ results }) })
route(
  'batch-equal-once',
  ['TRANSFORM-BATCH-01', 'TRANSFORM-BATCH-05'],
  'equal items of a batch are answered once',
  [...CODING, ...QUESTIONS],
  requestBody(({ batch_input: items, ...body }) => ({
    ...body,
    ...(items === undefined
      ? {}
      : { batch_input: Array.isArray(items) ? [...new Map(items.map((item) => [JSON.stringify(item), item])).values()] : items }),
  })),
)
for (const [field, clause] of [
  ['value', 'TRANSFORM-BATCH-05'],
  ['transformation', 'TRANSFORM-BATCH-06'],
  ['tweak', 'TRANSFORM-BATCH-07'],
  ['ttl', 'TRANSFORM-BATCH-19'],
  ['metadata', 'TRANSFORM-BATCH-20'],
] as const) {
  const beside = (body: JsonObject): JsonObject => (body[field] === undefined ? {} : { [field]: body[field] })
  route(
    `batch-scalar-${field}`,
    clause,
    `the ${field} beside a batch goes before that of an item`,
    ENCODE,
    requestItems((item, _at, body) => ({ ...item, ...beside(body) })),
  )
  route(
    `batch-default-${field}`,
    clause,
    `an item without ${field} takes that beside the batch`,
    ENCODE,
    requestItems((item, _at, body) => ({ ...beside(body), ...item })),
  )
}
for (const [field, wins] of [
  ['value', true],
  ['transformation', true],
  ['tweak', false],
] as const)
  route(
    `batch-decode-${field}`,
    'TRANSFORM-BATCH-17',
    `items to decode take the ${field} that stands beside them`,
    'transform.decode',
    requestItems((item, _at, body) => {
      const scalar = body[field] === undefined ? {} : { [field]: body[field] }
      return wins ? { ...item, ...scalar } : { ...scalar, ...item }
    }),
  )
rule('batch-fails-whole', 'TRANSFORM-BATCH-09', 'an item that fails ends the batch with what was done', {
  batchResults: (original) => (results) => {
    const failed = results.findIndex((result) => 'error' in result)
    return original(failed < 0 ? results : results.slice(0, failed + 1))
  },
})
for (const [operation, list, item] of [
  ['encode', 'TRANSFORM-BATCH-12', 'TRANSFORM-BATCH-13'],
  ['decode', 'TRANSFORM-BATCH-14', 'TRANSFORM-BATCH-15'],
] as const) {
  const path = `transform.${operation}`
  const taken = (id: string, title: string, change: (items: JsonObject) => JsonObject[string]): void =>
    route(
      `${operation}-batch-${id}`,
      list,
      `an object as batch ${title}`,
      path,
      requestBody((body) => (isObject(body.batch_input) ? { ...body, batch_input: change(body.batch_input) } : body)),
    )
  taken('left-out', 'is left out', () => null)
  taken('of-one', 'is taken for its only item', (only) => [only])
  taken('of-values', 'is taken for the list of its values', (items) => Object.values(items).filter(isObject))
  route(
    `${operation}-batch-odd-fails`,
    item,
    'an item of a batch other than an object is an internal error',
    path,
    (original) => (call) => {
      if (Array.isArray(call.body.batch_input) && !call.body.batch_input.every(isObject)) throw new ApiError(500, 'internal error')
      return original(call)
    },
  )
}
route(
  'batch-access-first',
  'TRANSFORM-BATCH-18',
  'what the role may is asked for the first item only',
  CODING,
  byRules(({ roleAllows }) => {
    let asked = 0
    return { roleAllows: (names, name) => asked++ > 0 || roleAllows(names, name) }
  }),
)
route(
  'batch-valid-together',
  'TRANSFORM-BATCH-22',
  'one token that is not valid makes all of its batch not valid',
  'transform.validate',
  replyItems((items) => (items.some(({ valid }) => valid === false) ? items.map((item) => ({ ...item, valid: false })) : items)),
)
route(
  'batch-questions-empty',
  'TRANSFORM-BATCH-22',
  'batches of questions are answered without results',
  QUESTIONS,
  replyData((data) => (Array.isArray(data.batch_results) ? {} : data)),
)

const MOMENT = 10
const running = { encodings: 0 }
route('race-one-token', 'TRANSFORM-RACE-01', 'of values that are encoded at once one is kept', ENCODE, (original) => async (call) => {
  running.encodings += 1
  await pause(MOMENT)
  const crowded = running.encodings > 1 && call.body.batch_input === undefined
  running.encodings -= 1
  return (crowded ? overInternalStore(() => ({ put: async () => {} }))(original) : original)(call)
})
const waiting: { call: TransformCall | undefined } = { call: undefined }
route(
  'race-other-body',
  'TRANSFORM-RACE-02',
  'a request that waits is answered with the body of the next',
  CODING,
  (original) => async (call) => {
    waiting.call = call
    await pause(MOMENT)
    const { params, body } = waiting.call
    return original(params.role_name === call.params.role_name ? call : { ...call, body, params })
  },
)
const used = new Map<string, number>()
const counted = (name: string, by: number): unknown => used.set(name, (used.get(name) ?? 0) + by)
const unlessUsed =
  (original: Handle): Handle =>
  (call) =>
    (used.get(call.params.name ?? '') ?? 0) > 0 ? { status: 204 } : original(call)
change('race-kept-in-use', 'TRANSFORM-RACE-03', 'what is deleted or closed while it is used stays', {
  routes: {
    'transform.decode': (original) => async (call) => {
      const name = String(call.body.transformation ?? '')
      counted(name, 1)
      await pause(MOMENT)
      try {
        return await original(call)
      } finally {
        counted(name, -1)
      }
    },
    'transform.deleteTransformation': unlessUsed,
    'transform.writeFpe': unlessUsed,
  },
})

export const faults = declared
