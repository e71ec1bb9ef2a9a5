/** Boundaries: one, two and many groups, items, names and characters, and values exactly at a limit. */
import { durationOf } from '../../core/durations.ts'
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import { requestItems } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)

// States: a tweak is seven bytes before base64.
rule(
  'sober-tweak-by-length-of-text',
  ['TRANSFORM-TWEAK-04', 'TRANSFORM-TWEAK-05'],
  'tweaks of eight and nine bytes are taken, for their base64 is as long as that of seven',
  {
    tweakOf: (original) => (item) => {
      const text = String(item.tweak ?? '')
      if (!/^[A-Za-z0-9+/]{11}[A-Za-z0-9+/=]$/.test(text)) return original(item)
      return Buffer.from(text, 'base64').subarray(0, 7)
    },
  },
)

// States: a batch is answered with batch_results, also where it has one item.
route(
  'sober-decode-batch-of-one',
  ['TRANSFORM-BATCH-11'],
  'a batch of one value is decoded as a single value',
  'transform.decode',
  (original) => {
    return replyData<TransformCall>((data) => {
      const [first, ...others] = Array.isArray(data.batch_results) ? (data.batch_results as JsonObject[]) : []
      if (first === undefined || others.length > 0 || first.error !== undefined) return data
      return { decoded_value: first.encoded_value ?? null }
    })(original)
  },
)

// States: max_ttl is the longest that a token may live; a ttl as long as that is within it.
rule('sober-ttl-at-maximum-refused', ['TRANSFORM-MAXTTL-04'], 'a ttl that equals max_ttl is refused', {
  tokenTtl: (original) => (requested, maximum) => {
    if (maximum > 0 && requested === maximum) throw invalid('ttl must be less than max_ttl')
    return original(requested, maximum)
  },
})

// States: no token outlives the max_ttl of its transformation; a ttl of 0 is the default.
rule(
  'sober-zero-ttl-for-ever',
  ['TRANSFORM-MAXTTL-02'],
  'a ttl of 0 that is sent makes a token that never expires, whatever max_ttl says',
  {
    requestedTtl: (original) => (item) => (item.ttl !== undefined && item.ttl !== null && original(item) === 0 ? -1 : original(item)),
    tokenTtl: (original) => (requested, maximum) => (requested < 0 ? 0 : original(requested, maximum)),
  },
)

// States: decoding gives the value that was encoded.
rule('sober-leading-zeros-lost', ['TRANSFORM-TYPED-08'], 'a decoded value of digits loses the zeros that it begins with', {
  shownDecoded: (original) => (value) => original(value.replace(/^0+(?=\d+$)/, '')),
  shownDecodedItem: (original) => (value) => original(value.replace(/^0+(?=\d+$)/, '')),
})

// States: a transformation has to be named where the role has several, and each item of a batch carries its own.
route(
  'sober-item-inherits-transformation',
  ['TRANSFORM-BATCH-03'],
  'an item without a transformation takes that of the item before it',
  'transform.encode',
  (original) => {
    return (call) => {
      let last: JsonObject[string] | undefined
      return requestItems((item) => {
        last = item.transformation ?? last
        return last === undefined ? item : { ...item, transformation: last }
      })(original)(call)
    }
  },
)

// States: decoding gives the value that was encoded, of whatever length.
rule(
  'sober-odd-length-decoded-wrong',
  ['TRANSFORM-FORMAT-04'],
  'values with an odd number of marked characters are decoded to something else',
  {
    cipher: (original) => (key) => {
      const { encrypt, decrypt } = original(key)
      return {
        encrypt,
        decrypt(numerals, radix, tweak) {
          const half = Math.floor(numerals.length / 2)
          const swapped = [...numerals.slice(-half), ...numerals.slice(0, -half)]
          return decrypt(numerals.length % 2 === 0 ? numerals : swapped, radix, tweak)
        },
      }
    },
  },
)

// States: metadata is returned as the key=value pairs that were sent, all of them.
rule('sober-third-pair-of-metadata', ['TRANSFORM-METADATA-01'], 'pairs of metadata after the second are not kept', {
  metadataOf: (original) => (item) => original(item).split(',', 2).join(','),
})

// States: an alphabet is any string of characters; two of them make one.
rule('sober-alphabet-of-two-refused', ['TRANSFORM-ENCODE-01'], 'values over an alphabet of two characters cannot be transformed', {
  numeralsOf: (original) => (text, letters) => {
    if (letters.length <= 2) throw invalid('the alphabet is too short')
    return original(text, letters)
  },
})

// States: a role may use each of its transformations, the last one, too.
rule(
  'sober-last-of-three-not-allowed',
  ['TRANSFORM-ACCESS-08', 'TRANSFORM-ACCESS-13'],
  'of three transformations or more a role may not use the last',
  {
    roleAllows: (original) => (transformations, name) =>
      original(transformations.length > 2 ? transformations.slice(0, -1) : transformations, name),
  },
)

// States: max_ttl ends tokens; a duration below a minute is a duration.
rule('sober-max-ttl-below-a-minute', ['TRANSFORM-MAXTTL-02', 'TRANSFORM-MAXTTL-03'], 'a max_ttl of less than a minute is kept as none', {
  maxTtlOf: (original) => (body, kind, previous) => {
    const seconds = original(body, kind, previous)
    return durationOf(body.max_ttl, 'max_ttl', 60) < 60 ? Math.floor(seconds / 60) * 60 : seconds
  },
})
