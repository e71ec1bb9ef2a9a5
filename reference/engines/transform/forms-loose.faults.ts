/** Faults in forms: another route, an item against a scalar, absent against a default, types, case, blanks, escapes and unicode. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply, replyData, requestBody, requestWithout } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'
import { CODING, itemsOf, requestItems, withState, withTransformations } from './loose-wrappers.ts'
import { filled } from './sql-kind.ts'

const { rule, route } = faultsOf(transformEngine)
const core = faultsOf(coreEngine, 'transform')

route(
  'older-path-drops-tweak-source',
  ['TRANSFORM-READ-04'],
  'transformation/:name leaves tweak_source out (001 4.4, POST transformation/:name: tweak_source)',
  'transform.writeTransformation',
  requestWithout('tweak_source'),
)

route(
  'older-path-without-template',
  [],
  'transformation/:name makes a transformation without template (001 4.4, POST transformation/:name: template required)',
  'transform.writeTransformation',
  requestBody((body, call) => (call.state.transformations.has(call.params.name ?? '') ? body : { template: '', ...body })),
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

route(
  'template-by-folded-name',
  [],
  'coding finds templates whatever the case of their names, so that two become one (001 4.4, template/:name; transformation: template)',
  CODING,
  (original) => (call) => {
    const templates = new Map([...call.state.templates].map(([name, template]) => [name.toLowerCase(), template]))
    return original(
      withState(
        withTransformations(call, (known) => ({ ...known, template: known.template.toLowerCase() })),
        { templates },
      ),
    )
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

rule('masking-character-halved', [], 'a masking_character beyond the basic plane is cut in half (001 4.4: first character only)', {
  maskingCharacterOf: (original) => (body, kind, previous) => original(body, kind, previous).charAt(0),
})

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

rule('token-value-trimmed', [], 'a token loses the blanks at the ends of its value (001 4.4, decode: data.decoded_value)', {
  sealed: (original) => (transformation, value, random) => original(transformation, value.trim(), random),
})

rule(
  'token-value-normalised',
  ['TRANSFORM-TOKEN-01'],
  'a token keeps its value in a normal form of Unicode (001 4.4, decode: data.decoded_value)',
  {
    sealed: (original) => (transformation, value, random) => original(transformation, value.normalize('NFC'), random),
  },
)

rule('tokenized-folds-case', [], 'tokenized takes values that differ by case for one (001 4.4, tokenized: a plaintext)', {
  digestOf: (original) => (transformation, purpose, text) =>
    original(transformation, purpose, purpose === 'value' ? text.toLowerCase() : text),
})

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

const pairsOf = (metadata: string): JsonObject =>
  Object.fromEntries(metadata.split(',').map((pair) => [pair.split('=')[0], pair.split('=')[1] ?? '']))

route(
  'batch-metadata-object',
  [],
  'items of a batch show metadata as an object (001 4.4, metadata: string of key=value pairs)',
  'transform.metadata',
  replyData((data) => {
    const results = itemsOf(data, 'batch_results')?.map((item) =>
      typeof item.metadata === 'string' ? { ...item, metadata: pairsOf(item.metadata) } : item,
    )
    return results ? { ...data, batch_results: results } : data
  }),
)

rule('expiration-without-offset', [], 'expiration_time has no offset (001 4.4, expiration_time: ISO 8601 with offset)', {
  shownMetadata: (original) => (token) => {
    const shown = original(token)
    return typeof shown.expiration_time === 'string' ? { ...shown, expiration_time: shown.expiration_time.replace(/Z$/, '') } : shown
  },
})

rule('valid-false-left-out', ['TRANSFORM-TTL-03'], 'valid is absent where it is false (001 4.4, validate: returns data.valid (bool))', {
  shownValid: (original) => (valid) => (valid ? original(valid) : {}),
})

route(
  'batch-without-tweak',
  [],
  'items of a batch do not show their generated tweak (001 4.4, encode: tweak is returned; readings: in the answer or the batch item)',
  'transform.encode',
  replyData((data) => {
    const results = itemsOf(data, 'batch_results')?.map(({ tweak: _left, ...item }) => item)
    return results ? { ...data, batch_results: results } : data
  }),
)

rule(
  'role-empty-list-null',
  ['TRANSFORM-ROLE-01', 'TRANSFORM-ROLE-03'],
  'the empty list of a role is shown as null (001 4.4, GET role: data.transformations; list, default [])',
  {
    shownRole: (original) => (transformations) => (transformations.length > 0 ? original(transformations) : { transformations: null }),
  },
)

rule('default-tweak-source-hidden', [], 'tweak_source is not shown where it is the default (001 4.4, GET transformation)', {
  shownTransformation: (original) => (transformation) => {
    const { tweak_source: source, ...shown } = original(transformation)
    return source === undefined || source === 'supplied' ? shown : { ...shown, tweak_source: source }
  },
})

rule(
  'alphabet-escaped',
  ['TRANSFORM-ALPHABET-01'],
  'an alphabet is shown with &, < and > escaped for HTML (001 4.4, GET alphabet: data.alphabet)',
  {
    shownAlphabet: (original) => (alphabet) => original(alphabet.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
  },
)

rule('transformation-list-encoded', [], 'the list of transformations shows names percent-encoded (001 4.4, LIST: data.keys)', {
  transformationNames: (original) => (state) => original(state).map(encodeURIComponent),
})

rule(
  'list-query-unfiltered',
  ['TRANSFORM-FILTER-07'],
  'filter does not count with GET and list=true (000 1.5: either; 001 4.4, LIST role: filter)',
  {
    filterOf: (original) => (query) => (query.get('list') === 'true' ? '*' : original(query)),
  },
)

rule('filter-dot-any', [], 'a period of a filter stands for any character (001 4.4, LIST role: filter, glob on names)', {
  fits: () => (name, filter) => new RegExp(`^${filter.replace(/[+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's').test(name),
})

route(
  'batch-takes-scalar-tweak',
  ['TRANSFORM-BATCH-17', 'TRANSFORM-BATCH-07'],
  'items of a batch without tweak take the scalar one (001 4.4, batch_input: the scalar tweak is ignored)',
  CODING,
  requestItems((items, body) => (body.tweak === undefined ? items : items.map((item) => ({ tweak: body.tweak ?? null, ...item })))),
)

route(
  'batch-takes-scalar-metadata',
  [],
  'items of a batch without metadata take the scalar one (001 4.4, batch_input: each object carries its own; readings: metadata)',
  'transform.encode',
  requestItems((items, body) =>
    body.metadata === undefined ? items : items.map((item) => ({ metadata: body.metadata ?? null, ...item })),
  ),
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

route(
  'lease-duration-of-mount',
  [],
  'answers of encode carry the lease time of the mount (000 2.3, lease_duration: 0 when no lease)',
  'transform.encode',
  reply((given, call) => withBody(given, (body) => ({ ...body, lease_duration: call.mount.defaultLeaseTtl }))),
)

core.rule('put-encode-unknown', [], 'PUT on encode is an unknown method (000 1.6: PUT and POST are synonyms)', {
  callerRefused: (original) => (given, token, request) =>
    request.method === 'PUT' && /(^|\/)encode\/[^/]+$/.test(request.path) ? 405 : original(given, token, request),
})
