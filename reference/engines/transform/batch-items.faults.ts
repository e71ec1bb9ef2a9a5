/** Faults in which items of a batch touch each other, or what stands beside the batch touches them. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import { byRules, CODING, replyItems, requestItems } from './wrappers.ts'

const { route } = faultsOf(transformEngine)

const itemsOf = (call: TransformCall): JsonObject[] => (Array.isArray(call.body.batch_input) ? (call.body.batch_input as JsonObject[]) : [])

route(
  'batch-ttl-of-former',
  ['TRANSFORM-BATCH-19'],
  'items without a ttl take that of the item before (001 4.4, each object carries its own)',
  'transform.encode',
  requestItems((item, index, body) => {
    const former = (body.batch_input as JsonObject[])[index - 1]?.ttl
    return former === undefined ? item : { ttl: former, ...item }
  }),
)

route(
  'batch-transformation-of-first',
  ['TRANSFORM-BATCH-03'],
  'items without a transformation take that of the first item (001 4.4, each object carries its own)',
  CODING,
  requestItems((item, _index, body) => {
    const first = (body.batch_input as JsonObject[])[0]?.transformation
    return first === undefined ? item : { transformation: first, ...item }
  }),
)

route(
  'batch-equal-values-once',
  ['TRANSFORM-BATCH-01', 'TRANSFORM-BATCH-05'],
  'equal items of a batch are answered once (001 4.4, batch_results)',
  [...CODING, 'transform.validate', 'transform.tokenized', 'transform.metadata'],
  requestBody((body) =>
    Array.isArray(body.batch_input)
      ? { ...body, batch_input: [...new Map(body.batch_input.map((item) => [JSON.stringify(item), item])).values()] }
      : body,
  ),
)

route(
  'batch-ends-at-failure',
  ['TRANSFORM-BATCH-09'],
  'items after one that fails are not done (001 4.4, batch_results)',
  CODING,
  replyItems((items) => {
    const failed = items.findIndex(({ error }) => error !== undefined)
    return items.map((item, index) => (failed >= 0 && index > failed ? { error: 'not done' } : item))
  }),
)

route(
  'batch-valid-together',
  ['TRANSFORM-BATCH-22'],
  'one token that is not valid makes all of its batch not valid (001 4.4, validate)',
  'transform.validate',
  replyItems((items) => (items.some(({ valid }) => valid === false) ? items.map((item) => ({ ...item, valid: false })) : items)),
)

route(
  'batch-metadata-of-last',
  ['TRANSFORM-BATCH-20'],
  'items of a batch get the metadata of its last item (001 4.4, each object carries its own)',
  'transform.encode',
  requestItems((item, _index, body) => {
    const last = (body.batch_input as JsonObject[]).at(-1)?.metadata
    return last === undefined ? item : { ...item, metadata: last }
  }),
)

route(
  'batch-tweak-of-first',
  ['TRANSFORM-BATCH-08'],
  'all items of a batch are decoded with the tweak of the first (001 4.4, each object carries its own)',
  'transform.decode',
  requestItems((item, _index, body) => {
    const first = (body.batch_input as JsonObject[])[0]?.tweak
    return first === undefined ? item : { ...item, tweak: first }
  }),
)

route(
  'batch-tweak-of-first-only',
  ['TRANSFORM-BATCH-16'],
  'of the tweaks generated for a batch only the first is returned (001 4.4, generated tweak)',
  'transform.encode',
  replyItems((items) => items.map(({ tweak, ...item }, index) => (index > 0 || tweak === undefined ? item : { ...item, tweak }))),
)

route(
  'batch-max-ttl-overlooked',
  ['TRANSFORM-MAXTTL-03'],
  'tokens made in a batch live as long as was asked, whatever max_ttl says (001 4.4, max_ttl)',
  'transform.encode',
  byRules(({ tokenTtl }, call) => ({
    tokenTtl: (requested, maximum) => (itemsOf(call).length > 0 && requested > 0 ? requested : tokenTtl(requested, maximum)),
  })),
)

route(
  'batch-results-grouped',
  ['TRANSFORM-BATCH-02'],
  'results of a batch stand by transformation rather than by item (001 4.4, batch_results)',
  CODING,
  replyItems((items, call) => {
    const names = itemsOf(call).map(({ transformation }) => String(transformation))
    return [...new Set(names)].flatMap((name) => items.filter((_item, index) => names[index] === name))
  }),
)

route(
  'batch-masking-character-of-first',
  ['TRANSFORM-BATCH-03'],
  'what is masked in a batch gets the masking character of the first transformation masked there (001 4.4, masking_character)',
  'transform.encode',
  (original) => (call) => {
    let first: string | undefined
    const { rules } = call
    return original({
      ...call,
      rules: {
        ...rules,
        masked: (text, character) => {
          first ??= character
          return rules.masked(text, first)
        },
      },
    })
  },
)
