/** Faults at the ends of ranges: none, one, many, the first, the last, and what is exactly at a limit or one beyond it. */
import { RE2JS } from 're2js'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { transformEngine } from './engine.ts'

const { rule } = faultsOf(transformEngine)

const bytesOf = (item: JsonObject): Buffer => Buffer.from(typeof item.tweak === 'string' ? item.tweak : '', 'base64')

rule(
  'tweak-cut-to-seven',
  ['TRANSFORM-TWEAK-04', 'TRANSFORM-TWEAK-05'],
  'a tweak of more than 7 bytes is cut to its first 7 (001 8, tweak: 7 bytes before base64 encoding)',
  {
    tweakOf: (original) => (item) => (bytesOf(item).length > 7 ? bytesOf(item).subarray(0, 7) : original(item)),
  },
)

const ESCAPED = /[.*+?^${}()|[\]\\]/g
const literal = (text: string): string => text.replace(ESCAPED, '\\$&')

rule(
  'filter-first-star-only',
  ['TRANSFORM-FILTER-04'],
  'only the first star of a filter is a wildcard (001 4.4, LIST role: filter, glob on names)',
  {
    fits: () => (name, filter) => new RegExp(`^${literal(filter).replace('\\*', '.*')}$`, 's').test(name),
  },
)

rule(
  'filter-from-start-only',
  ['TRANSFORM-FILTER-07'],
  'a filter fits all names that begin with what it fits (001 4.4, LIST role: filter, glob on names)',
  {
    fits: () => (name, filter) => new RegExp(`^${literal(filter).replaceAll('\\*', '.*')}`, 's').test(name),
  },
)

rule(
  'absent-group-refused',
  ['TRANSFORM-TEMPLATE-19'],
  'a value is refused where an optional group takes no part (001 4.4, template: the pattern)',
  {
    spansOf: (original) => (pattern, value) => {
      const matcher = RE2JS.compile(pattern).matcher(value)
      if (!matcher.matches()) return undefined
      for (let group = 1; group <= matcher.groupCount(); group += 1) if (matcher.start(group) < 0) return undefined
      return original(pattern, value)
    },
  },
)

rule(
  'batch-of-one-unwrapped',
  ['TRANSFORM-BATCH-11'],
  'a batch with one item is answered without batch_results (001 4.4, encode: data.batch_results)',
  {
    batchResults: (original) => (results) => (results.length === 1 && results[0] ? results[0] : original(results)),
  },
)

rule(
  'batch-equal-items-merged',
  ['TRANSFORM-BATCH-16'],
  'equal items of a batch get one result together (001 4.4, data.batch_results: array of objects)',
  {
    batchOf: (original) => (body) => {
      const items = original(body)
      return items && [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
    },
  },
)

rule('ttl-above-max-taken', ['TRANSFORM-MAXTTL-03'], 'a ttl above max_ttl is taken as it is (001 4.4, tokenization: max_ttl)', {
  tokenTtl: (original) => (requested, maximum) => (requested > 0 ? requested : original(requested, maximum)),
})

rule(
  'alphabet-cut-at-64',
  ['TRANSFORM-ALPHABET-01'],
  'an alphabet of more than 64 characters is cut (001 4.4, alphabet: string of characters)',
  {
    alphabetOf: (original) => (body, previous) => [...original(body, previous)].slice(0, 64).join(''),
  },
)

rule('role-list-of-100', ['TRANSFORM-ROLE-05'], 'a list looks at the first 100 roles only (001 4.4, LIST role: data.keys)', {
  roleNames: (original) => (state) => original(state).slice(0, 100),
})

rule(
  'third-of-role-refused',
  ['TRANSFORM-ACCESS-08', 'TRANSFORM-ACCESS-13'],
  'a role may use the first two of its transformations only (001 4.4, role: transformations, list)',
  {
    roleAllows: (original) => (transformations, name) => original(transformations.slice(0, 2), name),
  },
)

rule(
  'metadata-first-pair-anew',
  ['TRANSFORM-BATCH-20'],
  'only the first pair of metadata is shown (001 4.4, metadata: string of key=value pairs)',
  {
    shownMetadata: (original) => (token) => original({ ...token, metadata: token.metadata.split(',')[0] ?? '' }),
  },
)

rule(
  'long-value-cut',
  ['TRANSFORM-TOKEN-01', 'TRANSFORM-KEPT-04'],
  'a token keeps the first 1024 characters of its value (001 4.4, decode: data.decoded_value)',
  {
    sealed: (original) => (transformation, value, random) => original(transformation, value.slice(0, 1024), random),
  },
)
