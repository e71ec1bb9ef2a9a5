/** Faults of form: the same thing by another route, text, list, escaping, absent against null. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError, invalid, notFound } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply, replyData } from '../../mutations/wrappers.ts'
import { decodedText } from './bindings.ts'
import { TOKENS } from './birch-help.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { Bindings } from './state.ts'

const { rule, route } = faultsOf(cloudcEngine, 'cloudc')
const core = faultsOf(coreEngine, 'cloudc')

rule(
  'birch-encoded-blocks-refused',
  'CLOUDC-BIND-03',
  'base64 is read as JSON only, not as block syntax (000 2.5: block syntax or JSON, raw or base64-encoded)',
  {
    bindingsOf: (original) => async (text) => {
      const decoded = decodedText(text)
      if (decoded !== text && !decoded.trimStart().startsWith('{')) throw invalid('bindings are no JSON')
      return original(text)
    },
  },
)

const encoded = new WeakSet<Bindings>()

rule(
  'birch-encoded-bindings-read-as-text',
  'CLOUDC-BIND-09',
  'bindings that were written in base64 are read as text (000 2.5: on read, bindings is an object)',
  {
    bindingsOf: (original) => async (text) => {
      const bindings = await original(text)
      if (decodedText(text) !== text) encoded.add(bindings)
      return bindings
    },
    shownBindings: (original) => (bindings) => {
      const shown = original(bindings)
      return encoded.has(bindings) ? (JSON.stringify({ resource: shown }) as unknown as Bindings) : shown
    },
  },
)

rule(
  'birch-no-scopes-null',
  'CLOUDC-SET-11',
  'a roleset without scopes has token_scopes null (000 2.5: token_scopes, list of strings; 4.3: default [])',
  {
    shownRoleset: (original) => (roleset, bindings) => ({
      ...original(roleset, bindings),
      token_scopes: roleset.scopes.length > 0 ? roleset.scopes : null,
    }),
  },
)

route(
  'birch-posted-token-bare',
  'CLOUDC-TOK-09',
  'POST answers a token without the envelope that GET has (000 4.3: within the envelope of 2.3)',
  'cloudc.createToken',
  reply((given) => withBody(given, ({ data }) => ({ data: data ?? null }))),
)

route(
  'birch-explicit-key-type-renamed',
  'CLOUDC-KEY-08',
  'a key_type that was asked for is answered by the provider’s name (000 4.3: data.key_type; default TYPE_CLOUDC_CREDENTIALS_FILE)',
  'cloudc.createKey',
  replyData((data, { body, rules }: CloudcCall) => (body.key_type ? { ...data, key_type: rules.keyTypeOf(body) } : data)),
)

rule(
  'birch-zero-config-times-absent',
  'CLOUDC-CONF-02',
  'config times of zero are left out of the answer (000 4.3: data.ttl, data.max_ttl; default "0s")',
  {
    shownConfig: (original) => (config) => {
      const { ttl = '', max_ttl = '' } = original(config)
      const shown: JsonObject = {}
      if (config.ttl > 0) shown.ttl = ttl
      if (config.maxTtl > 0) shown.max_ttl = max_ttl
      return shown
    },
  },
)

core.rule(
  'birch-inner-period-refused',
  'CORE-LIMIT-01',
  'a roleset with a period within its name is not found (000 2.1: must not end in a period)',
  {
    check: (original) => (call, route) => {
      original(call, route)
      if (route.id.startsWith('cloudc.') && Object.values(call.params).some((value) => value.includes('.')))
        throw notFound('unsupported path')
    },
  },
)

route(
  'birch-listing-by-verb-only',
  'CORE-LIST-02',
  'rolesets are listed for the verb LIST, not for GET with list=true (000 1.5: either the verb LIST, or GET with list=true)',
  'cloudc.listRolesets',
  (original) => (call) => {
    if (call.query.get('list') === 'true') throw new ApiError(405, 'unsupported operation')
    return original(call)
  },
)

const { here, locating } = requestsTo('cloudc')

core.rule(
  'birch-help-paths-from-the-base',
  'CORE-HELP-04',
  'the paths that help tells are those from the base (000 1.7: its paths are relative to the queried path)',
  {
    ...locating,
    helpPath: (original) => (relative, queried) => {
      const path = original(relative, queried)
      return here() && path !== '/' ? `/${queried.replace(/\/$/, '')}${path}` : path
    },
  },
)

route(
  'birch-name-from-the-body',
  'CORE-NAME-02',
  'a name in the body of a write goes before that of the path (000 4.3: roleset/:name; name cannot be updated)',
  'cloudc.writeRoleset',
  (original) => (call) => {
    const { name } = call.body
    return original(typeof name === 'string' && name !== '' ? { ...call, params: { ...call.params, name } } : call)
  },
)

route(
  'birch-token-with-lease-time',
  'CORE-ENV-11',
  'the answer of a token has its lifetime as lease_duration (000 2.3: lease_duration 0 when no lease; 4.3: non-renewable)',
  TOKENS,
  reply((given) => withBody(given, (body) => ({ ...body, lease_duration: ((body.data ?? {}) as JsonObject).token_ttl ?? 0 }))),
)
