/** Faults of how requests are read and answered, guessed from the documents. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isEngineRoute, isProvisioning, withBody } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine)
const ssh = faultsOf(coreEngine, 'ssh')
const managedKeys = faultsOf(coreEngine, 'managed-keys')

ssh.rule(
  'guess-lease-carried-to-next-answer',
  ['CORE-ENV-10'],
  'the answer after a leased one shows the id of that lease, for the same caller and mount',
  {
    finish: (original) => {
      const before = new WeakMap<object, Map<string, Json>>()
      return (call, route, reply) =>
        withBody(original(call, route, reply), (body) => {
          if (!isEngineRoute(route) || typeof body.lease_id !== 'string' || !call.token) return body
          const leases = before.get(call.state as object) ?? new Map<string, Json>()
          before.set(call.state as object, leases)
          const carried = leases.get(call.token.id) ?? ''
          leases.set(call.token.id, body.lease_id)
          return body.lease_id === '' ? { ...body, lease_id: carried } : body
        })
    },
  },
)

managedKeys.rule(
  'guess-restricted-below-administrative',
  ['MANAGED-KEYS-NS-02'],
  'restricted endpoints also work in the namespaces below the administrative one',
  {
    servesSystemPath: (original) => (namespace, administrative) =>
      original(namespace, administrative) || (administrative !== '' && namespace.startsWith(administrative)),
  },
)

rule(
  'guess-repeated-prefix-dropped',
  ['CORE-NS-08'],
  'a path that begins with the same namespace as the header does not get it a second time',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const prefix = (header ?? '').split('/').filter((segment) => segment !== '')
      const repeated = prefix.length > 0 && !isProvisioning(request) && request.path.startsWith(`${prefix.join('/')}/`)
      return original(repeated ? undefined : header, request, namespaces)
    },
  },
)

rule('guess-hundred-names-by-get', ['KV-LIST-09', 'KV-LIST-01'], 'a listing that is asked for with GET ends after 100 names', {
  finish: (original) => (call, route, reply) => {
    const finished = original(call, route, reply)
    if (!isEngineRoute(route) || call.method !== 'LIST' || call.query.get('list') !== 'true') return finished
    return withBody(finished, (body) => {
      const data = (body.data ?? {}) as JsonObject
      return Array.isArray(data.keys) ? { ...body, data: { ...data, keys: data.keys.slice(0, 100) } } : body
    })
  },
})

rule('guess-two-periods-allowed', ['CORE-PERIOD-01'], 'a path parameter that ends in two periods is accepted', {
  pathParameterAllowed: (original) => (value) => original(value) || value.endsWith('..'),
})

rule(
  'guess-help-of-first-path',
  ['CORE-HELP-03'],
  'the description of the path of a mount that was asked for first is given for its other paths, too',
  {
    helpBody: (original) => {
      const first = new Map<string, JsonObject>()
      return (help, openapi) => {
        // The text begins with the path, and the path with the mount.
        const mount = help.split('\n')[0]?.split('/')[0] ?? ''
        if (!first.has(mount)) first.set(mount, openapi)
        return original(help, first.get(mount) ?? openapi)
      }
    },
  },
)

rule('guess-blank-before-body', ['CORE-BODY-10'], 'a body that begins with a blank or a line end is refused', {
  parseBody: (original) => (bytes, request) => {
    if (/^\s/.test(String.fromCharCode(bytes[0] ?? 0)) && !isProvisioning(request)) throw invalid('the body must be a JSON object')
    return original(bytes, request)
  },
})

ssh.rule(
  'guess-listed-path-has-one-verb',
  ['CORE-STATUS-08'],
  'a method that a path does not have is answered 404 where the path can only be listed',
  {
    wrongMethodStatus: (original) => (method, routes) =>
      routes.every((known) => known.method === 'LIST') ? 404 : original(method, routes),
  },
)
