/** Blind faults of both key-value versions about forms: the same thing by another route, type, escape, case, blank or carrier. */
import { coreEngine } from '../../core/core-engine.ts'
import { type JsonObject, parseExact, stringify } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning, withBody } from '../../mutations/request-kinds.ts'
import { asTyped, expanded, storing } from './afresh-help.ts'
import { isObject, withTexts } from './anew-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import type { Kv2Call } from './kv2-data.ts'

const first = faultsOf(kv1Engine, 'kv')
const second = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

first.rule(
  'afresh-texts-composed',
  ['KV-LIST-01'],
  'decomposed unicode comes back composed (000 4.1: stored; readings: values are compared as JSON text)',
  storing((written) => withTexts(written, (text) => text.normalize('NFC'))),
)

first.rule(
  'afresh-texts-become-typed',
  ['KV-LIST-01'],
  'texts such as "5432" and "true" come back as number and boolean (000 4.1: JSON object body; stored)',
  storing((written) => withTexts(written, asTyped)),
)

first.rule(
  'afresh-dots-expanded',
  ['KV-V1-06'],
  'a member "db.host" comes back as an object db with a member host (000 4.1: JSON object body; stored)',
  storing(expanded),
)

second.rule(
  'afresh-astral-characters-replaced',
  ['KV-V2-03'],
  'characters beyond the basic plane, such as emoji, come back as U+FFFD (readings: values are compared as JSON text)',
  storing((written) => withTexts(written, (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'))),
)

second.rule(
  'afresh-times-revived',
  ['KV-V2-03'],
  'texts that look like a time come back in another form of it (000 4.1: body has data object; round trip)',
  storing((written) =>
    withTexts(written, (text) => {
      const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text) ? Date.parse(text) : Number.NaN
      return Number.isNaN(time) ? text : new Date(time).toISOString()
    }),
  ),
)

second.route(
  'afresh-get-listing-without-directories',
  ['KV-LIST-09'],
  'a listing by GET with list=true leaves out directories, the verb LIST shows them (000 1.5: either the verb LIST, or GET)',
  'kv2.list',
  (original) => (call: Kv2Call) => {
    if (call.query.get('list') !== 'true') return original(call)
    const namesIn: Kv2Call['rules']['namesIn'] = (keys, directory) =>
      call.rules.namesIn(keys, directory).filter((name) => !name.endsWith('/'))
    return original({ ...call, rules: { ...call.rules, namesIn } })
  },
)

second.route(
  'afresh-members-beside-data-stored',
  ['KV-V2-01'],
  'further members of the body are stored and read back with the data (readings: unknown fields never stored in secret-bearing reads)',
  'kv2.write',
  (original) => (call) => {
    const { data, options, ...rest } = parseExact(call.text) as JsonObject
    if (!isObject(data)) return original(call)
    const text = stringify({ ...(options === undefined ? {} : { options }), data: { ...rest, ...data } })
    return original({ ...call, text })
  },
)

first.rule('afresh-ttl-member-as-lease', ['CORE-ENV-11'], 'a stored member ttl is shown as lease_duration (000 2.3: 0 when no lease)', {
  shown: (original) => (stored, defaultTtl) => {
    const ttl = isObject(stored) && stored.ttl !== undefined ? Number.parseInt(stringify(stored.ttl).replaceAll('"', ''), 10) : 0
    return withBody(original(stored, defaultTtl), (body) => ({ ...body, lease_duration: Number.isNaN(ttl) ? 0 : ttl }))
  },
})

core.rule(
  'afresh-namespace-not-split',
  ['CORE-NS-02'],
  'with a header ns1/ a path ns2/secret/foo is not found (000 2.2: equivalent to the header ns1/ns2/ with path secret/foo)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) => {
      const named = (header ?? '').replace(/^\/+|\/+$/g, '')
      const isExact = named !== '' && namespaces.includes(`${named}/`) && !isProvisioning({ path: effectivePath })
      return isExact ? `${named}/` : original(effectivePath, namespaces, header)
    },
  },
)

core.rule(
  'afresh-body-without-type-ignored',
  ['CORE-MEDIA-02'],
  'a body without Content-Type counts as empty (000 2.1: clients need not send it)',
  {
    parseBody: (original) => (bytes, request) =>
      original(request.headers['content-type'] || isProvisioning(request) ? bytes : new Uint8Array(), request),
  },
)

core.rule(
  'afresh-help-paths-absolute',
  ['CORE-HELP-03'],
  'help below the mount shows paths from the root on (000 1.7: paths are relative to the queried path)',
  {
    helpPath: (original) => (relative, queried) => {
      const path = queried.replace(/\/+$/, '')
      return path.includes('/') && !isProvisioning({ path }) ? `/${path}${original(relative, queried)}` : original(relative, queried)
    },
  },
)
