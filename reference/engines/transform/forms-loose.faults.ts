/** Faults in forms: another route, an item against a scalar, absent against a default, types, case, blanks, escapes and unicode. */
import { faultsOf } from '../../mutations/declare.ts'
import { requestWithout } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'
import { CODING, requestItems } from './loose-wrappers.ts'
import { filled } from './sql-kind.ts'

const { rule, route } = faultsOf(transformEngine)

route(
  'older-path-drops-tweak-source',
  ['TRANSFORM-READ-04'],
  'transformation/:name leaves tweak_source out (001 4.4, POST transformation/:name: tweak_source)',
  'transform.writeTransformation',
  requestWithout('tweak_source'),
)

rule(
  'masking-text-whole',
  ['TRANSFORM-MASK-03'],
  'a masking_character of several is used as a whole (001 4.4, masking_character: first character only)',
  {
    maskingCharacterOf: (original) => (body, kind, previous) =>
      kind === 'masking' && typeof body.masking_character === 'string' ? body.masking_character || '*' : original(body, kind, previous),
  },
)

rule(
  'alphabet-in-code-units',
  ['TRANSFORM-ENCODE-01'],
  'characters beyond the basic plane are no letters (001 2.4, alphabet: string of characters)',
  {
    lettersOf: () => (alphabet) => alphabet.split(''),
  },
)

rule(
  'groups-in-code-units',
  ['TRANSFORM-TEMPLATE-19'],
  'characters beyond the basic plane count double in groups (001 4.4, template: the capture group)',
  {
    replacedIn: () => (value, spans, transform) => {
      const changed = [...transform(spans.map(([start, end]) => value.slice(start, end)).join(''))]
      let [result, last] = ['', 0]
      for (const [start, end] of spans) {
        result += value.slice(last, start) + changed.splice(0, end - start).join('')
        last = end
      }
      return result + value.slice(last)
    },
  },
)

rule(
  'token-value-normalised',
  ['TRANSFORM-TOKEN-01'],
  'a token keeps its value in a normal form of Unicode (001 4.4, decode: data.decoded_value)',
  {
    sealed: (original) => (transformation, value, random) => original(transformation, value.normalize('NFC'), random),
  },
)

rule(
  'metadata-second-equals',
  ['TRANSFORM-METADATA-01'],
  'what follows a second = in a pair of metadata is lost (001 4.4, metadata: a string)',
  {
    metadataOf: (original) => (item) =>
      original(item)
        .split(',')
        .map((pair) => pair.split('=').slice(0, 2).join('='))
        .join(','),
  },
)

rule('valid-false-left-out', ['TRANSFORM-TTL-03'], 'valid is absent where it is false (001 4.4, validate: returns data.valid (bool))', {
  shownValid: (original) => (valid) => (valid ? original(valid) : {}),
})

rule(
  'role-empty-list-null',
  ['TRANSFORM-ROLE-01', 'TRANSFORM-ROLE-03'],
  'the empty list of a role is shown as null (001 4.4, GET role: data.transformations; list, default [])',
  {
    shownRole: (original) => (transformations) => (transformations.length > 0 ? original(transformations) : { transformations: null }),
  },
)

rule(
  'alphabet-escaped',
  ['TRANSFORM-ALPHABET-01'],
  'an alphabet is shown with &, < and > escaped for HTML (001 4.4, GET alphabet: data.alphabet)',
  {
    shownAlphabet: (original) => (alphabet) => original(alphabet.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
  },
)

rule(
  'list-query-unfiltered',
  ['TRANSFORM-FILTER-07'],
  'filter does not count with GET and list=true (000 1.5: either; 001 4.4, LIST role: filter)',
  {
    filterOf: (original) => (query) => (query.get('list') === 'true' ? '*' : original(query)),
  },
)

route(
  'batch-takes-scalar-tweak',
  ['TRANSFORM-BATCH-17', 'TRANSFORM-BATCH-07'],
  'items of a batch without tweak take the scalar one (001 4.4, batch_input: the scalar tweak is ignored)',
  CODING,
  requestItems((items, body) => (body.tweak === undefined ? items : items.map((item) => ({ tweak: body.tweak ?? null, ...item })))),
)

rule(
  'store-password-as-is',
  ['TRANSFORM-KEPT-08'],
  'special characters in credentials break the connection (001 4.4, connection_string: slots)',
  {
    openedSession: (original) => (kind, settings, credentials) => {
      const connectionString = filled(settings.connectionString, credentials, (value) => value)
      return original(kind, { ...settings, connectionString }, credentials)
    },
  },
)
