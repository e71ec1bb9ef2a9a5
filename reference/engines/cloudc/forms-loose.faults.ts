/** Faults in how one thing is written or shown: on another route or carrier, in another form, case or type. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isProvisioning, withBody } from '../../mutations/request-kinds.ts'
import { reply, replyData, replyDataWithout, requestBody } from '../../mutations/wrappers.ts'
import { decodedText } from './bindings.ts'
import { cloudcEngine } from './engine.ts'
import { type Handler, overProvider, rolesetOf } from './loose-words.ts'
import type { Bindings } from './state.ts'

type OurCall = Parameters<Handler>[0]

const { rule, route, change } = faultsOf(cloudcEngine)
const core = faultsOf(coreEngine, 'cloudc')

const isIssuing = (request: RequestFacts): boolean => !isProvisioning(request) && /(^|\/)(key|token)\/[^/]+$/.test(request.path)

const eachEntry = (bindings: Bindings, shown: (resource: string, roles: string[]) => [string, Json]): Bindings =>
  Object.fromEntries(Object.entries(bindings).map(([resource, roles]) => shown(resource, roles))) as Bindings

rule(
  'single-role-as-text',
  ['CLOUDC-BIND-09'],
  'a read shows the only role of a resource as a string (000 2.5, "a list of role strings")',
  {
    shownBindings: (original) => (bindings) =>
      eachEntry(original(bindings), (resource, [first = '', ...others]) => [resource, others.length === 0 ? first : [first, ...others]]),
  },
)

rule('link-shown-as-name', [], 'a read shows a self-link as the resource name (000 2.5, "mapping each resource string")', {
  shownBindings: (original) => (bindings) =>
    eachEntry(original(bindings), (resource, roles) => [resource.replace(/^https:\/\/([^/]+)\/v1\//, '//$1/'), roles]),
})

rule('roles-lower-case', ['CLOUDC-BIND-09'], 'a read shows role names in lower case (000 2.5, "a list of role strings")', {
  shownBindings: (original) => (bindings) =>
    eachEntry(original(bindings), (resource, roles) => [resource, roles.map((role) => role.toLowerCase())]),
})

rule('double-padding', [], 'base64 text that ends in two = is refused (000 2.5, "raw or base64-encoded")', {
  bindingsOf: (original) => (text) => {
    if (/[^=]==\s*$/.test(text)) throw invalid('bindings are neither JSON nor in block syntax')
    return original(text)
  },
})

rule(
  'base64-of-json',
  ['CLOUDC-BIND-04'],
  'base64 text is read as block syntax only (000 2.5, "block syntax or JSON, raw or base64-encoded")',
  {
    bindingsOf: (original) => (text) => {
      const decoded = decodedText(text)
      if (decoded !== text && decoded.trimStart().startsWith('{')) throw invalid('bindings are not in block syntax')
      return original(text)
    },
  },
)

rule('json-after-blank', [], 'JSON that begins with white space is refused (000 2.5, "text in block syntax or JSON")', {
  bindingsOf: (original) => (text) => {
    if (/^\s+\{/.test(decodedText(text))) throw invalid('bindings are not in block syntax')
    return original(text)
  },
})

rule('no-scopes-null', ['CLOUDC-SET-11'], 'a roleset without scopes shows null (000 2.5, token_scopes: list of strings; default [])', {
  shownRoleset: (original) => (roleset, bindings) => ({
    ...original(roleset, bindings),
    token_scopes: roleset.scopes.length === 0 ? null : roleset.scopes,
  }),
})

route(
  'key-roleset-without-project',
  [],
  'a read of a roleset for keys lacks service_account_project (000 4.3, GET roleset: data)',
  'cloudc.readRoleset',
  replyData((data, call) =>
    rolesetOf(call)?.secretType === 'service_account_key'
      ? Object.fromEntries(Object.entries(data).filter(([field]) => field !== 'service_account_project'))
      : data,
  ),
)

rule(
  'compound-duration',
  ['CLOUDC-CONF-05'],
  'of a duration such as 1h30m the configuration takes the first unit (000 4.3, ttl: duration string)',
  {
    configOf: (original) => (body, before, credentialsOf) => {
      const short = (value: Json): Json => (typeof value === 'string' ? (/^\d+[a-z]+/.exec(value)?.[0] ?? value) : value)
      const changed = Object.entries(body).map(([field, value]) => [field, /ttl$/.test(field) ? short(value) : value])
      return original(Object.fromEntries(changed) as JsonObject, before, credentialsOf)
    },
  },
)

rule('max-ttl-number', [], 'max_ttl as a number of seconds counts as none (000 4.3, POST config: int seconds or duration string)', {
  configOf: (original) => (body, before, credentialsOf) =>
    original(typeof body.max_ttl === 'number' ? { ...body, max_ttl: 0 } : body, before, credentialsOf),
})

const writtenTtl = remembered(() => ({ isNumber: false }))

change(
  'ttl-shown-as-number',
  ['CLOUDC-CONF-02'],
  'ttl is shown as a number where it was written as one (000 4.3, GET config: duration strings)',
  {
    routes: {
      'cloudc.writeConfig': (original) => async (call) => {
        const given = await original(call)
        if (call.body.ttl !== undefined) writtenTtl(call.state).isNumber = typeof call.body.ttl === 'number'
        return given
      },
      'cloudc.readConfig': replyData((data, call) => (writtenTtl(call.state).isNumber ? { ...data, ttl: call.state.config.ttl } : data)),
    },
  },
)

route(
  'expiry-with-fraction',
  [],
  'POST gives expires_at_seconds with a fraction (000 2.5, expires_at_seconds: int)',
  'cloudc.createToken',
  replyData((data, call) => ({ ...data, expires_at_seconds: Math.floor(call.now()) + Number(data.token_ttl) + 0.5 })),
)

route(
  'token-with-lease-duration',
  [],
  'POST of a token shows its lifetime as lease_duration (000 2.3, lease_duration: 0 when no lease)',
  'cloudc.createToken',
  reply((given) => withBody(given, (body) => ({ ...body, lease_duration: (body.data as JsonObject).token_ttl ?? 0 }))),
)

route(
  'token-renewable',
  ['CLOUDC-TOK-09'],
  'GET of a token says that it is renewable (000 4.3, "tokens are non-revocable and non-renewable")',
  'cloudc.readToken',
  reply((given) => withBody(given, (body) => ({ ...body, renewable: true }))),
)

route(
  'key-type-of-provider',
  [],
  'POST that names the default key_type is answered with the name that the provider gives it (000 4.3, key_type)',
  'cloudc.createKey',
  replyData((data, call) => (call.body.key_type === data.key_type ? { ...data, key_type: 'TYPE_GOOGLE_CREDENTIALS_FILE' } : data)),
)

route(
  'key-algorithm-by-post-only',
  ['CLOUDC-KEY-05'],
  'GET of a key lacks key_algorithm (000 4.3, GET or POST key/:roleset: data.key_algorithm)',
  'cloudc.readKey',
  replyDataWithout<OurCall>('key_algorithm'),
)

route(
  'key-algorithm-shown-only',
  [],
  'key_algorithm is shown as asked, but the key is made with the default one (000 4.3, key parameters: key_algorithm)',
  'cloudc.createKey',
  (original) => (call) =>
    original(
      overProvider(
        call,
        (ask) => (method, url, body) =>
          ask(method, url, body?.keyAlgorithm === undefined ? body : { ...body, keyAlgorithm: 'KEY_ALG_RSA_2048' }),
      ),
    ),
)

route(
  'key-ttl-last-unit',
  ['CLOUDC-LEASE-02'],
  'a ttl such as 1m30s of a key is taken for its last unit (000 4.3, key parameters: ttl, string duration)',
  'cloudc.createKey',
  requestBody<OurCall>((body) => (typeof body.ttl === 'string' ? { ...body, ttl: /\d+[a-z]+$/.exec(body.ttl)?.[0] ?? body.ttl } : body)),
)

route(
  'key-data-twice-encoded',
  [],
  'POST that names a key_algorithm gives private_key_data encoded twice (000 2.5, private_key_data: base64 string)',
  'cloudc.createKey',
  replyData((data, call) =>
    call.body.key_algorithm === undefined
      ? data
      : { ...data, private_key_data: Buffer.from(String(data.private_key_data)).toString('base64') },
  ),
)

route(
  'list-lower-case',
  ['CLOUDC-SET-14'],
  'a listing shows names in lower case (000 4.3, LIST rolesets: data.keys)',
  'cloudc.listRolesets',
  replyData((data) => ({ ...data, keys: (data.keys as string[]).map((name) => name.toLowerCase()) })),
)

route(
  'list-query-bare',
  [],
  'GET with list=true gives keys at the top, without data (000 1.5 and 4.1, "returns data.keys")',
  'cloudc.listRolesets',
  reply((given, call) =>
    call.query.get('list') === 'true' ? withBody(given, (body) => ({ keys: (body.data as JsonObject).keys ?? [] })) : given,
  ),
)

core.rule(
  'put-without-body',
  ['CORE-WRITE-01'],
  'the body of PUT is not read where a key is issued (000 1.6, "PUT and POST are synonyms")',
  {
    parseBody: (original) => (bytes, request) =>
      original(request.method === 'PUT' && isIssuing(request) ? new Uint8Array() : bytes, request),
  },
)

core.rule('help-absolute', [], 'help on rolesets gives paths from the root (000 1.7, "its paths are relative to the queried path")', {
  helpPath: (original) => (relative, queried) =>
    /(^|\/)rolesets?(\/|$)/.test(queried) ? `/${queried}${original(relative, queried)}` : original(relative, queried),
})

core.rule('error-as-text', [], 'a refused token or key has its errors as one string (000 2.4, errors: array of strings)', {
  failure: (original) => (status, body, request) =>
    original(
      status,
      isIssuing(request) && status === 400 && body !== null && typeof body === 'object' && !Array.isArray(body)
        ? { ...body, errors: String(body.errors) }
        : body,
      request,
    ),
})
