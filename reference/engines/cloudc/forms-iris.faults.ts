/** Faults in the forms of the same thing: raw and encoded, text and number, one and list, absent and null. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply, replyData } from '../../mutations/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import { TOKENS } from './iris-help.ts'
import type { CloudcCall } from './provider-calls.ts'

const { rule, route } = faultsOf(cloudcEngine, 'cloudc')
const core = faultsOf(coreEngine, 'cloudc')
const { here, locating } = requestsTo('cloudc')

rule(
  'iris-links-not-granted',
  'CLOUDC-BIND-07',
  'nothing is granted on resources that are written as links (2.5: a resource name or a self-link URL)',
  {
    boundResources: (original) => (bindings) =>
      Object.fromEntries(Object.entries(original(bindings)).filter(([resource]) => !resource.startsWith('https://'))),
  },
)

rule('iris-maximum-as-number-ignored', 'CLOUDC-CONF-06', 'max_ttl counts as text only (4.3: int seconds or duration string, same as ttl)', {
  configOf: (original) => (body, before, credentialsOf) => {
    const config = original(body, before, credentialsOf)
    return typeof body.max_ttl === 'number' ? { ...config, maxTtl: before.maxTtl } : config
  },
})

rule('iris-zero-as-number', 'CLOUDC-CONF-02', 'a max_ttl that is not set is shown as the number 0 (4.3: data.max_ttl as duration string)', {
  shownConfig: (original) => (config) => ({ ...original(config), ...(config.maxTtl === 0 ? { max_ttl: 0 } : {}) }),
})

rule('iris-one-scope-as-text', 'CLOUDC-SET-10', 'a single scope is shown as text (2.5: token_scopes is a list of strings)', {
  shownRoleset: (original) => (roleset, bindings) => {
    const [scope = '', ...more] = roleset.scopes
    return { ...original(roleset, bindings), ...(scope !== '' && more.length === 0 ? { token_scopes: scope } : {}) }
  },
})

rule('iris-no-scopes-null', 'CLOUDC-SET-11', 'no scopes are shown as null (2.5: a list of strings; 4.3: default [])', {
  shownRoleset: (original) => (roleset, bindings) => ({
    ...original(roleset, bindings),
    ...(roleset.scopes.length === 0 ? { token_scopes: null } : {}),
  }),
})

rule('iris-expiry-with-fraction', 'CLOUDC-TOK-13', 'expires_at_seconds has a fraction (2.5: int, epoch seconds)', {
  shownToken: (original) => (token, expiresIn, now) => ({
    ...original(token, expiresIn, now),
    expires_at_seconds: Math.floor(now) + expiresIn - 0.5,
  }),
})

const SHOWN = 'TYPE_CLOUDC_CREDENTIALS_FILE'

route(
  'iris-named-default-type',
  'CLOUDC-KEY-08',
  'a key whose type was named as the default shows the name of the provider (4.3: key_type, default TYPE_CLOUDC_CREDENTIALS_FILE)',
  'cloudc.createKey',
  replyData((data, call: CloudcCall) =>
    call.body.key_type === SHOWN && data.key_type === SHOWN ? { ...data, key_type: 'TYPE_GOOGLE_CREDENTIALS_FILE' } : data,
  ),
)

route(
  'iris-token-lease-duration',
  'CORE-ENV-11',
  'a token shows its life as lease_duration (2.3: 0 when no lease; 4.3: tokens are non-revocable and non-renewable)',
  TOKENS,
  reply((given) => withBody(given, (body) => ({ ...body, lease_duration: (body.data as JsonObject).token_ttl ?? 0 }))),
)

core.rule('iris-help-paths-whole', 'CORE-HELP-03', 'help shows paths from the root of the service (1.7: relative to the queried path)', {
  ...locating,
  helpPath: (original) => (relative, queried) =>
    here() ? `/${queried.replace(/\/$/, '')}${original(relative, queried)}` : original(relative, queried),
})

core.rule('iris-config-put-empty', 'CORE-WRITE-01', 'a PUT of the configuration sets nothing (1.6: PUT and POST are synonyms)', {
  ...locating,
  parseBody: (original) => (bytes, request) =>
    original(here() && request.method === 'PUT' && /\/config$/.test(request.path) ? new Uint8Array() : bytes, request),
})

let hasHeader = false

core.rule(
  'iris-namespace-in-path-only',
  'CORE-NS-03',
  'a namespace that stands in the path alone leads nowhere (2.2: equivalent to the header)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      hasHeader = Boolean(header)
      return original(header, request, namespaces)
    },
    mountsSeen: (original) => (all, namespace) =>
      original(all, namespace).filter(({ engine }) => engine.type !== 'cloudc' || namespace === '' || hasHeader),
  },
)
