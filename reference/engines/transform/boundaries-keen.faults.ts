/** Faults at the edges: nothing, zero, the first and the last, many groups, long values, large numbers. */

import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { transformEngine } from './engine.ts'
import { withStore } from './keen-help.ts'

const { rule, route } = faultsOf(transformEngine, 'transform')

const MONTH = 32 * 86_400

rule(
  'keen-filter-halves-overlap',
  'TRANSFORM-FILTER-04',
  'what stands before and after a star may overlap in a name (001 4.4: LIST role, glob on names)',
  {
    fits: (original) => (name, filter) => {
      const [before = '', after, more] = filter.split('*')
      return original(name, filter) || (after !== undefined && more === undefined && name.startsWith(before) && name.endsWith(after))
    },
  },
)

rule(
  'keen-tokens-end-with-leases',
  'TRANSFORM-METADATA-02',
  'a ttl beyond 32 days, the longest lease, is cut to that (001 4.4: encode parameters, ttl)',
  {
    tokenTtl: (original) => (requested, maximum) => Math.min(original(requested, maximum), MONTH),
  },
)

rule(
  'keen-zero-max-ttl-is-no-update',
  'TRANSFORM-TOKENIZATION-03',
  'a max_ttl of 0 in an update keeps the one that was (001 4.4: tokenization, max_ttl 0)',
  {
    maxTtlOf: (original) => (body, kind, previous) =>
      original(Number.parseFloat(String(body.max_ttl ?? '')) === 0 ? { ...body, max_ttl: null } : body, kind, previous),
  },
)

rule(
  'keen-touching-groups',
  'TRANSFORM-TEMPLATE-19',
  'a capture group that follows another without a gap is left as it is (001 4.4: template, capture group)',
  {
    spansOf: (original) => (pattern, value) =>
      original(pattern, value)?.filter(([start], index, spans) => start > (spans[index - 1]?.[1] ?? -1)),
  },
)

rule(
  'keen-letters-in-a-byte',
  'TRANSFORM-FORMAT-04',
  'letters beyond the 256th of an alphabet are taken for earlier ones (001 1: encodes and decodes values)',
  {
    numeralsOf: (original) => (text, letters) => original(text, letters).map((numeral) => numeral % 256),
  },
)

const withoutZeros = (value: string): string => (/^\d+$/.test(value) ? BigInt(value).toString() : value)

rule(
  'keen-decoded-as-number',
  'TRANSFORM-TYPED-08',
  'a decoded value of digits only loses its leading zeros (001 4.4: decode, decoded_value)',
  {
    shownDecoded: (original) => (value) => original(withoutZeros(value)),
    shownDecodedItem: (original) => (value) => original(withoutZeros(value)),
  },
)

rule(
  'keen-eight-thousand-characters',
  'TRANSFORM-KEPT-04',
  'a token keeps the first 8192 characters of its value (001 4.4: decode, decoded_value)',
  {
    sealed: (original) => (transformation, value, random) => original(transformation, value.slice(0, 8192), random),
  },
)

route(
  'keen-sixty-four-tokens-looked-up',
  'TRANSFORM-BATCH-21',
  'of more than 64 tokens in a batch only the first 64 are found (001 4.4: decode and validate, batch_input)',
  ['transform.decode', 'transform.validate', 'transform.metadata'],
  (original) => (call) =>
    original(withStore(call, (store) => ({ byToken: (owner, digests) => store.byToken(owner, digests.slice(0, 64)) }))),
)

rule('keen-zero-tweak-is-missing', 'TRANSFORM-TWEAK-03', 'a tweak of seven zero bytes counts as missing (001 8: tweak, 7 bytes)', {
  tweakOf: (original) => (item) => {
    const bytes = original(item)
    if (bytes.every((byte) => byte === 0)) throw invalid('tweak is missing')
    return bytes
  },
})

rule(
  'keen-mask-of-thirty-two',
  'TRANSFORM-MASK-01',
  'at most 32 characters of a value are masked, the rest is dropped (001 4.4: template, characters transformed)',
  {
    masked: (original) => (text, character) => original([...text].slice(0, 32).join(''), character),
  },
)

rule(
  'keen-lifetime-in-minutes',
  'TRANSFORM-POOL-05',
  'a max_connection_lifetime below a minute counts as none (001 4.4: store parameters, max_connection_lifetime)',
  {
    poolLimits: (original) => (settings) => original({ ...settings, maxLifetime: Math.floor(settings.maxLifetime / 60) * 60 }),
  },
)
