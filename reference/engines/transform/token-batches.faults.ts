/** Faults of batches of tokens. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import { requestItems } from './wrappers.ts'

const { route } = faultsOf(transformEngine)

const QUESTIONS = ['validate', 'tokenized', 'metadata'] as const

const itemsTake = (field: string) =>
  requestItems((item, _index, body) => (body[field] === undefined ? item : { ...item, [field]: body[field] }))
route('batch-scalar-ttl', 'TRANSFORM-BATCH-19', 'the scalar ttl goes before that of an item', 'transform.encode', itemsTake('ttl'))
route(
  'batch-default-ttl',
  'TRANSFORM-BATCH-19',
  'an item without ttl takes the scalar one',
  'transform.encode',
  requestItems((item, _index, body) => (body.ttl === undefined ? item : { ttl: body.ttl, ...item })),
)
route(
  'batch-scalar-metadata',
  'TRANSFORM-BATCH-20',
  'an item without metadata takes those beside the batch',
  'transform.encode',
  requestItems((item, _index, body) => (body.metadata === undefined ? item : { metadata: body.metadata, ...item })),
)
route(
  'batch-metadata-lost',
  'TRANSFORM-BATCH-20',
  'metadata of items are dropped',
  'transform.encode',
  requestItems(({ metadata: _metadata, ...item }) => item),
)
const reversed = replyData<TransformCall>((data) =>
  Array.isArray(data.batch_results) ? { ...data, batch_results: [...(data.batch_results as JsonObject[])].reverse() } : data,
)
route('batch-tokens-reversed', 'TRANSFORM-BATCH-21', 'items to decode are answered in reverse', 'transform.decode', reversed)
route(
  'batch-questions-empty',
  'TRANSFORM-BATCH-22',
  'batches of questions are answered without results',
  QUESTIONS.map((name) => `transform.${name}`),
  replyData((data) => (Array.isArray(data.batch_results) ? {} : data)),
)
