/** Faults of form: the same by another route, batches against single values, absent against default, escaping, unicode. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData, requestWithout } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'

const { rule, route } = faultsOf(transformEngine, 'transform')

route(
  'north-filter-for-verb-list-only',
  'TRANSFORM-FILTER-03',
  'GET with list=true overlooks the filter (001 4.4: LIST role, optional filter; 000 1.5: either the verb LIST or GET with list=true)',
  'transform.listRoles',
  (original) => (call) => {
    if (call.query.get('list') !== 'true') return original(call)
    return original({ ...call, query: new URLSearchParams([...call.query].filter(([name]) => name !== 'filter')) })
  },
)

rule(
  'north-filter-ends-at-first-star',
  'TRANSFORM-FILTER-03',
  'what stands behind the first star of a filter does not count (001 4.4: filter, glob on names)',
  {
    fits: (original) => (name, filter) => original(name, filter.replace(/\*.*$/s, '*')),
  },
)

route(
  'north-masking-character-lost-on-older-path',
  'TRANSFORM-TYPED-14',
  'the older path masks with stars, whatever masking_character says (001 4.4: transformation/:name, masking_character)',
  'transform.writeTransformation',
  requestWithout('masking_character'),
)

rule(
  'north-metadata-values-end-at-equals-sign',
  'TRANSFORM-METADATA-01',
  'a value of metadata ends at an equals sign of its own (001 4.4: metadata, string of key=value pairs)',
  {
    metadataOf: (original) => (item) =>
      original(item)
        .split(',')
        .map((pair) => pair.split('=').slice(0, 2).join('='))
        .join(','),
  },
)

rule(
  'north-values-in-composed-form',
  'TRANSFORM-BATCH-21',
  'letters with combining marks come back composed, as another text (001 4.4: decode returns decoded_value of the value encoded)',
  { givenValue: (original) => (item) => original(item).normalize('NFC') },
)

rule(
  'north-alphabet-trimmed',
  'TRANSFORM-ALPHABET-01',
  'an alphabet loses a blank at its beginning or end (001 2.4: alphabet, string of characters)',
  {
    alphabetOf: (original) => (body, previous) => original(body, previous).trim(),
  },
)

rule(
  'north-pattern-read-escaped',
  'TRANSFORM-TEMPLATE-01',
  'a pattern is read with its backslashes and quotes escaped twice (001 4.4: GET template, data.pattern)',
  {
    shownTemplate: (original) => (template) => ({ ...original(template), pattern: JSON.stringify(template.pattern).slice(1, -1) }),
  },
)

rule(
  'north-user-filled-in-on-read',
  'TRANSFORM-STORE-01',
  'a store is read with its user name in place of the slot (001 4.4: GET store, connection_string; with template slots)',
  {
    shownStore: (original) => (settings) => {
      const connectionString = settings.connectionString.replaceAll(/\{\{\s*username\s*\}\}/g, () => settings.username)
      return original({ ...settings, connectionString })
    },
  },
)

rule(
  'north-group-without-capture-captures',
  'TRANSFORM-TEMPLATE-19',
  'what a group that captures nothing, (?:...), matches is transformed, too (001 4.4: the capture group marks; matches outside groups are retained)',
  { spansOf: (original) => (pattern, value) => original(pattern.replaceAll('(?:', '('), value) },
)

route(
  'north-batch-without-generated-tweaks',
  'TRANSFORM-BATCH-16',
  'a batch does not tell the tweaks that were generated for its items (001 4.4: generated, a tweak is returned and must be supplied back to decode)',
  'transform.encode',
  replyData((data) => {
    const { batch_results: results } = data
    if (!Array.isArray(results)) return data
    const bare = (results as JsonObject[]).map((result) => Object.fromEntries(Object.entries(result).filter(([name]) => name !== 'tweak')))
    return { ...data, batch_results: bare }
  }),
)
