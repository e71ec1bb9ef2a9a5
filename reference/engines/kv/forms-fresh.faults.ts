/** The same thing in another form: types, blanks, escapes, names of members, verbs, header against path. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Call } from '../../core/engine.ts'
import { ApiError } from '../../core/errors.ts'
import { type Json, type JsonObject, parseExact } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply, replyData } from '../../mutations/wrappers.ts'
import type { Kv1Rules } from './kv1.rules.ts'
import { type Kv1State, kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import type { Kv2Call } from './kv2-data.ts'

type Kv1Call = Call<Kv1State, Kv1Rules>

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

/** Exact numbers are objects as well, but no plain ones. */
const isPlain = (value: Json | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype

/** A value with each of its texts changed, and each of its lists. */
const changed = (value: Json, text: (text: string) => Json, list: (items: Json[]) => Json[] = (items) => items): Json => {
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) return list(value).map((item) => changed(item, text, list))
  return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, changed(member, text, list)])) : value
}

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** `{"a.b": 1}` as `{"a": {"b": 1}}`. */
const unflattened = (object: JsonObject): JsonObject => {
  const members = new Map<string, Json>()
  for (const [name, value] of Object.entries(object)) {
    const dot = name.indexOf('.')
    const head = name.slice(0, dot)
    const before = members.get(head)
    if (dot <= 0) members.set(name, value)
    else members.set(head, { ...(isPlain(before) ? before : {}), [name.slice(dot + 1)]: value })
  }
  return Object.fromEntries(members)
}

v1.rule('fresh-v1-null-items-dropped', ['KV-V1-06'], 'null inside lists is left out (000 4.1: JSON object body; stored)', {
  replaced: (original) => (previous, written) =>
    changed(
      original(previous, written),
      (text) => text,
      (items) => items.filter((item) => item !== null),
    ),
})

v1.rule(
  'fresh-v1-texts-trimmed',
  ['KV-V1-06'],
  'blanks and line ends around a text value are cut off (000 4.1: JSON object body; stored)',
  {
    replaced: (original) => (previous, written) => changed(original(previous, written), (text) => text.trim()),
  },
)

v1.rule(
  'fresh-v1-key-decoded-twice',
  ['KV-LIST-01'],
  'keys are percent-decoded twice: the key `a%2Fb` is the key `a/b` (000 1.4: written with POST on the same path; 1.5: keys at the path)',
  { keyOf: (original) => (path) => decoded(original(path)) },
)

v1.route(
  'fresh-v1-get-list-full-paths',
  ['CORE-LIST-02'],
  'a listing by GET with `list=true` shows names with their directory in front, LIST without (000 1.5: either verb, keys at the path)',
  'kv1.list',
  replyData<Kv1Call>((data, { params, query }) => {
    if (query.get('list') !== 'true' || !params.directory) return data
    return { ...data, keys: (data.keys as string[]).map((name) => `${params.directory}/${name}`) }
  }),
)

core.rule(
  'fresh-put-not-for-versions',
  ['CORE-WRITE-01'],
  'PUT on `delete/`, `undelete/` and `destroy/` is answered with 405 (000 1.6: PUT and POST are synonyms)',
  {
    parseBody: (original) => (bytes, request) => {
      if (request.method === 'PUT' && /(^|\/)(delete|undelete|destroy)\//.test(request.path))
        throw new ApiError(405, 'unsupported operation')
      return original(bytes, request)
    },
  },
)

v2.rule(
  'fresh-list-names-encoded',
  ['CORE-CAP-11'],
  'a listing shows names percent-encoded: `a b` as `a%20b`, `ü` as `%C3%BC` (000 1.5: returns the keys at the path)',
  { namesIn: (original) => (keys, directory) => original(keys, directory).map(encodeURI) },
)

v2.rule(
  'fresh-dotted-members-nested',
  ['KV-V2-03'],
  'a member `a.b` of the data is stored as a member `b` of an object `a` (000 4.1: body has `data` object, stored)',
  {
    replaced: (original) => (previous, written) => {
      const stored = original(previous, written)
      return isPlain(stored) ? unflattened(stored) : stored
    },
  },
)

v2.rule(
  'fresh-proto-member-lost',
  ['KV-V2-03'],
  'a member of the data that is called `__proto__` is not stored (000 4.1: body has `data` object, stored)',
  {
    replaced: (original) => (previous, written) => {
      const stored = original(previous, written)
      return isPlain(stored) ? Object.fromEntries(Object.entries(stored).filter(([name]) => name !== '__proto__')) : stored
    },
  },
)

v2.rule(
  'fresh-texts-typed',
  ['KV-V2-03'],
  'the texts "true", "false" and whole numbers in quotes are stored as booleans and numbers (000 4.1: body has `data` object, stored)',
  {
    replaced: (original) => (previous, written) =>
      changed(original(previous, written), (text) => (/^(true|false|0|-?[1-9]\d*)$/.test(text) ? parseExact(text) : text)),
  },
)

core.rule(
  'fresh-help-relative-to-mount',
  ['CORE-HELP-03'],
  'below a mount, as at `secret/data?help=1`, the paths of `openapi` are relative to the mount (000 1.7: relative to the queried path)',
  { helpPath: (original) => (relative, queried) => queried.replace(/^[^/]*/, '').replace(/\/$/, '') + original(relative, queried) },
)

core.rule(
  'fresh-child-namespace-in-path',
  ['CORE-NS-02'],
  'with the header `ns1/` a path `ns2/secret/foo` is not looked up in `ns1/ns2/` (000 2.2: equivalent to the header `ns1/ns2/`)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) => {
      const named = (header ?? '').split('/').filter((segment) => segment !== '')
      const own = `${named.join('/')}/`
      return namespaces.includes(own) ? own : original(effectivePath, namespaces, header)
    },
  },
)

v2.route(
  'fresh-list-lease-id-null',
  ['CORE-ENV-10'],
  'a listing shows `lease_id` as null (000 2.3: empty string when no lease)',
  'kv2.list',
  reply<Kv2Call>((given) => withBody(given, (body) => ({ ...body, lease_id: null }))),
)
