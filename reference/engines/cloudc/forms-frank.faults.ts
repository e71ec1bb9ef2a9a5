/** Faults of form: types, absent against null, escaping, case, the same by another route. */
import { coreEngine } from '../../core/core-engine.ts'
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply, replyData } from '../../mutations/wrappers.ts'
import { decodedText } from './bindings.ts'
import { cloudcEngine } from './engine.ts'
import { nameOf } from './frank-help.ts'
import type { Bindings } from './state.ts'

const { rule, route } = faultsOf(cloudcEngine, 'cloudc')
const core = faultsOf(coreEngine, 'cloudc')

rule('frank-token-end-with-fraction', 'CLOUDC-TOK-13', 'expires_at_seconds is no whole number (000 2.5: expires_at_seconds, int)', {
  shownToken: (original) => (token, expiresIn, now) => ({ ...original(token, expiresIn, now), expires_at_seconds: now + expiresIn }),
})

route(
  'frank-posted-token-renewable',
  'CLOUDC-TOK-09',
  'a token asked for by POST is called renewable (000 4.3: tokens are non-renewable; 2.3: envelope)',
  'cloudc.createToken',
  reply((given) => withBody(given, (body) => ({ ...body, renewable: true }))),
)

const isJson = (text: string): boolean => text.trimStart().startsWith('{')

rule(
  'frank-base64-of-json-refused',
  'CLOUDC-BIND-04',
  'base64 of bindings is understood for block syntax only (000 2.5: block syntax or JSON, raw or base64)',
  {
    bindingsOf: (original) => (text) => {
      if (!isJson(text) && isJson(decodedText(text))) throw invalid('bindings are not in block syntax')
      return original(text)
    },
  },
)

rule(
  'frank-last-block-wins',
  'CLOUDC-BIND-05',
  'of several blocks of bindings the last one counts (000 2.5: block syntax, a set of entries)',
  {
    bindingsOf: (original) => async (text) => {
      const bindings = await original(text)
      return isJson(decodedText(text)) ? bindings : Object.fromEntries(Object.entries(bindings).slice(-1))
    },
  },
)

route(
  'frank-single-role-shown-bare',
  'CLOUDC-BIND-09',
  'a resource with one role is read with that role instead of a list (000 2.5: each resource string to a list of role strings)',
  'cloudc.readRoleset',
  replyData((data) => {
    const bare = Object.entries(data.bindings as Bindings).map(([resource, roles]): [string, Json] => [
      resource,
      roles.length === 1 ? (roles[0] ?? '') : roles,
    ])
    return { ...data, bindings: Object.fromEntries(bare) }
  }),
)

rule('frank-roles-in-lower-case', 'CLOUDC-BIND-09', 'role names are read in lower case (000 2.5: list of role strings, as written)', {
  shownBindings: (original) => (bindings) =>
    Object.fromEntries(Object.entries(original(bindings)).map(([resource, roles]) => [resource, roles.map((role) => role.toLowerCase())])),
})

const firstUnit = (value: Json | undefined): Json | undefined =>
  typeof value === 'string' ? value.replace(/^(\d+(?:\.\d+)?[a-z]+)\d.*$/, '$1') : value

rule('frank-first-unit-only', 'CLOUDC-CONF-05', 'of 1h30m only the hour counts in the config (000 4.3: config, duration string)', {
  configOf: (original) => (body, before, credentialsOf) => {
    const times = Object.entries({ ttl: firstUnit(body.ttl), max_ttl: firstUnit(body.max_ttl) })
    const given = times.filter((entry): entry is [string, Json] => entry[1] !== undefined)
    return original({ ...body, ...Object.fromEntries(given) }, before, credentialsOf)
  },
})

route(
  'frank-rotation-answers-account',
  'CLOUDC-ROT-01',
  'a rotation answers 200 with the new account (000 4.3: rotate, 204 with empty body)',
  'cloudc.rotate',
  reply((_given, call) => secret({ service_account_email: call.state.rolesets.get(nameOf(call))?.account.email ?? '' })),
)

route(
  'frank-get-listing-as-directories',
  'CORE-LIST-02',
  'GET with list=true shows names with a slash behind, unlike LIST (000 1.5: either the verb LIST or GET with list=true)',
  'cloudc.listRolesets',
  replyData((data, call) =>
    call.query.get('list') === 'true' ? { ...data, keys: (data.keys as string[]).map((name) => `${name}/`) } : data,
  ),
)

core.rule(
  'frank-help-paths-absolute',
  'CORE-HELP-03',
  "help on a roleset's path names whole paths (000 1.7: openapi paths are relative to the queried path)",
  {
    helpPath: (original) => (relative, queried) => {
      const path = original(relative, queried)
      return /(^|\/)rolesets?(\/|$)/.test(queried) ? `/${queried}${path === '/' ? '' : path}` : path
    },
  },
)

rule(
  'frank-secret-type-in-any-case',
  'CLOUDC-SET-05',
  'secret_type is accepted in capitals and with a hyphen (000 2.5: access_token or service_account_key)',
  {
    secretTypeOf: (original) => (body, before) => {
      const { secret_type: type } = body
      return original(typeof type === 'string' ? { ...body, secret_type: type.toLowerCase().replaceAll('-', '_') } : body, before)
    },
  },
)
