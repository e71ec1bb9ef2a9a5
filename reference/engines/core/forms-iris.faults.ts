/** Faults of the core conventions where the same thing has another form: spaces, null, listings in both forms, types, unicode. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isEngineRoute, isProvisioning, withBody } from '../../mutations/request-kinds.ts'
import { isMap, lists } from './iris-help.ts'

const core = faultsOf(coreEngine, 'core')

core.rule(
  'iris-newline-after-body',
  'CORE-BODY-10',
  'a body whose object is followed by white space is refused (000, 2.1: bodies are JSON, which white space may end)',
  {
    parseBody: (original) => (bytes, request) => {
      if (bytes.length > 0 && bytes.at(-1) !== 0x7d && !isProvisioning(request)) throw invalid('the body must be a JSON object')
      return original(bytes, request)
    },
  },
)

core.rule(
  'iris-405-errors-are-objects',
  'CORE-ERROR-01',
  'the errors of a 405 are objects with a message (000, 2.4: `errors` is an array of strings)',
  {
    failure: (original) => (status, body, request) => {
      const given = original(status, body, request)
      if (status !== 405) return given
      return withBody(given, ({ errors }) => ({ errors: Array.isArray(errors) ? errors.map((message) => ({ message })) : [] }))
    },
  },
)

core.rule(
  'iris-refused-listing-as-text',
  'CORE-MEDIA-01',
  'refusals of listings are sent with the content type `text/plain` (000, 2.1: response bodies are JSON, and the service sets `Content-Type`)',
  {
    failure: (original) => (status, body, request) => {
      const given = original(status, body, request)
      return lists(request) && !isProvisioning(request) ? { ...given, headers: { ...given.headers, 'content-type': 'text/plain' } } : given
    },
  },
)

core.rule(
  'iris-get-form-of-empty-listing',
  'CORE-LIST-03',
  'an empty listing asked by `GET` with `list=true` answers 200 and `keys` null (000, 1.5: an empty listing returns 404, in both forms)',
  {
    failure: (original) => (status, body, request) => {
      const isEmpty = status === 404 && isMap(body) && Array.isArray(body.errors) && body.errors.length === 0
      if (!isEmpty || request.method !== 'GET' || !lists(request)) return original(status, body, request)
      return { status: 200, body: { lease_id: '', renewable: false, lease_duration: 0, data: { keys: null }, warnings: null } }
    },
  },
)

core.rule(
  'iris-listing-with-duration',
  'CORE-ENV-11',
  'listings show the default lease time of the mount as `lease_duration` (000, 2.3: 0 when no lease)',
  {
    finish: (original) => (call, route, reply) => {
      const given = original(call, route, reply)
      if (call.method !== 'LIST' || !isEngineRoute(route)) return given
      return withBody(given, (body) => ('lease_duration' in body ? { ...body, lease_duration: call.mount.defaultLeaseTtl } : body))
    },
  },
)
