/** Later faults: the same thing by another route or in another form. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { parseExact, stringify } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning, isWrite } from '../../mutations/request-kinds.ts'
import { isObject, withMembers, withTexts } from './anew-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const kv1 = faultsOf(kv1Engine, 'kv')
const kv2 = faultsOf(kv2Engine, 'kv')

const core = faultsOf(coreEngine, 'kv')

const decodedAgain = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const unfolded = (entries: [string, Json][]): [string, Json][] => {
  const result: JsonObject = {}
  for (const [name, value] of entries) {
    const parts = name.split('.')
    const last = parts.pop() ?? name
    if (last === '' || parts.includes('')) {
      result[name] = value
      continue
    }
    let inner = result
    for (const part of parts) {
      const known = inner[part]
      const next: JsonObject = isObject(known) ? { ...known } : {}
      inner[part] = next
      inner = next
    }
    inner[last] = value
  }
  return Object.entries(result)
}

kv1.rule('later-plus-is-a-blank', ['KV-LIST-01'], 'v1: a plus in a key becomes a blank, so that a+b and "a b" are one key (000 1.4, 1.5)', {
  keyOf: (original) => (path) => original(path).replaceAll('+', ' '),
})

kv2.rule(
  'later-key-decoded-twice',
  ['CORE-CAP-03'],
  'v2: percent escapes that belong to a key are decoded once more, so that %2525 and %25 are one (000 1.4: data/<key>)',
  { keyOf: (original) => (path) => original(decodedAgain(path)) },
)

kv2.rule('later-dot-names-unlisted', ['KV-LIST-09'], 'v2: keys such as .env are not listed (000 1.5: "returns the keys at the path")', {
  namesIn: (original) => (keys, directory) => original(keys, directory).filter((name) => !name.startsWith('.')),
})

kv1.rule(
  'later-line-ends-changed',
  ['KV-V1-06'],
  'v1: carriage returns before line feeds get lost in texts (000 4.1: "JSON object body; stored")',
  {
    replaced: (original) => (previous, written) => withTexts(original(previous, written), (text) => text.replaceAll('\r\n', '\n')),
  },
)

kv1.rule(
  'later-null-is-absent',
  ['CORE-CAP-07'],
  'v1: members with null are left out when an object is kept (000 4.1: "JSON object body; stored")',
  {
    replaced: (original) => (previous, written) =>
      withMembers(original(previous, written), (entries) => entries.filter(([, value]) => value !== null)),
  },
)

kv2.rule(
  'later-dotted-names-unfolded',
  ['KV-V2-03'],
  'v2: a member "db.user" comes back as an object "db" with a member "user" (000 4.1: "body has data object")',
  { replaced: (original) => (previous, written) => withMembers(original(previous, written), unfolded) },
)

kv2.route(
  'later-fields-beside-data-kept',
  ['KV-V2-01'],
  'v2: fields that a write carries beside data are read among the secret members (000 4.1: "body has data object")',
  'kv2.write',
  (original) => (call) => {
    const whole = parseExact(call.text)
    if (!isObject(whole) || !isObject(whole.data)) return original(call)
    const { data, options: _options, ...more } = whole
    return original({ ...call, text: stringify({ ...whole, data: { ...more, ...(data as JsonObject) } }) })
  },
)

core.rule(
  'later-version-routes-refuse-put',
  ['CORE-WRITE-01'],
  'v2: delete/, undelete/ and destroy/ answer PUT with 405, though POST works (000 1.6: "PUT and POST are synonyms")',
  {
    parseBody: (original) => (bytes, request) => {
      const isVersionRoute = /(^|\/)(delete|undelete|destroy)\//.test(request.path) && !isProvisioning(request)
      if (request.method === 'PUT' && isVersionRoute) throw new ApiError(405, 'unsupported operation')
      return original(bytes, request)
    },
  },
)

core.rule(
  'later-content-type-demanded',
  ['CORE-MEDIA-02'],
  'v2: a write to data/ without a JSON content type is refused (000 2.1: "clients need not send it")',
  {
    parseBody: (original) => (bytes, request) => {
      const isJson = /json/i.test(request.headers['content-type'] ?? '')
      if (isWrite(request) && /(^|\/)data\//.test(request.path) && !isJson) throw invalid('the content type must be application/json')
      return original(bytes, request)
    },
  },
)

core.rule(
  'later-help-paths-from-the-root',
  ['CORE-HELP-03'],
  'the paths of help on a path below a kv mount begin with the path asked (000 1.7: "its paths are relative to the queried path")',
  {
    helpPath: (original) => (relative, queried) => {
      const asked = queried.replace(/\/$/, '')
      const path = original(relative, queried)
      return asked.includes('/') && /\{(path|directory)\}/.test(path) ? `/${asked}${path}` : path
    },
  },
)

core.rule(
  'later-header-settles-namespace',
  ['CORE-NS-02'],
  'with header <ns1>/ the path <ns2>/secret/foo is looked for in <ns1> (000 2.2: "equivalent to header <ns1>/ with path <ns2>/…")',
  {
    namespaceOf: (original) => (path, namespaces, header) => {
      const named = `${(header ?? '').split('/').filter(Boolean).join('/')}/`
      return original(path, header && !isProvisioning({ path }) ? namespaces.filter((name) => named.startsWith(name)) : namespaces, header)
    },
  },
)

core.rule(
  'later-first-version-without-data-prefix',
  ['KV-V1-09'],
  'v1: data/ at the beginning of a key is skipped, so that data/x and x are one object (000 1.4: v2 only "inserts data/ after the mount")',
  { pathBelow: (original) => (mount, path, type) => original(mount, path, type).replace(type === 'kv1' ? /^data\// : /^$/, '') },
)
