/** Faults in which the same thing looks different by another route, or does not come back as it was sent. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Json, mapNumbers } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply } from '../../mutations/wrappers.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { isObject, mapped, mappedMembers, mappedTexts } from './loose-words.ts'

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

v1.rule(
  'form-keys-trimmed',
  ['CORE-CAP-03', 'CORE-CAP-11'],
  'blanks at the ends of a key are dropped, so that two keys share an object (000 1.4, /v1/secret/<key>)',
  {
    keyOf: (original) => (path) => original(path).trim(),
  },
)

v2.route(
  'form-destroy-lower-case',
  ['KV-V2-10'],
  'destroy/ looks for its key in lower case, so that nothing happens to a key with capitals (000 1.8, destroy removes versions)',
  'kv2.destroyVersions',
  (original) => (call) => original({ ...call, params: { ...call.params, path: (call.params.path ?? '').toLowerCase() } }),
)

v2.rule(
  'form-plus-is-blank',
  ['CORE-CAP-03', 'CORE-CAP-11'],
  'a plus sign in a key counts as a blank, so that `a+b` is listed as `a b` and is one with it (000 1.4 and 1.5)',
  {
    keyOf: (original) => (path) => original(path).replaceAll('+', ' '),
  },
)

v1.rule(
  'form-values-trimmed',
  ['KV-V1-06'],
  'blanks and line ends at the ends of stored texts are dropped (000 4.1, JSON object body; stored)',
  {
    replaced: (original) => (previous, written) => mappedTexts(original(previous, written), (text) => text.trim()),
  },
)

v2.rule(
  'form-nulls-lost',
  ['KV-V2-09'],
  'members whose value is null are not there when the data is read (000 4.1, body has data object, stored)',
  {
    replaced: (original) => (previous, written) => mappedMembers(original(previous, written), (member) => member !== null),
  },
)

v1.rule(
  'form-nulls-as-texts',
  ['CORE-CAP-07'],
  'a null inside of a stored object comes back as the empty text (000 4.1, JSON object body; stored)',
  {
    replaced: (original) => (previous, written) => mapped(original(previous, written), (inner) => (inner === null ? '' : inner)),
  },
)

v2.rule(
  'form-words-as-booleans',
  ['KV-V2-03'],
  'the texts "true" and "false" come back as booleans (000 4.1, body has data object, stored)',
  {
    replaced: (original) => (previous, written) =>
      mappedTexts(original(previous, written), (text) => (/^(true|false)$/.test(text) ? text === 'true' : text)),
  },
)

v1.rule(
  'form-values-escaped',
  ['KV-V1-06'],
  'the signs <, > and & in stored texts come back escaped for HTML (000 4.1, JSON object body; stored)',
  {
    shown: (original) => (stored, defaultTtl) => {
      const escapes: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' }
      return original(
        mappedTexts(stored, (text) => text.replaceAll(/[<>&]/g, (sign) => escapes[sign] ?? sign)),
        defaultTtl,
      )
    },
  },
)

v2.rule('form-member-names-lower-case', ['KV-V2-03'], 'names of members come back in lower case (000 4.1, body has data object, stored)', {
  replaced: (original) => (previous, written) =>
    mapped(original(previous, written), (inner) =>
      isObject(inner) ? Object.fromEntries(Object.entries(inner).map(([name, member]) => [name.toLowerCase(), member])) : inner,
    ),
})

v2.route(
  'form-list-lease-null',
  ['CORE-ENV-10', 'CORE-ENV-03'],
  'listings of version 2 show null as lease_id (000 2.3, empty string when no lease)',
  'kv2.list',
  reply((given) => withBody(given, (body) => ({ ...body, lease_id: null }))),
)

core.rule(
  'form-help-paths-whole',
  ['CORE-HELP-03'],
  'the paths in openapi begin with the queried path (000 1.7, its paths are relative to the queried path)',
  {
    helpPath: (original) => (relative, queried) =>
      /^(sys|auth)(\/|$)/.test(queried) ? original(relative, queried) : `/${queried}${original(relative, queried)}`,
  },
)

v1.rule(
  'form-beyond-basic-plane',
  ['KV-V1-06'],
  'characters beyond the basic plane come back as question marks (000 4.1, JSON object body; stored)',
  {
    replaced: (original) => (previous, written) =>
      mappedTexts(original(previous, written), (text) => text.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '?')),
  },
)

const unsigned = (value: Json): Json => mapNumbers(value, (text) => text.replace(/^-(?=\d+$)/, ''))

v2.rule(
  'form-signs-in-lists-lost',
  ['KV-V2-29'],
  'negative whole numbers inside of lists come back positive (000 4.1, body has data object, stored)',
  {
    replaced: (original) => (previous, written) =>
      mapped(original(previous, written), (inner) => (Array.isArray(inner) ? unsigned(inner) : inner)),
  },
)
