/** Faults in what values, names and answers look like. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'
import { CODING, type Handle } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)

rule('shape-tweak-url-safe', 'TRANSFORM-TWEAK-07', 'a generated tweak is returned in the alphabet of base64 for URLs', {
  shownTweak: (original) => (tweak) => ({ tweak: String(original(tweak).tweak).replaceAll('+', '-').replaceAll('/', '_') }),
  tweakOf: (original) => (item) =>
    original(typeof item.tweak === 'string' ? { ...item, tweak: item.tweak.replaceAll('-', '+').replaceAll('_', '/') } : item),
})

rule('shape-value-normalized', 'TRANSFORM-TOKENIZED-02', 'values are brought into the composed form of Unicode', {
  givenValue: (original) => (item) => original(item).normalize('NFC'),
})

route(
  'shape-batch-of-one',
  'TRANSFORM-BATCH-11',
  'the result of a batch with one item comes without batch_results',
  'transform.decode',
  replyData((data) => {
    const results = data.batch_results
    return Array.isArray(results) && results.length === 1 ? (results[0] as JsonObject) : data
  }),
)

rule('shape-expiration-offset', 'TRANSFORM-METADATA-02', 'the end of a token is the time of UTC with another offset', {
  shownMetadata: (original) => (token) => {
    const shown = original(token)
    return typeof shown.expiration_time === 'string' ? { ...shown, expiration_time: shown.expiration_time.replace('Z', '+02:00') } : shown
  },
})

const lowered =
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, params: Object.fromEntries(Object.entries(call.params).map(([name, value]) => [name, value.toLowerCase()])) })

route(
  'shape-role-name-folded',
  'TRANSFORM-ROLE-05',
  'names of roles are kept in lower case',
  [
    'transform.writeRole',
    'transform.readRole',
    'transform.deleteRole',
    ...CODING,
    'transform.validate',
    'transform.tokenized',
    'transform.metadata',
  ],
  lowered,
)

rule('shape-listed-names-encoded', 'TRANSFORM-ALPHABET-05', 'names of alphabets are percent-encoded in their list', {
  alphabetNames: (original) => (state) => original(state).map(encodeURIComponent),
})
