/** Faults in how things are written down and shown. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { reply } from '../../mutations/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { Bindings } from './state.ts'

const { rule, route } = faultsOf(cloudcEngine)

rule('shape-no-max-ttl', 'CLOUDC-CONF-02', 'a max_ttl of 0 is left out of the configuration that is read', {
  shownConfig: (original) => (config) => {
    const { max_ttl, ...rest } = original(config)
    return config.maxTtl === 0 ? rest : { ...rest, max_ttl: max_ttl ?? null }
  },
})

rule('shape-credentials-blank', 'CLOUDC-CONF-03', 'the configuration shows credentials as an empty text', {
  shownConfig: (original) => (config) => ({ ...original(config), credentials: '' }),
})

rule('shape-scopes-lower', 'CLOUDC-SET-10', 'scopes are kept in lower case', {
  scopesOf: (original) => (body, type) => original(body, type)?.map((scope) => scope.toLowerCase()),
})

rule('shape-scopes-null', 'CLOUDC-SET-11', 'a roleset without scopes shows null for them', {
  shownRoleset: (original) => (roleset, bindings) => ({
    ...original(roleset, bindings),
    token_scopes: roleset.scopes.length === 0 ? null : roleset.scopes,
  }),
})

rule('shape-one-role-as-text', 'CLOUDC-BIND-09', 'a single role on a resource is shown as a text instead of a list', {
  shownBindings: (original) => (bindings) =>
    Object.fromEntries(
      Object.entries(original(bindings)).map(([resource, roles]) => [resource, roles.length === 1 ? roles[0] : roles]),
    ) as Bindings,
})

route(
  'shape-get-key-without-lease',
  'CLOUDC-LEASE-01',
  'a key that is asked for with GET has no lease',
  'cloudc.readKey',
  (original) => (call) => original({ ...call, rules: { ...call.rules, leased: () => false } }),
)

route(
  'shape-token-lease-duration',
  ['CORE-ENV-11', 'CLOUDC-TOK-09'],
  'an access token shows its time as a lease duration',
  ['cloudc.readToken', 'cloudc.createToken'],
  reply<CloudcCall>((given) => {
    const body = given.body as JsonObject
    return { ...given, body: { ...body, lease_duration: (body.data as JsonObject).token_ttl ?? 0 } }
  }),
)

route(
  'shape-names-encoded',
  'CLOUDC-SET-14',
  'a listing shows names as they are escaped in a URL',
  'cloudc.listRolesets',
  reply<CloudcCall>((given) => {
    const body = given.body as JsonObject
    const { keys } = body.data as { keys: string[] }
    return { ...given, body: { ...body, data: { keys: keys.map((name) => encodeURIComponent(name)) } } }
  }),
)

rule('shape-expiry-text', 'CLOUDC-TOK-13', 'the expiry of an access token is shown as a date', {
  shownToken: (original) => (token, expiresIn, now) => ({
    ...original(token, expiresIn, now),
    expires_at_seconds: new Date(Math.floor(now + expiresIn) * 1000).toISOString(),
  }),
})
