/** Legal alternatives of the core conventions: what is answered, and with which status. */

import { coreEngine } from '../../core/core-engine.ts'
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { CoreRules, RouteFacts } from '../../core/rules.ts'
import { variantsOf } from '../../faults/declare.ts'

const { rule, route, declared } = variantsOf(coreEngine)

type Finish = CoreRules['finish']

const isEngineRoute = ({ id }: RouteFacts): boolean => !/^(sys|token|core)\./.test(id)

const bodies =
  (change: (body: JsonObject, route: RouteFacts) => JsonObject) =>
  (original: Finish): Finish =>
  (call, route, reply) => {
    const finished = original(call, route, reply)
    const { body } = finished
    if (!isEngineRoute(route) || body === null || typeof body !== 'object' || Array.isArray(body)) return finished
    return { ...finished, body: change(body, route) }
  }

const enveloped = (body: JsonObject, fields: JsonObject): JsonObject => ('request_id' in body ? { ...body, ...fields } : body)

/** Writes whose row states 204. */
const STATED_204 = ['ssh.writeCa']

/** Writes whose row tells the capabilities to create and to update apart. */
const STATED_CREATE = /^database\.write/

/** Refuses callers without a token with another status. */
const withoutToken =
  (status: number) =>
  (original: CoreRules['callerRefused']): CoreRules['callerRefused'] =>
  (given, token, request) =>
    given === undefined ? status : original(given, token, request)

const text = (status: number, body: string): Reply => ({ status, raw: { contentType: 'text/plain', bytes: Buffer.from(body) } })

rule('writes-answer-200', '200 or 204, everywhere', 'writes that return nothing are answered with 200 and an envelope', {
  part: 'status',
  finish: (original) => (call, route, reply) => {
    const finished = original(call, route, reply)
    const isFree = finished.status === 204 && call.method !== 'GET' && isEngineRoute(route) && !STATED_204.includes(route.id)
    return isFree ? secret(null, undefined, { warnings: ['nothing to return'] }) : finished
  },
})
rule('no-token-401', 'no token: refused with 4xx; 403 is advised', 'a missing token is answered with 401', {
  callerRefused: withoutToken(401),
})
rule('no-token-400', 'no token: refused with 4xx; 403 is advised', 'a missing token is answered with 400', {
  callerRefused: withoutToken(400),
})
rule('denied-404', 'missing capability: 403 or 404', 'a missing capability is answered with 404', { deniedStatus: () => () => 404 })
rule('no-existence-check', 'engines may make the existence check', 'every write counts as an update where no row says otherwise', {
  isUpdate: (original) => (exists, route) => !STATED_CREATE.test(route.id) || original(exists, route),
})
rule('warnings-text', 'warnings: null, a string or an array of strings', 'warnings are a text', {
  part: 'envelope',
  finish: bodies((body) => enveloped(body, { warnings: 'take care' })),
})
rule('warnings-array', 'warnings: null, a string or an array of strings', 'warnings are an array of texts', {
  part: 'envelope',
  finish: bodies((body) => enveloped(body, { warnings: ['take care', 'really'] })),
})
rule('data-alone', 'envelope fields are judged where present', 'reads without lease hold data alone', {
  part: 'envelope',
  finish: bodies((body, { method }) =>
    method !== 'POST' && 'request_id' in body && body.lease_id === '' ? { data: body.data ?? null } : body,
  ),
})
rule('more-members', 'response schemas allow additional members', 'answers have members that no row names', {
  part: 'members',
  finish: bodies((body) => ({ ...body, mount_type: 'engine', 'x-trace': { span: 1 } })),
})
rule('errors-empty', 'errors may be empty', 'refusals give no reasons, but for names that end in a period', {
  errorBody: (original) => (messages) => original(messages.filter((message) => message.startsWith('unsupported path:'))),
})
rule('media-charset', 'a JSON media type, parameters allowed', 'the media type has a parameter', {
  part: 'headers',
  finish: (original) => (call, route, reply) => {
    const finished = original(call, route, reply)
    return finished.body === undefined
      ? finished
      : { ...finished, headers: { ...finished.headers, 'content-type': 'application/json; charset=utf-8' } }
  },
  failure: (original) => (status, body, request) => ({
    ...original(status, body, request),
    headers: { 'content-type': 'application/json;charset=UTF-8' },
  }),
})
rule('unlisted-methods', '2xx for an unlisted method is an extension', 'methods that no row lists are extensions', {
  part: 'status',
  failure: (original) => (status, body, request) =>
    status === 405 ? { status: 200, body: { data: {} } } : original(status, body, request),
})
rule('head-405', 'HEAD on a known path is open', 'HEAD is not supported', {
  canonicalMethod: (original) => (method) => (method === 'HEAD' ? 'HEAD' : original(method)),
})
rule(
  'help-without-slash',
  'relative to the path asked; the form is not shown',
  'relative paths in the description have no slash in front',
  { helpPath: (original) => (relative, queried) => original(relative, queried).replace(/^\//, '') || '.' },
)
route(
  'health-text',
  'health endpoints are open',
  'the health endpoint answers with text and the status of a performance standby',
  'core.health',
  () => () => text(473, 'standby'),
)
rule('unknown-namespace-403', 'an unknown namespace: 403 or 404', 'a namespace that does not exist is forbidden', {
  effectivePath: (original) => (header, request, namespaces) => {
    const first = header?.split('/').find((segment) => segment !== '')
    if (first !== undefined && !namespaces.some((path) => path === `${first}/`)) throw new ApiError(403, 'permission denied')
    return original(header, request, namespaces)
  },
})

export const variants = declared
