/** Faults at ends and limits: the only item, the third group, the last characters, the hundredth name, a byte too many. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { batchItems } from './brisk-wrappers.ts'
import { transformEngine } from './engine.ts'

const { rule, route } = faultsOf(transformEngine)

const tweakBytes = (item: JsonObject): Buffer => Buffer.from(typeof item.tweak === 'string' ? item.tweak : '', 'base64')

route(
  'brisk-batch-of-one',
  ['TRANSFORM-BATCH-11'],
  'a batch of one item is answered as a single value is (001 4.4, encode: or `data.batch_results`)',
  'transform.encode',
  replyData((data) => {
    const results = data.batch_results
    return Array.isArray(results) && results.length === 1 ? (results[0] as JsonObject) : data
  }),
)

rule(
  'brisk-third-group-kept',
  ['TRANSFORM-TEMPLATE-19'],
  'the third group of a pattern, and those after it, are not transformed (001 4.4: the capture group marks the characters transformed)',
  { spansOf: (original) => (pattern, value) => original(pattern, value)?.slice(0, 2) },
)

rule(
  'brisk-tail-lost',
  ['TRANSFORM-TEMPLATE-13'],
  'what a value has after its last group is lost (001 4.4, template `pattern`: matches outside groups are retained)',
  {
    replacedIn: (original) => (value, spans, transform) => {
      const replaced = original(value, spans, transform)
      const tail = value.length - (spans.at(-1)?.[1] ?? value.length)
      return replaced.slice(0, replaced.length - tail)
    },
  },
)

rule(
  'brisk-alphabet-of-64',
  ['TRANSFORM-ENCODE-01'],
  'letters of an alphabet beyond the 64th do not count when values are encoded (001 2.4, Alphabet: string of characters)',
  { lettersOf: (original) => (alphabet) => original(alphabet).slice(0, 64) },
)

route(
  'brisk-eight-bytes-decode',
  ['TRANSFORM-TWEAK-05'],
  'a decoding takes a tweak of eight bytes, of which it uses seven (001 8, Transform `tweak`: 7 bytes)',
  'transform.decode',
  requestBody<TransformCall>((body) => {
    const bytes = tweakBytes(body)
    return bytes.length === 8 ? { ...body, tweak: bytes.subarray(0, 7).toString('base64') } : body
  }),
)

route(
  'brisk-six-bytes-in-batch',
  ['TRANSFORM-BATCH-18'],
  'an item of a batch of encodings may have a tweak of six bytes, which is filled up (001 8, Transform `tweak`: 7 bytes)',
  'transform.encode',
  batchItems((items) =>
    items.map((item) => {
      const bytes = tweakBytes(item)
      return bytes.length === 6 ? { ...item, tweak: Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64') } : item
    }),
  ),
)

rule(
  'brisk-ttl-reaches-max',
  ['TRANSFORM-MAXTTL-02', 'TRANSFORM-MAXTTL-03'],
  'a ttl of exactly max_ttl makes a token that never ends (001 4.4, encode `ttl`, tokenization `max_ttl`)',
  { tokenTtl: (original) => (requested, maximum) => (requested === maximum ? 0 : original(requested, maximum)) },
)

rule(
  'brisk-hundred-alphabets',
  ['TRANSFORM-ALPHABET-05'],
  'the list of alphabets has the first hundred only (001 4.4, LIST alphabet: `data.keys`)',
  { alphabetNames: (original) => (state) => original(state).slice(0, 100) },
)

rule(
  'brisk-second-star',
  ['TRANSFORM-FILTER-04'],
  'only the first star of a filter stands for other characters (001 4.4, LIST role: `filter`, glob on names)',
  {
    fits: (original) => (name, filter) => {
      const star = filter.indexOf('*')
      if (star < 0) return original(name, filter)
      const [start, end] = [filter.slice(0, star), filter.slice(star + 1)]
      return name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end)
    },
  },
)

rule(
  'brisk-star-for-nothing',
  ['TRANSFORM-FILTER-02'],
  'the star of a filter does not stand for nothing: `app*` leaves out `app` (001 4.4, LIST role: `filter`, glob on names)',
  { fits: (original) => (name, filter) => original(name, filter) && name.length >= filter.length },
)

rule(
  'brisk-one-session-more',
  ['TRANSFORM-POOL-01'],
  'a store opens, and keeps, one session more than it may (001 4.4, store `max_open_connections`)',
  {
    poolLimits: (original) => (settings) => {
      const limits = original(settings)
      return { ...limits, open: limits.open + 1, idle: limits.idle + 1 }
    },
  },
)

route(
  'brisk-hundred-items',
  ['TRANSFORM-BATCH-11'],
  'of a batch only the first hundred items are answered (001 4.4, encode and decode: `data.batch_results`)',
  ['transform.encode', 'transform.decode'],
  batchItems((items) => items.slice(0, 100)),
)
