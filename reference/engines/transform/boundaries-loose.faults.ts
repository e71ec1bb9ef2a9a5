/** Faults at the ends of ranges: none, one, many, the first, the last, and what is exactly at a limit or one beyond it. */
import { RE2JS } from 're2js'
import { invalid } from '../../core/errors.ts'
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

rule('tweak-filled-to-seven', [], 'a tweak of less than 7 bytes is filled up with zeros (001 8, tweak: 7 bytes before base64 encoding)', {
  tweakOf: (original) => (item) => {
    const bytes = bytesOf(item)
    return bytes.length > 0 && bytes.length < 7 ? Buffer.concat([bytes, Buffer.alloc(7 - bytes.length)]) : original(item)
  },
})

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

rule('filter-star-needs-one', [], 'a star of a filter stands for one character at least (001 4.4, LIST role: filter, glob on names)', {
  fits: () => (name, filter) => new RegExp(`^${literal(filter).replaceAll('\\*', '.+')}$`, 's').test(name),
})

rule(
  'filter-from-start-only',
  ['TRANSFORM-FILTER-07'],
  'a filter fits all names that begin with what it fits (001 4.4, LIST role: filter, glob on names)',
  {
    fits: () => (name, filter) => new RegExp(`^${literal(filter).replaceAll('\\*', '.*')}`, 's').test(name),
  },
)

rule('second-group-kept', [], 'only the first group is transformed (001 4.4, template: matches outside groups are retained)', {
  spansOf: (original) => (pattern, value) => original(pattern, value)?.slice(0, 1),
})

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

rule('one-character-unmasked', [], 'a single character is not masked (001 4.4, template: the group marks the characters transformed)', {
  masked: (original) => (text, character) => ([...text].length === 1 ? text : original(text, character)),
})

rule(
  'batch-of-one-unwrapped',
  ['TRANSFORM-BATCH-11'],
  'a batch with one item is answered without batch_results (001 4.4, encode: data.batch_results)',
  {
    batchResults: (original) => (results) => (results.length === 1 && results[0] ? results[0] : original(results)),
  },
)

rule('batch-of-100-at-most', [], 'items beyond the hundredth of a batch are left out (001 4.4, batch_input: array of objects)', {
  batchOf: (original) => (body) => original(body)?.slice(0, 100),
})

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

rule('max-ttl-without-ttl-anew', [], 'a token without ttl never ends, max_ttl or not (001 4.4, max_ttl: 0 = tokens may never expire)', {
  tokenTtl: (original) => (requested, maximum) => (requested === 0 ? 0 : original(requested, maximum)),
})

rule('ttl-above-max-taken', ['TRANSFORM-MAXTTL-03'], 'a ttl above max_ttl is taken as it is (001 4.4, tokenization: max_ttl)', {
  tokenTtl: (original) => (requested, maximum) => (requested > 0 ? requested : original(requested, maximum)),
})

rule('ttl-at-max-refused', [], 'a ttl that is exactly max_ttl is refused (001 4.4, max_ttl; encode: ttl)', {
  tokenTtl: (original) => (requested, maximum) => {
    if (maximum > 0 && requested >= maximum) throw invalid('ttl is above max_ttl')
    return original(requested, maximum)
  },
})

rule(
  'alphabet-cut-at-64',
  ['TRANSFORM-ALPHABET-01'],
  'an alphabet of more than 64 characters is cut (001 4.4, alphabet: string of characters)',
  {
    alphabetOf: (original) => (body, previous) => [...original(body, previous)].slice(0, 64).join(''),
  },
)

rule('template-list-of-30', [], 'a list shows 30 templates at most (001 4.4, LIST template: data.keys)', {
  templateNames: (original) => (state) => original(state).slice(0, 30),
})

rule(
  'role-list-of-100',
  ['TRANSFORM-FILTER-01', 'TRANSFORM-FILTER-07'],
  'a list looks at the first 100 roles only (001 4.4, LIST role: data.keys)',
  {
    roleNames: (original) => (state) => original(state).slice(0, 100),
  },
)

rule('allowed-roles-first-only', [], 'only the first of allowed_roles is allowed (001 4.4, allowed_roles: list)', {
  transformationAllows: (original) => (transformation, role) =>
    original({ ...transformation, allowedRoles: transformation.allowedRoles.slice(0, 1) }, role),
})

rule(
  'third-of-role-refused',
  ['TRANSFORM-ACCESS-08', 'TRANSFORM-ACCESS-13'],
  'a role may use the first two of its transformations only (001 4.4, role: transformations, list)',
  {
    roleAllows: (original) => (transformations, name) => original(transformations.slice(0, 2), name),
  },
)

rule('first-of-several-taken', [], 'without a name the first of several is taken (001 4.4, transformation: required when it has several)', {
  chosenName: (original) => (item, transformations) => original(item, transformations.slice(0, 1)),
})

rule(
  'metadata-first-pair-anew',
  ['TRANSFORM-BATCH-20'],
  'only the first pair of metadata is shown (001 4.4, metadata: string of key=value pairs)',
  {
    shownMetadata: (original) => (token) => original({ ...token, metadata: token.metadata.split(',')[0] ?? '' }),
  },
)

rule('metadata-cut-at-255', [], 'metadata are cut after 255 characters (001 4.4, metadata: string of key=value pairs)', {
  metadataOf: (original) => (item) => original(item).slice(0, 255),
})

rule(
  'long-value-cut',
  ['TRANSFORM-TOKEN-01', 'TRANSFORM-KEPT-04'],
  'a token keeps the first 1024 characters of its value (001 4.4, decode: data.decoded_value)',
  {
    sealed: (original) => (transformation, value, random) => original(transformation, value.slice(0, 1024), random),
  },
)

rule('one-session-too-many', [], 'a store opens one session more than it may (001 4.4, max_open_connections; 8, Store connections)', {
  poolLimits: (original) => (settings) => {
    const limits = original(settings)
    return { ...limits, open: limits.open + 1 }
  },
})

rule('idle-limit-ignored', [], 'as many sessions stay idle as may be open (001 4.4, max_idle_connections)', {
  poolLimits: (original) => (settings) => {
    const limits = original(settings)
    return { ...limits, idle: limits.open }
  },
})
