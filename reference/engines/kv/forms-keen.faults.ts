/** Faults in forms: keys and values that come back otherwise written, and the same thing that differs by verb or route. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Json, type JsonObject, parseExact, stringify } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { type Kv1State, kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

/** Exact numbers are objects of their own kind. */
const isPlain = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** The value with every leaf changed: texts, truth values, nulls and exact numbers. */
const mapLeaves = (value: Json, change: (leaf: Json, inArray: boolean) => Json, inArray = false): Json => {
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, change, true))
  if (!isPlain(value)) return change(value, inArray)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapLeaves(member, change)]))
}

const mapTexts = (value: Json, change: (text: string) => string): Json =>
  mapLeaves(value, (leaf) => (typeof leaf === 'string' ? change(leaf) : leaf))

const withoutNulls = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isPlain(value)) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]))
}

const isExactNumber = (value: Json): boolean => typeof value === 'object' && value !== null && !Array.isArray(value) && !isPlain(value)

v1.rule(
  'keen-plus-is-blank',
  ['KV-LIST-01'],
  'a plus sign in a v1 key is taken for a blank, as in forms (000 1.5: a listing returns the keys at the path)',
  {
    keyOf: (original) => (path) => original(path).replaceAll('+', ' '),
  },
)

v1.rule(
  'keen-texts-trimmed',
  ['KV-V1-06'],
  'blanks and line ends around the texts of a v1 object are cut off (000 4.1, POST: JSON object body; stored)',
  {
    replaced: (original) => (previous, written) =>
      original(
        previous,
        mapTexts(written, (text) => text.trim()),
      ),
  },
)

v2.rule(
  'keen-ampersands-escaped',
  ['KV-V2-03'],
  'ampersands and angle brackets in v2 texts are kept as character references (000 4.1, POST data/<key>)',
  {
    replaced: (original) => (previous, written) =>
      original(
        previous,
        mapTexts(written, (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
      ),
  },
)

v2.rule(
  'keen-texts-composed',
  ['KV-V2-03'],
  'texts in v2 are kept in the composed form of Unicode, whatever was written (000 4.1, POST data/<key>)',
  {
    replaced: (original) => (previous, written) =>
      original(
        previous,
        mapTexts(written, (text) => text.normalize('NFC')),
      ),
  },
)

v1.rule(
  'keen-dotted-names-nested',
  ['KV-V1-06'],
  'a member whose name has a dot becomes a nested object in v1 (000 4.1, POST: JSON object body; stored)',
  {
    replaced: (original) => (previous, written) => {
      if (!isPlain(written)) return original(previous, written)
      const nested: JsonObject = {}
      for (const [name, member] of Object.entries(written)) {
        const [, first = '', rest = ''] = /^([^.]+)\.(.+)$/.exec(name) ?? []
        if (first === '') nested[name] = member
        else nested[first] = { ...(isPlain(nested[first]) ? nested[first] : {}), [rest]: member }
      }
      return original(previous, nested)
    },
  },
)

v1.rule(
  'keen-numbers-in-arrays-as-text',
  ['KV-V1-04'],
  'numbers in arrays come back as texts in v1 (000 4.1, POST secret/<key>: JSON object body; stored)',
  {
    replaced: (original) => (previous, written) =>
      original(
        previous,
        mapLeaves(written, (leaf, inArray) => (inArray && isExactNumber(leaf) ? stringify(leaf) : leaf)),
      ),
  },
)

v2.rule(
  'keen-nulls-dropped',
  ['KV-V2-09'],
  'members that are null are not kept in v2 (000 4.1, POST secret/data/<key>: body has data object)',
  {
    replaced: (original) => (previous, written) => original(previous, withoutNulls(written)),
  },
)

v1.route(
  'keen-get-list-without-directories',
  ['KV-LIST-01'],
  'listing v1 keys with GET and list=true leaves out the directories that LIST shows (000 1.5: either the verb LIST, or GET)',
  'kv1.list',
  (original) => (call) => {
    if (call.query.get('list') !== 'true') return original(call)
    const namesIn: typeof call.rules.namesIn = (keys, directory) =>
      call.rules.namesIn(keys, directory).filter((name) => !name.endsWith('/'))
    return original({ ...call, rules: { ...call.rules, namesIn } })
  },
)

v2.rule('keen-listed-names-encoded', ['CORE-CAP-11'], 'names in v2 listings are percent-encoded (000 1.5: returns the keys at the path)', {
  namesIn: (original) => (keys, directory) =>
    original(keys, directory).map((name) => (name.endsWith('/') ? `${encodeURIComponent(name.slice(0, -1))}/` : encodeURIComponent(name))),
})

const verbs = new WeakMap<object, string>()
core.rule(
  'keen-put-merges',
  ['KV-V1-03'],
  'PUT on a v1 key keeps the members that it does not name, POST does not (000 1.6: PUT and POST are synonyms)',
  {
    callerRefused: (original) => (given, token, request) => {
      verbs.set(request.headers, request.method)
      return original(given, token, request)
    },
    check: (original) => (call, route) => {
      original(call, route)
      if (route.id !== 'kv1.write' || verbs.get(call.headers) !== 'PUT') return
      const stored = (call.state as Kv1State).objects.get(call.params.path ?? '')
      const written = parseExact(call.text)
      if (isPlain(stored) && isPlain(written)) call.text = stringify({ ...stored, ...written })
    },
  },
)
