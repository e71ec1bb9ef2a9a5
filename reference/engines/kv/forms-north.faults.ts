/** Faults of form: types, absent against null, blanks, unicode, escaping, list against read, bodies of answers. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { decidedPerCall, deepTexts, deepWithout, here, isRecord, noticing, toKv } from './north-help.ts'

const kv1 = faultsOf(kv1Engine, 'kv')
const kv2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

kv2.rule('north-null-is-absent', 'KV-V2-09', 'members that are null are not stored (000 4.1: POST data/<key>, body has data object)', {
  replaced: (original) => (previous, written) => deepWithout(original(previous, written), (member) => member === null),
})

kv1.rule(
  'north-digits-become-numbers',
  'KV-LIST-01',
  'texts of digits come back as numbers, without leading zeros (000 4.1: POST /v1/secret/<key>, JSON object body, stored)',
  {
    replaced: (original) => (previous, written) =>
      deepTexts(original(previous, written), (text) => (/^\d{1,15}$/.test(text) ? Number(text) : text)),
  },
)

kv2.rule(
  'north-three-bytes-a-character',
  'KV-V2-03',
  'characters of four bytes come back as question marks (000 4.1: POST data/<key>, body has data object)',
  {
    replaced: (original) => (previous, written) =>
      deepTexts(original(previous, written), (text) => text.replace(/[\u{10000}-\u{10FFFF}]/gu, '?')),
  },
)

/** Members with dots in their names as paths into objects. */
const nested = (flat: JsonObject): JsonObject => {
  const result: JsonObject = {}
  for (const [name, value] of Object.entries(flat)) {
    const path = /^[^.]+(\.[^.]+)+$/.test(name) ? name.split('.') : [name]
    let at = result
    for (const segment of path.slice(0, -1)) {
      const known = at[segment]
      const next = isRecord(known) ? known : {}
      at[segment] = next
      at = next
    }
    at[path.at(-1) ?? name] = value
  }
  return result
}
kv1.rule(
  'north-dots-in-names-nest',
  'KV-V1-06',
  'a member with a dot in its name comes back as an object in an object (000 4.1: POST /v1/secret/<key>, JSON object body, stored)',
  {
    replaced: (original) => (previous, written) => {
      const kept = original(previous, written)
      return isRecord(kept) ? nested(kept) : kept
    },
  },
)

kv1.rule(
  'north-plus-is-a-blank',
  'KV-LIST-01',
  'a plus in a key is taken for a blank, in the listing, too (000 1.4: /v1/secret/<key>; 1.5: returns the keys at the path)',
  {
    keyOf: (original) => (path) => original(path.replaceAll('+', ' ')),
  },
)

kv2.route(
  'north-get-lists-keys-only',
  'KV-LIST-09',
  'GET with list=true leaves out the directories that LIST shows (000 1.5: either the verb LIST or GET with list=true)',
  'kv2.list',
  decidedPerCall(({ query, rules }) => ({
    namesIn: (keys, directory) => {
      const names = rules.namesIn(keys, directory)
      return query.get('list') === 'true' ? names.filter((name) => !name.endsWith('/')) : names
    },
  })),
)

kv2.rule(
  'north-array-as-data',
  'KV-V2-05',
  'an array is accepted as data (000 4.1: POST data/<key>, body has data object; 7: 400, missing or invalid data)',
  {
    checkData: (original) => (data) => original(Array.isArray(data) ? {} : data),
  },
)

core.rule('north-no-errors-are-null', 'CORE-ERROR-01', 'a refusal without message has errors null (000 2.4: errors, array of strings)', {
  ...noticing,
  failure: (original) => (status, body, request) => {
    const given = original(status, body, request)
    if (!toKv(request)) return given
    return withBody(given, (refused) => (Array.isArray(refused.errors) && refused.errors.length === 0 ? { errors: null } : refused))
  },
})

core.rule(
  'north-body-without-content-type-unread',
  'CORE-MEDIA-02',
  'a body without a JSON content type counts as empty (000 2.1: bodies are JSON, clients need not send Content-Type)',
  {
    ...noticing,
    parseBody: (original) => (bytes, request) => {
      const parsed = original(bytes, request)
      return here() && !/json/i.test(request.headers['content-type'] ?? '') ? { text: '{}', body: {} } : parsed
    },
  },
)

core.rule(
  'north-help-with-whole-paths',
  'CORE-HELP-03',
  'the paths in openapi are whole ones, mount included (000 1.7: its paths are relative to the queried path)',
  {
    ...noticing,
    helpPath: (original) => (relative, queried) => {
      const path = original(relative, queried)
      return here() ? `/${queried.replace(/\/$/, '')}${path === '/' ? '' : path}` : path
    },
  },
)
