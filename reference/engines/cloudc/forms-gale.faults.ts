/** Faults of the cloud-C engine: the same thing in another form. */
import { coreEngine } from '../../core/core-engine.ts'
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData, replyDataWithout } from '../../mutations/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import { isKeyPath, nameIn } from './gale-help.ts'
import type { CloudcCall } from './provider-calls.ts'

const { rule, route, change } = faultsOf(cloudcEngine, 'cloudc')
const core = faultsOf(coreEngine, 'cloudc')
const { here, locating } = requestsTo('cloudc')

route(
  'gale-get-listing-at-top',
  'CORE-LIST-03',
  'GET with `list=true` gives `keys` at the top level (000, 4.1 and 4.3: `data.keys`, with either verb)',
  'cloudc.listRolesets',
  (original) => async (call) => {
    const given = await original(call)
    if (call.query.get('list') !== 'true') return given
    const { data, ...envelope } = given.body as { data: JsonObject } & JsonObject
    return { ...given, body: { ...envelope, ...data } }
  },
)

route(
  'gale-get-key-names-no-type',
  'CLOUDC-KEY-05',
  'GET key answers without `key_algorithm` and `key_type`, which POST gives (000, 4.3: both return all three)',
  'cloudc.readKey',
  replyDataWithout<CloudcCall>('key_algorithm', 'key_type'),
)

rule(
  'gale-json-with-blanks-refused',
  'CLOUDC-BIND-02',
  'bindings in JSON with blanks or a line end around them are refused (000, 2.5: text in JSON)',
  {
    bindingsOf: (original) => async (text) => {
      if (text !== text.trim() && text.trim().startsWith('{')) throw invalid('bindings are not in block syntax')
      return original(text)
    },
  },
)

const sentAsNumbers = remembered(() => new Set<string>())
change(
  'gale-seconds-read-as-sent',
  'CLOUDC-CONF-02',
  'lease times that were sent as numbers are read as numbers (000, 4.3: as duration strings)',
  {
    routes: {
      'cloudc.writeConfig': (original) => async (call) => {
        const reply = await original(call)
        for (const field of ['ttl', 'max_ttl']) {
          if (typeof call.body[field] === 'number') sentAsNumbers(call.state).add(field)
          else if (call.body[field] !== undefined) sentAsNumbers(call.state).delete(field)
        }
        return reply
      },
      'cloudc.readConfig': replyData<CloudcCall>((data, { state }) => {
        const seconds: JsonObject = { ttl: state.config.ttl, max_ttl: state.config.maxTtl }
        return Object.fromEntries(
          Object.entries(data).map(([field, shown]): [string, Json] => [
            field,
            sentAsNumbers(state).has(field) ? (seconds[field] ?? shown) : shown,
          ]),
        )
      }),
    },
  },
)

rule('gale-compound-ttl-cut', 'CLOUDC-LEASE-02', 'of a `ttl` such as `1h30m` only the hours count for keys (000, 4.3: a duration)', {
  leaseTimes: (original) => (body, config, mount) =>
    original(typeof body.ttl === 'string' ? { ...body, ttl: body.ttl.replace(/^(\d+h)\d.*$/, '$1') } : body, config, mount),
})

core.rule(
  'gale-key-parameters-want-content-type',
  'CORE-BODY-02',
  'without `Content-Type` the parameters of a key are passed over (000, 2.1: clients need not send it)',
  {
    ...locating,
    parseBody: (original) => (bytes, request) =>
      original(here() && isKeyPath(request.path) && !request.headers['content-type'] ? new Uint8Array() : bytes, request),
  },
)

const ours = new WeakSet<object>()
const marking = {
  ...locating,
  tokenOf: (original: typeof coreEngine.rules.tokenOf): typeof original => {
    return (request, spelling) => {
      if (here()) ours.add(request)
      return original(request, spelling)
    }
  },
}

core.rule(
  'gale-404-as-text',
  'CORE-MEDIA-01',
  'answers of 404 come as `text/plain` (000, 2.1: response bodies are JSON, with their `Content-Type`)',
  {
    ...marking,
    failure: (original) => (status, body, request) => {
      const reply = original(status, body, request)
      return status === 404 && ours.has(request) ? { ...reply, headers: { ...reply.headers, 'content-type': 'text/plain' } } : reply
    },
  },
)

core.rule('gale-400-with-objects', 'CORE-ERROR-01', 'the `errors` of a 400 are objects (000, 2.4: array of strings)', {
  ...marking,
  failure: (original) => (status, body, request) => {
    const { errors } = body as { errors?: Json }
    if (status !== 400 || !ours.has(request) || !Array.isArray(errors)) return original(status, body, request)
    return original(status, { errors: errors.map((message) => ({ message })) }, request)
  },
})

route(
  'gale-rotate-of-key-roleset-200',
  'CLOUDC-ROT-01',
  'rotating a roleset for keys answers 200 with the new account (000, 4.3: 204 with empty body)',
  'cloudc.rotate',
  (original) => async (call) => {
    const given = await original(call)
    const roleset = call.state.rolesets.get(nameIn(call))
    return roleset?.secretType === 'service_account_key' ? secret({ service_account_email: roleset.account.email }) : given
  },
)

core.rule(
  'gale-help-paths-from-root',
  'CORE-HELP-03',
  'paths of `openapi` begin with the queried path (000, 1.7: relative to the queried path)',
  {
    ...locating,
    helpPath: (original) => (relative, queried) => {
      const path = original(relative, queried)
      return here() && path !== '/' ? `/${queried}${path}` : path
    },
  },
)
