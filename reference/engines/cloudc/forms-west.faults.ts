/** Faults of forms: the same by another route or spelling, list against read, absent against null, text against list. */

import { secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { refusal, replyData } from '../../mutations/wrappers.ts'
import { bindingRules } from './bindings.rules.ts'
import { decodedText } from './bindings.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { Bindings } from './state.ts'
import { nameOf } from './west-help.ts'

const { rule, route, change } = faultsOf(cloudcEngine, 'cloudc')

route(
  'west-list-by-get-refused',
  'CORE-LIST-02',
  'rolesets are listed by LIST only, not by GET with list=true (000 1: either LIST or GET with `list=true`)',
  'cloudc.listRolesets',
  (original) => (call) => {
    if (call.query.get('list') === 'true') throw new ApiError(405, 'unsupported operation')
    return original(call)
  },
)

const numbersWritten = remembered(() => new Set<string>())

change(
  'west-times-read-as-written',
  'CLOUDC-CONF-02',
  'lease times that were written as numbers are read as numbers (000 4.3: GET config, as duration strings)',
  {
    routes: {
      'cloudc.writeConfig': (original) => async (call) => {
        const given = await original(call)
        for (const field of ['ttl', 'max_ttl']) {
          if (typeof call.body[field] === 'number') numbersWritten(call.state).add(field)
          else if (call.body[field] !== undefined) numbersWritten(call.state).delete(field)
        }
        return given
      },
      'cloudc.readConfig': replyData<CloudcCall>((data, { state }) => {
        const seconds: JsonObject = { ttl: state.config.ttl, max_ttl: state.config.maxTtl }
        return { ...data, ...Object.fromEntries([...numbersWritten(state)].map((field) => [field, seconds[field] ?? 0])) }
      }),
    },
  },
)

rule(
  'west-base64-of-json-only',
  'CLOUDC-BIND-03',
  'base64 of block syntax is refused, base64 of JSON is not (000 2.5: block syntax or JSON, raw or base64-encoded)',
  {
    bindingsOf: (original) => async (text) => {
      const decoded = decodedText(text)
      if (decoded !== text && !decoded.trimStart().startsWith('{')) throw invalid('bindings are not JSON')
      return original(text)
    },
  },
)

rule(
  'west-resource-in-two-forms-bound-once',
  'CLOUDC-BIND-07',
  'of a resource that is named and linked in one text only the last roles are given (000 2.5: each entry names a resource and roles)',
  {
    boundResources: (original) => (bindings) => {
      const byUrl = new Map(
        Object.entries(original(bindings)).map(([resource, roles]) => [bindingRules.policyUrls(resource).setUrl, { resource, roles }]),
      )
      return Object.fromEntries([...byUrl.values()].map(({ resource, roles }) => [resource, roles])) as Bindings
    },
  },
)

rule(
  'west-single-role-read-as-text',
  'CLOUDC-BIND-09',
  'a resource with one role is read with a text instead of a list (000 2.5: each resource string to a list of role strings)',
  {
    shownBindings: (original) => (bindings) =>
      Object.fromEntries(
        Object.entries(original(bindings)).map(([resource, roles]) => [resource, roles.length === 1 ? roles[0] : roles]),
      ) as unknown as Bindings,
  },
)

rule(
  'west-no-scopes-read-as-null',
  'CLOUDC-SET-11',
  'a roleset without scopes is read with null (000 2.5: `token_scopes`, list of strings; 4.3: default [])',
  {
    shownRoleset: (original) => (roleset, bindings) => {
      const shown = original(roleset, bindings)
      return roleset.scopes.length === 0 ? { ...shown, token_scopes: null } : shown
    },
  },
)

route(
  'west-expiry-as-text-by-get',
  'CLOUDC-TOK-13',
  'GET of a token gives its end as a text, POST as a number (000 2.5: `expires_at_seconds`, int, epoch seconds)',
  'cloudc.readToken',
  replyData<CloudcCall>((data) => ({ ...data, expires_at_seconds: String(data.expires_at_seconds) })),
)

route(
  'west-named-key-type-of-provider',
  'CLOUDC-KEY-08',
  'a key whose key_type was named shows the name of the provider for it (000 4.3: `key_type`, default TYPE_CLOUDC_CREDENTIALS_FILE)',
  'cloudc.createKey',
  replyData<CloudcCall>((data, { rules, body }) => (body.key_type === undefined ? data : { ...data, key_type: rules.keyTypeOf(body) })),
)

route(
  'west-rotation-of-keys-answers-roleset',
  'CLOUDC-ROT-01',
  'rotating a roleset for keys answers 200 with its account (000 4.3: rotate, 204 with empty body)',
  'cloudc.rotate',
  (original) => async (call) => {
    const given = await original(call)
    const roleset = call.state.rolesets.get(nameOf(call))
    return roleset?.secretType === 'service_account_key' ? secret({ service_account_email: roleset.account.email }) : given
  },
)

route(
  'west-list-in-lower-case',
  'CLOUDC-SET-27',
  'the list shows names in lower case, a read takes them as written (000 4.3: LIST rolesets, data.keys; 2.5: name, immutable)',
  'cloudc.listRolesets',
  (original) => replyData<CloudcCall>((data) => ({ ...data, keys: (data.keys as string[]).map((name) => name.toLowerCase()) }))(original),
)

route(
  'west-refused-rotate-key-one-text',
  'CORE-ERROR-01',
  'rotate-key of a roleset for keys is refused with a text in place of a list (000 2.4: `errors`, array of strings)',
  'cloudc.rotateKey',
  refusal<CloudcCall>((refused, { state, params }) =>
    state.rolesets.get(params.name ?? '')?.secretType === 'service_account_key'
      ? { status: refused.status, body: { errors: refused.messages.join('; ') } }
      : refused,
  ),
)

/** Bindings that came as base64. */
const encoded = new WeakSet<Bindings>()

rule(
  'west-encoded-bindings-read-as-text',
  'CLOUDC-BIND-09',
  'bindings that were written in base64 are read as a JSON text (000 2.5: on read, `bindings` is an object)',
  {
    bindingsOf: (original) => async (text) => {
      const bindings = await original(text)
      if (decodedText(text) !== text) encoded.add(bindings)
      return bindings
    },
    shownBindings: (original) => (bindings) =>
      encoded.has(bindings) ? (JSON.stringify(bindings) as unknown as Bindings) : original(bindings),
  },
)
