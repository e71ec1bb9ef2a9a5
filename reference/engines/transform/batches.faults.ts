/** Faults of batches. */
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'
import { byRules, CODING, requestItems } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)

const isObject = (item: unknown): item is JsonObject => typeof item === 'object' && item !== null && !Array.isArray(item)

rule('batch-reversed', ['TRANSFORM-BATCH-02', 'TRANSFORM-BATCH-08', 'TRANSFORM-BATCH-11'], 'the results of a batch come in reverse', {
  batchResults: (original) => (results) => original([...results].reverse()),
})
rule('batch-short', ['TRANSFORM-BATCH-01', 'TRANSFORM-BATCH-11'], 'the last result of a batch is missing', {
  batchResults: (original) => (results) => original(results.length > 1 ? results.slice(0, -1) : results),
})
rule('batch-limit', 'TRANSFORM-BATCH-11', 'a batch ends after five hundred items', {
  batchOf: (original) => (body) => original(body)?.slice(0, 500),
})
rule('batch-named-otherwise', 'TRANSFORM-BATCH-01', 'the results stand under results', { batchResults: () => (results) => ({ results }) })
route(
  'batch-one-value',
  'TRANSFORM-BATCH-02',
  'every item of a batch has the value of the first',
  'transform.encode',
  requestBody((body) => {
    const [first] = (Array.isArray(body.batch_input) ? body.batch_input : []) as JsonObject[]
    return Array.isArray(body.batch_input) && isObject(first)
      ? { ...body, batch_input: (body.batch_input as JsonObject[]).map((item) => ({ ...item, value: first.value ?? null })) }
      : body
  }),
)
for (const [field, clause] of [
  ['transformation', 'TRANSFORM-BATCH-03'],
  ['tweak', 'TRANSFORM-BATCH-04'],
] as const)
  route(
    `batch-one-${field}`,
    clause,
    `every item of a batch has the ${field} of the first`,
    CODING,
    requestBody((body) => {
      const [first] = (Array.isArray(body.batch_input) ? body.batch_input : []) as JsonObject[]
      const given = isObject(first) ? first[field] : undefined
      return given === undefined
        ? body
        : {
            ...body,
            batch_input: (body.batch_input as JsonObject[]).map((item) =>
              isObject(item) && item[field] !== undefined ? { ...item, [field]: given } : item,
            ),
          }
    }),
  )
for (const [field, clause] of [
  ['value', 'TRANSFORM-BATCH-05'],
  ['transformation', 'TRANSFORM-BATCH-06'],
  ['tweak', 'TRANSFORM-BATCH-07'],
] as const) {
  route(
    `batch-scalar-${field}`,
    clause,
    `the scalar ${field} goes before that of an item`,
    'transform.encode',
    requestItems((item, _index, body) => (body[field] === undefined || !isObject(item) ? item : { ...item, [field]: body[field] })),
  )
  route(
    `batch-default-${field}`,
    clause,
    `an item without ${field} takes the scalar one`,
    'transform.encode',
    requestItems((item, _index, body) => (body[field] === undefined || !isObject(item) ? item : { [field]: body[field], ...item })),
  )
}
route(
  'batch-decode-scalars',
  'TRANSFORM-BATCH-17',
  'items to decode take what stands beside them',
  'transform.decode',
  requestItems((item, _index, body) => {
    const { batch_input: _items, ...scalars } = body
    return isObject(item) ? { ...item, ...scalars } : item
  }),
)
rule('batch-decode-empty', 'TRANSFORM-BATCH-08', 'items to decode carry no value', { shownDecodedItem: () => () => ({}) })
rule('batch-fails-whole', 'TRANSFORM-BATCH-09', 'an item that fails ends the batch with what was done', {
  batchResults: (original) => (results) => {
    const failed = results.findIndex((result) => 'error' in result)
    return original(failed < 0 ? results : results.slice(0, failed + 1))
  },
})
route(
  'batch-object',
  'TRANSFORM-BATCH-12',
  'an object as batch is left out',
  'transform.encode',
  requestBody((body) => (isObject(body.batch_input) ? { ...body, batch_input: null } : body)),
)
route(
  'batch-decode-object',
  'TRANSFORM-BATCH-14',
  'an object as batch to decode is left out',
  'transform.decode',
  requestBody((body) => (isObject(body.batch_input) ? { ...body, batch_input: null } : body)),
)
for (const [operation, clause] of [
  ['transform.encode', 'TRANSFORM-BATCH-13'],
  ['transform.decode', 'TRANSFORM-BATCH-15'],
] as const)
  route(
    `batch-odd-${operation.split('.')[1]}`,
    clause,
    'what is no object in a batch is an internal error',
    operation,
    (original) => (call) => {
      if (Array.isArray(call.body.batch_input) && !call.body.batch_input.every(isObject)) throw new ApiError(500, 'internal error')
      return original(call)
    },
  )
route(
  'batch-one-generated',
  'TRANSFORM-BATCH-16',
  'all items of a batch are encoded with one generated tweak',
  'transform.encode',
  byRules((rules, call) => {
    const tweak = rules.generatedTweak(call.services.random)
    return { generatedTweak: () => tweak }
  }),
)
route(
  'batch-tweak-lost',
  'TRANSFORM-BATCH-16',
  'items of a batch return no tweak',
  'transform.encode',
  replyData((data) =>
    Array.isArray(data.batch_results)
      ? { ...data, batch_results: (data.batch_results as JsonObject[]).map(({ tweak: _tweak, ...item }) => item) }
      : data,
  ),
)
route(
  'batch-access-first',
  'TRANSFORM-BATCH-18',
  'what the role may is asked for the first item only',
  CODING,
  byRules((rules, call) => {
    if (!Array.isArray(call.body.batch_input)) return {}
    let asked = false
    return {
      roleAllows(list, name) {
        const allowed = asked || rules.roleAllows(list, name)
        asked = true
        return allowed
      },
      transformationAllows: () => true,
    }
  }),
)
