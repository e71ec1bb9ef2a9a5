/** Faults of the cloud-C engine: the same thing in another form. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { refusal, reply, replyData } from '../../mutations/wrappers.ts'
import { decodedText } from './bindings.ts'
import { cloudcEngine } from './engine.ts'
import { mapBindings, memory } from './haze-help.ts'

const { rule, route, change } = faultsOf(cloudcEngine, 'cloudc')
const core = faultsOf(coreEngine, 'cloudc')
const { here, locating } = requestsTo('cloudc')

const isJson = (text: string): boolean => decodedText(text).trim().startsWith('{')

rule(
  'haze-last-block-only',
  'CLOUDC-BIND-05',
  'of several entries in block syntax only the last counts (000, 2.5: a set of entries, in block syntax or JSON)',
  {
    bindingsOf: (original) => async (text) => {
      const bindings = await original(text)
      return isJson(text) ? bindings : Object.fromEntries(Object.entries(bindings).slice(-1))
    },
  },
)

rule(
  'haze-encoded-json-refused',
  'CLOUDC-BIND-04',
  'bindings in JSON are refused where they are base64-encoded (000, 2.5: block syntax or JSON, raw or base64-encoded)',
  {
    bindingsOf: (original) => async (text) => {
      if (isJson(text) && decodedText(text) !== text) throw invalid('bindings are not in block syntax')
      return original(text)
    },
  },
)

rule(
  'haze-self-link-not-granted',
  'CLOUDC-BIND-07',
  'resources that are named by a self-link URL are not bound at the provider (000, 2.5: a resource name or a self-link URL)',
  {
    boundResources: (original) => (bindings) => mapBindings(original(bindings), (entry) => (entry[0].startsWith('https:') ? [] : [entry])),
  },
)

rule(
  'haze-default-key-type-refused',
  'CLOUDC-KEY-08',
  'the default key_type is refused where it is sent (000, 4.3: key_type, default TYPE_CLOUDC_CREDENTIALS_FILE)',
  {
    keyTypeOf: (original) => (body) => {
      if (textOf(body, 'key_type') === 'TYPE_CLOUDC_CREDENTIALS_FILE') throw invalid('key_type is not known')
      return original(body)
    },
  },
)

const firstUnit = (value: Json | undefined): Json | undefined =>
  typeof value === 'string' ? (/^\d+[a-z]+(?=\d)/.exec(value)?.[0] ?? value) : value
rule(
  'haze-first-unit-only',
  'CLOUDC-CONF-05',
  'of a ttl such as "1h30m" only the first part counts (000, 4.3: int seconds or duration string)',
  {
    configOf: (original) => (body, before, credentialsOf) => {
      const times = Object.entries(body).map(([name, value]) => [name, /ttl$/.test(name) ? firstUnit(value) : value])
      return original(Object.fromEntries(times) as JsonObject, before, credentialsOf)
    },
  },
)

const written = memory<Json>()
change(
  'haze-times-read-as-written',
  'CLOUDC-CONF-02',
  'a ttl that was written as an int is read as one (000, 4.3: data.ttl and data.max_ttl as duration strings)',
  {
    routes: {
      'cloudc.writeConfig': (original) => async (call) => {
        const given = await original(call)
        for (const name of ['ttl', 'max_ttl']) {
          const value = call.body[name]
          if (typeof value === 'number') written(call.state).set(name, value)
          else if (value !== undefined) written(call.state).delete(name)
        }
        return given
      },
      'cloudc.readConfig': replyData((data, { state }) => ({ ...data, ...Object.fromEntries(written(state)) })),
    },
  },
)

core.rule(
  'haze-put-key-without-parameters',
  'CORE-WRITE-01',
  'PUT key/:roleset does not look at its parameters (000, 1: PUT and POST are synonyms)',
  {
    ...locating,
    parseBody: (original) => (bytes, request) =>
      original(here() && request.method === 'PUT' && /\/key\/[^/]+$/.test(request.path) ? new Uint8Array() : bytes, request),
  },
)

rule('haze-key-in-url-alphabet', 'CLOUDC-KEY-03', 'private_key_data is in the URL alphabet, without padding (000, 2.5: base64 string)', {
  shownKey: (original) => (data, algorithm, type) => original(Buffer.from(data, 'base64').toString('base64url'), algorithm, type),
})

route(
  'haze-post-token-bare',
  'CLOUDC-TOK-09',
  'POST token/:roleset answers with data only (000, 4.3: GET or POST, within the envelope of 2.3)',
  'cloudc.createToken',
  reply((given) => ({ ...given, body: { data: (given.body as JsonObject).data ?? null } })),
)

route(
  'haze-refusal-as-text',
  'CORE-ERROR-01',
  'the errors of a refused roleset are a text (000, 2.4: errors is an array of strings)',
  'cloudc.writeRoleset',
  refusal(({ status, messages }) => ({ status, body: { errors: messages.join('; ') } })),
)

core.rule(
  'haze-help-paths-absolute',
  'CORE-HELP-03',
  'the paths in openapi begin with the path that was asked (000, 1: relative to the queried path)',
  {
    ...locating,
    helpPath: (original) => (relative, queried) =>
      here() ? `/${queried}${original(relative, queried)}`.replace(/\/$/, '') : original(relative, queried),
  },
)
