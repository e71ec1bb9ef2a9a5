/** Faults at boundaries: none, one, many, first, last, exactly at the limit, long. */
import { faultsOf } from '../../mutations/declare.ts'
import { transformEngine } from './engine.ts'
import { withResults } from './plain-help.ts'

const { rule, route } = faultsOf(transformEngine, 'transform')

rule('plain-tweak-last-byte', 'TRANSFORM-BATCH-16', 'the last byte of a tweak does not matter (001 4.4: tweak, base64 of 7 bytes)', {
  tweakOf: (original) => (item) => Uint8Array.from([...original(item).subarray(0, 6), 0]),
})

rule(
  'plain-tweak-cut-to-seven',
  'TRANSFORM-TWEAK-04',
  'a longer tweak is cut to seven bytes instead of being refused (001 8: transform tweak, 7 bytes)',
  {
    tweakOf: (original) => (item) => {
      const bytes = Buffer.from(typeof item.tweak === 'string' ? item.tweak : '', 'base64')
      return bytes.length > 7 ? Uint8Array.from(bytes.subarray(0, 7)) : original(item)
    },
  },
)

rule(
  'plain-masking-text-repeated',
  'TRANSFORM-MASK-03',
  'all characters of masking_character are repeated (001 4.4: first character only)',
  {
    maskingCharacterOf: (original) => (body, kind, previous) => {
      const first = original(body, kind, previous)
      return kind === 'masking' && typeof body.masking_character === 'string' && body.masking_character !== ''
        ? body.masking_character
        : first
    },
  },
)

rule(
  'plain-last-four-unmasked',
  'TRANSFORM-MASKING-01',
  'the last four of more than twelve characters stay readable (001 4.4: the group marks what is transformed)',
  {
    masked: (original) => (text, character) => {
      const letters = [...text]
      return letters.length > 12
        ? original(letters.slice(0, -4).join(''), character) + letters.slice(-4).join('')
        : original(text, character)
    },
  },
)

rule(
  'plain-no-ttl-no-maximum',
  'TRANSFORM-MAXTTL-02',
  'a token without ttl never ends, whatever max_ttl says (001 4.4: max_ttl, 0 = tokens may never expire)',
  {
    tokenTtl: (original) => (requested, maximum) => (requested === 0 ? 0 : original(requested, maximum)),
  },
)

rule(
  'plain-one-connection-more',
  'TRANSFORM-POOL-01',
  'one connection more than allowed is opened under load (001 4.4: max_open_connections)',
  {
    poolLimits: (original) => (settings) => {
      const limits = original(settings)
      return { ...limits, open: limits.open + 1 }
    },
  },
)

rule(
  'plain-alphabet-of-36',
  'TRANSFORM-ENCODE-01',
  'only the first 36 characters of an alphabet count (001 2.4: alphabet, string of characters)',
  {
    lettersOf: (original) => (alphabet) => original(alphabet).slice(0, 36),
  },
)

rule(
  'plain-empty-list-keeps',
  'TRANSFORM-ROLE-02',
  'an update of a role to no transformations changes nothing (001 4.4: transformations, creates or updates)',
  {
    roleOf: (original) => (body, previous) => {
      const names = original(body, previous)
      return names.length === 0 ? (previous ?? []) : names
    },
  },
)

rule(
  'plain-value-of-255',
  'TRANSFORM-KEPT-04',
  'a token keeps the first 255 characters of its value only (001 4.4: decode returns the value)',
  {
    sealed: (original) => (transformation, value, random) => original(transformation, value.slice(0, 255), random),
  },
)

route(
  'plain-last-chunk-lost',
  'TRANSFORM-BATCH-21',
  'of a batch of more than ten items the last incomplete ten are not answered (001 4.4: decode, batch_results)',
  'transform.decode',
  (original) => async (call) =>
    withResults(await original(call), (results) =>
      results.length > 10 ? results.slice(0, Math.floor(results.length / 10) * 10) : results,
    ),
)
