/** Faults in how the cloud-C engine takes and shows things: one route against another, types, empty against absent, blanks, encodings. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData, requestWithout } from '../../mutations/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'

const { rule, route } = faultsOf(cloudcEngine)

route(
  'key-by-get-unleased',
  ['CLOUDC-LEASE-01'],
  'a key that is got by GET shows no lease (000 4.3, GET or POST key/:roleset: leased envelope with renewable true)',
  'cloudc.readKey',
  (original) => (call) => original({ ...call, rules: { ...call.rules, leased: () => false } }),
)

route(
  'algorithm-shown-not-made',
  ['CLOUDC-KEY-07'],
  'a key is made with the default algorithm and shown with the one asked for (000 4.3, key_algorithm)',
  'cloudc.createKey',
  (original) => (call) => {
    const asked = call.rules.algorithmOf(call.body)
    const made = requestWithout<CloudcCall>('key_algorithm')(original)
    return replyData<CloudcCall>((data) => ({ ...data, key_algorithm: asked }))(made)(call)
  },
)

route(
  'key-data-plain-by-post',
  ['CLOUDC-KEY-03'],
  'POST shows the credentials file of a key as it is, GET in base64 (000 2.5, private_key_data: base64 string)',
  'cloudc.createKey',
  replyData((data) => ({ ...data, private_key_data: Buffer.from(String(data.private_key_data), 'base64').toString('utf8') })),
)

route(
  'expiry-as-text-by-post',
  ['CLOUDC-TOK-13'],
  'POST shows the end of an access token as text (000 2.5, expires_at_seconds: int)',
  'cloudc.createToken',
  replyData((data) => ({ ...data, expires_at_seconds: String(data.expires_at_seconds) })),
)

route(
  'token-ttl-of-config',
  ['CLOUDC-TOK-08'],
  'the lifetime that an access token shows is capped by the ttl of the config (000 4.3: engine/system TTL settings do not apply)',
  ['cloudc.readToken', 'cloudc.createToken'],
  replyData((data, call) => ({ ...data, token_ttl: Math.min(Number(data.token_ttl), call.state.config.ttl || Number(data.token_ttl)) })),
)

rule(
  'blanks-before-json',
  ['CLOUDC-BIND-02'],
  'JSON bindings that begin with a line end or a blank are refused (000 2.5, bindings: JSON)',
  {
    bindingsOf: (original) => (text) => {
      if (/^\s+\{/.test(text)) throw invalid('bindings are neither JSON nor in block syntax')
      return original(text)
    },
  },
)

rule(
  'no-scopes-as-null-anew',
  ['CLOUDC-SET-11'],
  'a roleset without scopes is read with token_scopes null (000 2.5, token_scopes: list of strings)',
  {
    shownRoleset: (original) => (roleset, bindings) => ({
      ...original(roleset, bindings),
      token_scopes: roleset.scopes.length > 0 ? roleset.scopes : null,
    }),
  },
)

rule(
  'max-ttl-as-number',
  ['CLOUDC-CONF-02'],
  'the config shows max_ttl as a number of seconds, ttl as text (000 4.3, GET config: duration strings)',
  {
    shownConfig: (original) => (config) => ({ ...original(config), max_ttl: config.maxTtl }),
  },
)

const firstUnit = <T>(value: T): T | string =>
  typeof value === 'string' ? (/^\d+(\.\d+)?(ns|us|ms|s|m|h|d)/.exec(value)?.[0] ?? value) : value

rule(
  'first-unit-only',
  ['CLOUDC-CONF-05', 'CLOUDC-CONF-07'],
  'of a duration with several units the config takes the first: 1h30m is 1h (000 4.3: duration string)',
  {
    configOf: (original) => (body, before, credentialsOf) =>
      original(
        Object.fromEntries(Object.entries(body).map(([field, value]) => [field, /ttl$/.test(field) ? firstUnit(value) : value])),
        before,
        credentialsOf,
      ),
  },
)

route(
  'key-by-get-of-any-type',
  ['CLOUDC-KEY-10'],
  'GET makes keys of rolesets for access tokens, too (000 4.3: roleset must have secret_type service_account_key)',
  'cloudc.readKey',
  (original) => (call) => original({ ...call, rules: { ...call.rules, mayGiveKey: () => undefined } }),
)

rule(
  'unknown-type-is-default',
  ['CLOUDC-SET-27'],
  'a roleset of a secret_type that does not exist becomes one for access tokens (000 2.5, secret_type)',
  {
    secretTypeOf: (original) => (body, before) => {
      const known = ['access_token', 'service_account_key', ''].includes(String(body.secret_type ?? ''))
      return original(known || typeof body.secret_type === 'object' ? body : { ...body, secret_type: null }, before)
    },
  },
)
