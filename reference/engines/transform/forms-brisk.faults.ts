/** Faults of form: the same thing comes out otherwise by another route, in a batch, in a list, or with characters that are not plain. */
import { textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData, requestWithout } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { nameIn } from './brisk-wrappers.ts'
import { transformEngine } from './engine.ts'

const { rule, route } = faultsOf(transformEngine)

rule(
  'brisk-half-a-character',
  ['TRANSFORM-MASK-02', 'TRANSFORM-MASK-03'],
  'the first character of masking_character is cut in half where it takes two code units (001 4.4: first character only)',
  {
    maskingCharacterOf: (original) => (body, kind, previous) => {
      const given = kind === 'masking' ? textOf(body, 'masking_character') : ''
      return given === '' ? original(body, kind, previous) : given.charAt(0)
    },
  },
)

rule(
  'brisk-letters-by-code-unit',
  ['TRANSFORM-TEMPLATE-19'],
  'an alphabet is taken apart by code units, so that its rarer characters cannot be encoded (001 2.4, Alphabet: string of characters)',
  { lettersOf: () => (alphabet) => alphabet.split('') },
)

rule(
  'brisk-alphabet-trimmed',
  ['TRANSFORM-ALPHABET-01'],
  'blanks at the ends of an alphabet are cut off (001 2.4, Alphabet: string of characters)',
  { alphabetOf: (original) => (body, previous) => original(body, previous).trim() },
)

rule(
  'brisk-values-composed',
  ['TRANSFORM-TOKENIZED-02'],
  'values are brought into composed form before they are encoded, and decoded so (001 4.4, decode: returns `data.decoded_value`)',
  { givenValue: (original) => (item) => original(item).normalize('NFC') },
)

rule(
  'brisk-no-tweak-in-batch',
  ['TRANSFORM-BATCH-16'],
  'a batch does not return the tweaks that were generated (001 4.4, encode: must be supplied back to decode)',
  {
    batchResults: (original) => (results) =>
      original(results.map((result) => Object.fromEntries(Object.entries(result).filter(([member]) => member !== 'tweak')))),
  },
)

route(
  'brisk-old-path-drops-source',
  ['TRANSFORM-TYPED-01'],
  'the older path ignores tweak_source (001 4.4, POST transformation: `tweak_source`)',
  'transform.writeTransformation',
  requestWithout<TransformCall>('tweak_source'),
)

rule(
  'brisk-tokenizations-unlisted',
  ['TRANSFORM-STORE-05'],
  'transformations of type tokenization are not listed (001 4.4, LIST transformation: `data.keys`)',
  {
    transformationNames: (original) => (state) =>
      original(state).filter((name) => state.transformations.get(name)?.type !== 'tokenization'),
  },
)

route(
  'brisk-epoch-in-batch',
  ['TRANSFORM-BATCH-22'],
  'the items of a batch show expiration_time in epoch seconds (001 4.4, metadata: ISO 8601 with offset)',
  'transform.metadata',
  replyData((data) => {
    const results = data.batch_results
    if (!Array.isArray(results)) return data
    const shown = (result: JsonObject): JsonObject =>
      typeof result.expiration_time === 'string'
        ? { ...result, expiration_time: Math.floor(Date.parse(result.expiration_time) / 1000) }
        : result
    return { ...data, batch_results: results.map((result) => shown(result as JsonObject)) }
  }),
)

rule(
  'brisk-metadata-second-equals',
  ['TRANSFORM-METADATA-01'],
  'a value in metadata ends at an equals sign of its own (001 4.4, metadata: string of `key=value` pairs)',
  {
    metadataOf: (original) => (item) =>
      original(item)
        .split(',')
        .map((pair) => pair.split('=').slice(0, 2).join('='))
        .join(','),
  },
)

route(
  'brisk-slot-filled-on-read',
  ['TRANSFORM-STORE-01'],
  'a store is read with the user name in the place of its slot (001 4.4: `connection_string` with template slots)',
  'transform.readStore',
  replyData<TransformCall>((data, call) => {
    const username = call.state.stores.get(nameIn(call))?.settings.username ?? ''
    return { ...data, connection_string: String(data.connection_string).replace(/\{\{\s*username\s*\}\}/g, () => username) }
  }),
)

rule(
  'brisk-filter-by-verb-only',
  ['TRANSFORM-FILTER-03'],
  'the filter of a listing counts for the verb LIST only, not for GET with list=true (001 4.4, LIST role: `filter`; 000 1, 5)',
  { filterOf: (original) => (query) => (query.get('list') === 'true' ? '*' : original(query)) },
)
