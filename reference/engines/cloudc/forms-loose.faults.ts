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
import type { Handler } from './loose-words.ts'
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

rule('roles-lower-case', ['CLOUDC-BIND-09'], 'a read shows role names in lower case (000 2.5, "a list of role strings")', {
  shownBindings: (original) => (bindings) =>
    eachEntry(original(bindings), (resource, roles) => [resource, roles.map((role) => role.toLowerCase())]),
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

rule('no-scopes-null', ['CLOUDC-SET-11'], 'a roleset without scopes shows null (000 2.5, token_scopes: list of strings; default [])', {
  shownRoleset: (original) => (roleset, bindings) => ({
    ...original(roleset, bindings),
    token_scopes: roleset.scopes.length === 0 ? null : roleset.scopes,
  }),
})

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
  'token-renewable',
  ['CLOUDC-TOK-09'],
  'GET of a token says that it is renewable (000 4.3, "tokens are non-revocable and non-renewable")',
  'cloudc.readToken',
  reply((given) => withBody(given, (body) => ({ ...body, renewable: true }))),
)

route(
  'key-algorithm-by-post-only',
  ['CLOUDC-KEY-05'],
  'GET of a key lacks key_algorithm (000 4.3, GET or POST key/:roleset: data.key_algorithm)',
  'cloudc.readKey',
  replyDataWithout<OurCall>('key_algorithm'),
)

route(
  'key-ttl-last-unit',
  ['CLOUDC-LEASE-02'],
  'a ttl such as 1m30s of a key is taken for its last unit (000 4.3, key parameters: ttl, string duration)',
  'cloudc.createKey',
  requestBody<OurCall>((body) => (typeof body.ttl === 'string' ? { ...body, ttl: /\d+[a-z]+$/.exec(body.ttl)?.[0] ?? body.ttl } : body)),
)

route(
  'list-lower-case',
  ['CLOUDC-SET-14'],
  'a listing shows names in lower case (000 4.3, LIST rolesets: data.keys)',
  'cloudc.listRolesets',
  replyData((data) => ({ ...data, keys: (data.keys as string[]).map((name) => name.toLowerCase()) })),
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
