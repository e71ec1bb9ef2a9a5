/** Faults of form: the same thing by another route, in another notation, absent against null, types, text. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { reply, replyData } from '../../mutations/wrappers.ts'
import { decodedText } from './bindings.ts'
import { dataOf } from './east-help.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcState } from './state.ts'

const { rule, route } = faultsOf(cloudcEngine, 'cloudc')
const core = faultsOf(coreEngine, 'cloudc')

rule(
  'east-base64-json-refused',
  'CLOUDC-BIND-04',
  'bindings as base64 are read as block syntax only, not as JSON (000 2.5: block syntax or JSON, raw or base64-encoded)',
  {
    bindingsOf: (original) => async (text) => {
      const decoded = decodedText(text)
      if (decoded !== text && decoded.trimStart().startsWith('{')) throw invalid('bindings are not in block syntax')
      return original(text)
    },
  },
)

rule(
  'east-self-links-of-projects-only',
  'CLOUDC-BIND-07',
  'a self-link URL is taken for projects, but for no topic (000 2.5: a resource name or a self-link URL)',
  {
    policyUrls: (original) => (resource) => {
      if (resource.startsWith('https://pubsub.')) throw invalid(`bindings: ${resource} is no resource that can be bound`)
      return original(resource)
    },
  },
)

rule('east-expiry-with-fraction', 'CLOUDC-TOK-13', 'expires_at_seconds has a fraction (000 2.5: expires_at_seconds int, epoch seconds)', {
  shownToken: (original) => (token, expiresIn, now) => ({ ...original(token, expiresIn, now), expires_at_seconds: now + expiresIn }),
})

route(
  'east-get-key-type-of-provider',
  'CLOUDC-KEY-08',
  "a key from GET shows the provider's name of its type (000 4.3: GET uses defaults, key_type default TYPE_CLOUDC_CREDENTIALS_FILE)",
  'cloudc.readKey',
  replyData((data) => ({ ...data, key_type: String(data.key_type).replace('CLOUDC', 'GOOGLE') })),
)

route(
  'east-algorithm-only-shown',
  'CLOUDC-KEY-13',
  'a key is made with the default algorithm and shown with the one that was asked for (000 4.3: key_algorithm)',
  'cloudc.createKey',
  (original) => async (call) => {
    const { key_algorithm: asked, ...body } = call.body
    const given = await original({ ...call, body })
    if (typeof asked !== 'string' || asked === '') return given
    return { ...given, body: { ...(given.body as JsonObject), data: { ...dataOf(given), key_algorithm: asked } } }
  },
)

route(
  'east-named-type-not-encoded',
  'CLOUDC-KEY-03',
  'where key_type is sent, private_key_data is the JSON text itself (000 2.5: private_key_data base64 string)',
  'cloudc.createKey',
  replyData((data, call) =>
    call.body.key_type === 'TYPE_CLOUDC_CREDENTIALS_FILE'
      ? { ...data, private_key_data: Buffer.from(String(data.private_key_data), 'base64').toString('utf8') }
      : data,
  ),
)

rule(
  'east-maximum-as-number-lost',
  'CLOUDC-CONF-02',
  'a max_ttl that is a JSON number counts as none (000 4.3: int seconds or duration string)',
  {
    configOf: (original) => (body, before, credentialsOf) =>
      original(typeof body.max_ttl === 'number' ? { ...body, max_ttl: 0 } : body, before, credentialsOf),
  },
)

/** Methods as they were sent, by the headers that came with them. */
const methods = new WeakMap<object, string>()

core.rule(
  'east-put-config-starts-anew',
  'CORE-WRITE-01',
  'PUT of a configuration resets what it leaves out, POST keeps it (000 1.6: PUT and POST are synonyms)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      methods.set(request.headers, request.method)
      return original(header, request, namespaces)
    },
    check: (original) => (call, route) => {
      original(call, route)
      if (route.id !== 'cloudc.writeConfig' || methods.get(call.headers) !== 'PUT') return
      const state = call.state as CloudcState
      state.config = { ...state.config, ttl: 0, maxTtl: 0 }
    },
  },
)

rule(
  'east-no-scopes-null',
  'CLOUDC-SET-11',
  'a roleset without scopes is read with null (000 2.5, 4.3: token_scopes list of strings, default [])',
  {
    shownRoleset: (original) => (roleset, bindings) => ({
      ...original(roleset, bindings),
      token_scopes: roleset.scopes.length > 0 ? roleset.scopes : null,
    }),
  },
)

route(
  'east-get-listing-bare-keys',
  'CORE-ENV-06',
  'a listing by GET with list=true has the names right in data (000 1.5, 4.1: data.keys by either)',
  'cloudc.listRolesets',
  reply((given, call) =>
    call.query.get('list') === 'true' ? { ...given, body: { ...(given.body as JsonObject), data: dataOf(given).keys ?? null } } : given,
  ),
)

core.rule(
  'east-unknown-roleset-error-text',
  'CORE-ERROR-01',
  'the errors of a read that finds no roleset are a text (000 2.4: errors, array of strings)',
  {
    failure: (original) => (status, body, request) => {
      const unknown = status === 404 && /(^|\/)roleset\/[^/]+$/.test(request.path) && !isProvisioning(request)
      return original(status, unknown ? { errors: 'no such roleset' } : body, request)
    },
  },
)

let located: string | undefined

core.rule(
  'east-period-before-rotate',
  'CORE-PERIOD-01',
  'a name that ends in a period is only noticed at the end of the path, not before rotate (000 2.1, 7: 404)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      located = undefined
      return original(header, request, namespaces)
    },
    pathBelow: (original) => (mount, path, type) => {
      if (type === 'cloudc') located = path
      return original(mount, path, type)
    },
    pathParameterAllowed: (original) => (value) => original(value) || (located !== undefined && !located.endsWith('.')),
  },
)
