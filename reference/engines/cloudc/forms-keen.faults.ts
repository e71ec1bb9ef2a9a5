/** Faults in forms: the same thing by another route or verb, absent against null, types, spelling of names, durations and bindings. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { reply, replyData } from '../../mutations/wrappers.ts'
import { decodedText } from './bindings.ts'
import { cloudcEngine } from './engine.ts'

const core = faultsOf(coreEngine, 'cloudc')
const { rule, route } = faultsOf(cloudcEngine)

core.rule(
  'keen-put-drops-scopes',
  ['CORE-WRITE-01'],
  'token_scopes are not taken from writes with PUT (000 1.6, PUT and POST are synonyms)',
  {
    parseBody: (original) => (bytes, request) => {
      const { text, body } = original(bytes, request)
      if (request.method !== 'PUT' || !/(^|\/)roleset\/[^/]+$/.test(request.path)) return { text, body }
      return { text, body: Object.fromEntries(Object.entries(body).filter(([field]) => field !== 'token_scopes')) }
    },
  },
)

rule(
  'keen-base64-of-json-refused',
  ['CLOUDC-BIND-04'],
  'bindings in JSON are refused when they are base64-encoded (000 2.5, block syntax or JSON, raw or base64)',
  {
    bindingsOf: (original) => async (text) => {
      if (decodedText(text) !== text && decodedText(text).trimStart().startsWith('{')) throw invalid('bindings are not in block syntax')
      return original(text)
    },
  },
)

rule(
  'keen-no-scopes-as-null',
  ['CLOUDC-SET-11'],
  'an access_token roleset without scopes is read with token_scopes null (000 2.5, token_scopes: list of strings)',
  {
    shownRoleset: (original) => (roleset, bindings) => {
      const none = roleset.secretType === 'access_token' && roleset.scopes.length === 0
      return none ? { ...original(roleset, bindings), token_scopes: null } : original(roleset, bindings)
    },
  },
)

route(
  'keen-post-token-times-as-text',
  ['CLOUDC-TOK-13'],
  'with POST the times of a token are strings (000 2.5, expires_at_seconds and token_ttl: int)',
  'cloudc.createToken',
  replyData((data) => ({ ...data, expires_at_seconds: String(data.expires_at_seconds), token_ttl: String(data.token_ttl) })),
)

route(
  'keen-get-key-not-renewable',
  ['CLOUDC-LEASE-01'],
  'with GET a key is shown as not renewable (000 4.3, GET or POST key/:roleset: renewable true)',
  'cloudc.readKey',
  reply((given) => ({ ...given, body: { ...(given.body as JsonObject), renewable: false } })),
)

route(
  'keen-list-in-lower-case',
  ['CLOUDC-SET-14', 'CLOUDC-SET-27'],
  'the list shows the names of rolesets in lower case (000 4.3, LIST rolesets: data.keys; 2.5, name is immutable)',
  'cloudc.listRolesets',
  replyData((data) => ({ ...data, keys: (data.keys as string[]).map((name) => name.toLowerCase()) })),
)

const firstPart = (value: Json | undefined): Json | undefined =>
  typeof value === 'string' ? (/^\d+(ms|h|m|s)(?=\d)/.exec(value)?.[0] ?? value) : value

rule(
  'keen-first-unit-of-durations',
  ['CLOUDC-CONF-05'],
  'of 1h30m in the configuration only the first unit counts (000 4.3, config: int seconds or duration string)',
  {
    configOf: (original) => (body, before, credentialsOf) => {
      const read = Object.entries(body).map(([field, value]) => [field, /ttl$/.test(field) ? firstPart(value) : value])
      return original(Object.fromEntries(read) as JsonObject, before, credentialsOf)
    },
  },
)

rule(
  'keen-key-ttl-without-units',
  ['CLOUDC-LEASE-02'],
  'the ttl of a key counts as seconds whatever its unit (000 4.3, key parameters: ttl, string duration)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      const { ttl } = body
      return original(typeof ttl === 'string' && /^\d+[mh]$/.test(ttl) ? { ...body, ttl: Number.parseInt(ttl, 10) } : body, config, mount)
    },
  },
)

rule(
  'keen-unknown-type-as-default',
  ['CLOUDC-SET-27', 'CLOUDC-SET-05'],
  'a secret_type that is none is taken for access_token (000 2.5, access_token or service_account_key)',
  {
    secretTypeOf: (original) => (body, before) => {
      const type = body.secret_type
      const isKnown = typeof type !== 'string' || ['access_token', 'service_account_key'].includes(type)
      return original(isKnown ? body : { ...body, secret_type: before?.secretType ?? 'access_token' }, before)
    },
  },
)
