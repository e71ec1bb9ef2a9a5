/** Faults at the edges of values, alphabets, tweaks, times and lists. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { transformEngine } from './engine.ts'
import { byRules } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)

rule(
  'boundary-alphabet-code-units',
  ['TRANSFORM-FORMAT-04', 'TRANSFORM-ENCODE-01'],
  'characters beyond 16 bits of an alphabet are torn apart (001 2.4, alphabet of characters)',
  {
    lettersOf: () => (alphabet) => alphabet.split(''),
  },
)

rule(
  'boundary-alphabet-last-letter',
  ['TRANSFORM-FORMAT-04', 'TRANSFORM-BATCH-16'],
  'the last character of an alphabet is not part of it (001 4.4, alphabet)',
  {
    lettersOf: (original) => (alphabet) => original(alphabet).slice(0, -1),
  },
)

rule('boundary-tweak-zeros', ['TRANSFORM-TWEAK-03'], 'a tweak of zeros is taken for a missing one (001 4.4, tweak)', {
  tweakOf: (original) => (item) => {
    const tweak = original(item)
    if (tweak.every((byte) => byte === 0)) throw invalid('tweak is missing')
    return tweak
  },
})

rule(
  'boundary-tweak-last-byte',
  ['TRANSFORM-FORMAT-06', 'TRANSFORM-BATCH-16'],
  'the last byte of a tweak makes no difference (001 8, 7 bytes)',
  {
    tweakOf: (original) => (item) => Uint8Array.of(...original(item).slice(0, 6), 0),
  },
)

rule(
  'boundary-tweak-plus',
  ['TRANSFORM-TWEAK-03', 'TRANSFORM-FPE-07'],
  'tweaks whose base64 holds a plus or a slash are refused (001 4.4, base64)',
  {
    tweakOf: (original) => (item) => {
      if (/[+/]/.test(String(item.tweak))) throw invalid('tweak must be base64 of 7 bytes')
      return original(item)
    },
  },
)

rule('boundary-ttl-at-max', ['TRANSFORM-MAXTTL-04'], 'a ttl equal to max_ttl is refused (001 4.4, max_ttl)', {
  tokenTtl: (original) => (requested, maximum) => {
    if (maximum > 0 && requested >= maximum) throw invalid('ttl is above max_ttl')
    return original(requested, maximum)
  },
})

rule('boundary-ttl-whole-minutes', ['TRANSFORM-TTL-02'], 'tokens end at whole minutes only: a ttl is rounded up (001 4.4, ttl)', {
  tokenTtl: (original) => (requested, maximum) => Math.ceil(original(requested, maximum) / 60) * 60,
})

rule('boundary-ttl-digits', ['TRANSFORM-TTL-07'], 'a ttl of digits without a unit is no time limit (001 4.4, ttl duration)', {
  requestedTtl: (original) => (item) => (typeof item.ttl === 'string' && /^\d+$/.test(item.ttl) ? 0 : original(item)),
})

rule('boundary-max-ttl-hours', ['TRANSFORM-MAXTTL-02'], 'hours of max_ttl count as minutes (001 4.4, max_ttl duration)', {
  maxTtlOf: (original) => (body, kind, previous) => {
    const seconds = original(body, kind, previous)
    return typeof body.max_ttl === 'string' && body.max_ttl.endsWith('h') ? seconds / 60 : seconds
  },
})

rule('boundary-batch-of-one', ['TRANSFORM-BATCH-11'], 'a batch of one item is answered as a single value (001 4.4, batch_results)', {
  batchResults: (original) => (results) => (results.length === 1 ? results[0]! : original(results)),
})

rule(
  'boundary-batch-beyond-twenty',
  ['TRANSFORM-BATCH-11', 'TRANSFORM-KEPT-01'],
  'items of a batch beyond the twentieth are left out (001 4.4, batch_input)',
  {
    batchOf: (original) => (body) => original(body)?.slice(0, 20),
  },
)

rule('boundary-long-value', ['TRANSFORM-TOKEN-01'], 'values beyond 255 characters are cut when they are tokenized (001 4.4, value)', {
  sealed: (original) => (transformation, value, random) => original(transformation, value.slice(0, 255), random),
})

rule('boundary-optional-group', ['TRANSFORM-ENCODE-01'], 'a value in which a group takes no part does not match (001 4.4, pattern)', {
  spansOf: (original) => (pattern, value) => {
    const spans = original(pattern, value)
    const groups = pattern.replace(/\\./g, '').match(/\((?!\?)/g)?.length ?? 0
    return spans !== undefined && spans.length < groups ? undefined : spans
  },
})

rule(
  'boundary-third-transformation',
  ['TRANSFORM-ACCESS-13'],
  'a role may use the first two of its transformations only (001 4.4, transformations list)',
  {
    roleAllows: (original) => (transformations, name) => original(transformations.slice(0, 2), name),
  },
)

rule(
  'boundary-filter-middle',
  ['TRANSFORM-FILTER-04', 'TRANSFORM-FILTER-03'],
  'what follows a star in a filter is not looked at (001 4.4, glob on names)',
  {
    fits: (original) => (name, filter) => original(name, filter.includes('*') ? `${filter.slice(0, filter.indexOf('*'))}*` : filter),
  },
)

const OTHERS = /[+?^${}()|[\]\\]/g

rule('boundary-filter-point', ['TRANSFORM-FILTER-06'], 'a point in a filter stands for any character (001 4.4, glob on names)', {
  fits: () => (name, filter) => new RegExp(`^${filter.replace(OTHERS, '\\$&').replace(/\*+/g, '.*')}$`, 's').test(name),
})

rule('boundary-metadata-third', ['TRANSFORM-METADATA-01'], 'of metadata only the first two pairs are kept (001 4.4, metadata)', {
  metadataOf: (original) => (item) => original(item).split(',').slice(0, 2).join(','),
})

rule('boundary-leading-zero', ['TRANSFORM-FORMAT-01'], 'digits that are encoded lose their leading zeros (001 4.4, format)', {
  shownEncoded: (original) => (value) => original(/^0\d+$/.test(value) ? value.replace(/^0+(?=\d)/, '') : value),
})

rule('boundary-value-trimmed', ['TRANSFORM-TOKEN-01'], 'white space around a value is not part of it (001 4.4, value)', {
  givenValue: (original) => (item) => original(item).trim(),
})

rule('boundary-value-normalised', ['TRANSFORM-TOKEN-01'], 'values are put in normal form before they become tokens (001 4.4, decode)', {
  sealed: (original) => (transformation, value, random) => original(transformation, value.normalize('NFC'), random),
})

route(
  'boundary-tokenized-any-case',
  ['TRANSFORM-TOKENIZED-02'],
  'upper and lower case are one to the question whether a value is tokenized (001 4.4, tokenized)',
  ['transform.encode', 'transform.tokenized'],
  byRules(({ digestOf }) => ({
    digestOf: (transformation, purpose, text) => digestOf(transformation, purpose, purpose === 'value' ? text.toLowerCase() : text),
  })),
)
