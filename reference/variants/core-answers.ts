/** Legal alternatives of the core conventions: what is answered, and with which status. */
import { coreEngine } from '../core/core-engine.ts'
import type { JsonObject, Reply } from '../core/engine.ts'
import { secret } from '../core/envelope.ts'
import { ApiError } from '../core/errors.ts'
import { type Variant, variant } from '../core/mutation.ts'
import type { CoreRules, RouteFacts } from '../core/rules.ts'

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

export const coreAnswerVariants: Variant[] = [
  variant(
    coreEngine,
    {
      id: 'core-writes-answer-200',
      engine: 'core',
      title: 'writes that return nothing are answered with 200 and an envelope',
      reading: '200 or 204, everywhere',
    },
    {
      rules: {
        finish: (original) => (call, route, reply) => {
          const finished = original(call, route, reply)
          const isFree = finished.status === 204 && call.method !== 'GET' && isEngineRoute(route) && !STATED_204.includes(route.id)
          return isFree ? secret(null, undefined, { warnings: ['nothing to return'] }) : finished
        },
      },
    },
  ),
  variant(
    coreEngine,
    {
      id: 'core-no-token-401',
      engine: 'core',
      title: 'a missing token is answered with 401',
      reading: 'no token: refused with 4xx; 403 is advised',
    },
    { rules: { callerRefused: withoutToken(401) } },
  ),
  variant(
    coreEngine,
    {
      id: 'core-no-token-400',
      engine: 'core',
      title: 'a missing token is answered with 400',
      reading: 'no token: refused with 4xx; 403 is advised',
    },
    { rules: { callerRefused: withoutToken(400) } },
  ),
  variant(
    coreEngine,
    {
      id: 'core-denied-404',
      engine: 'core',
      title: 'a missing capability is answered with 404',
      reading: 'missing capability: 403 or 404',
    },
    { rules: { deniedStatus: () => () => 404 } },
  ),
  variant(
    coreEngine,
    {
      id: 'core-no-existence-check',
      engine: 'core',
      title: 'every write counts as an update where no row says otherwise',
      reading: 'engines may make the existence check',
    },
    { rules: { isUpdate: (original) => (exists, route) => !STATED_CREATE.test(route.id) || original(exists, route) } },
  ),
  variant(
    coreEngine,
    { id: 'core-warnings-text', engine: 'core', title: 'warnings are a text', reading: 'warnings: null, a string or an array of strings' },
    { rules: { finish: bodies((body) => enveloped(body, { warnings: 'take care' })) } },
  ),
  variant(
    coreEngine,
    {
      id: 'core-warnings-array',
      engine: 'core',
      title: 'warnings are an array of texts',
      reading: 'warnings: null, a string or an array of strings',
    },
    { rules: { finish: bodies((body) => enveloped(body, { warnings: ['take care', 'really'] })) } },
  ),
  variant(
    coreEngine,
    {
      id: 'core-data-alone',
      engine: 'core',
      title: 'reads without lease hold data alone',
      reading: 'envelope fields are judged where present',
    },
    {
      rules: {
        finish: bodies((body, { method }) =>
          method !== 'POST' && 'request_id' in body && body.lease_id === '' ? { data: body.data ?? null } : body,
        ),
      },
    },
  ),
  variant(
    coreEngine,
    {
      id: 'core-more-members',
      engine: 'core',
      title: 'answers have members that no row names',
      reading: 'response schemas allow additional members',
    },
    { rules: { finish: bodies((body) => ({ ...body, mount_type: 'engine', 'x-trace': { span: 1 } })) } },
  ),
  variant(
    coreEngine,
    { id: 'core-errors-empty', engine: 'core', title: 'refusals give no reasons', reading: 'errors may be empty' },
    { rules: { errorBody: () => () => ({ errors: [] }) } },
  ),
  variant(
    coreEngine,
    { id: 'core-media-charset', engine: 'core', title: 'the media type has a parameter', reading: 'a JSON media type, parameters allowed' },
    {
      rules: {
        finish: (original) => (call, route, reply) => {
          const finished = original(call, route, reply)
          return finished.body === undefined
            ? finished
            : { ...finished, headers: { ...finished.headers, 'content-type': 'application/json; charset=utf-8' } }
        },
        failure:
          (original) =>
          (...refused) => ({ ...original(...refused), headers: { 'content-type': 'application/json;charset=UTF-8' } }),
      },
    },
  ),
  variant(
    coreEngine,
    {
      id: 'core-unlisted-methods',
      engine: 'core',
      title: 'methods that no row lists are extensions',
      reading: '2xx for an unlisted method is an extension',
    },
    {
      rules: {
        failure: (original) => (status, body, request) =>
          status === 405 ? { status: 200, body: { data: {} } } : original(status, body, request),
      },
    },
  ),
  variant(
    coreEngine,
    { id: 'core-head-405', engine: 'core', title: 'HEAD is not supported', reading: 'HEAD on a known path is open' },
    { rules: { canonicalMethod: (original) => (method) => (method === 'HEAD' ? 'HEAD' : original(method)) } },
  ),
  variant(
    coreEngine,
    { id: 'core-help-short', engine: 'core', title: 'the description names no paths', reading: 'a path in the description is advised' },
    { rules: { helpBody: (original) => (help, openapi) => original(help, { ...openapi, paths: {} }) } },
  ),
  variant(
    coreEngine,
    {
      id: 'core-help-without-slash',
      engine: 'core',
      title: 'relative paths in the description have no slash in front',
      reading: 'relative to the path asked; the form is not shown',
    },
    { rules: { helpPath: (original) => (relative, queried) => original(relative, queried).replace(/^\//, '') || '.' } },
  ),
  variant(
    coreEngine,
    {
      id: 'core-health-text',
      engine: 'core',
      title: 'the health endpoint answers with text and the status of a performance standby',
      reading: 'health endpoints are open',
    },
    { routes: { 'core.health': () => () => text(473, 'standby') } },
  ),
  variant(
    coreEngine,
    {
      id: 'core-unknown-namespace-403',
      engine: 'core',
      title: 'a namespace that does not exist is forbidden',
      reading: 'an unknown namespace: 403 or 404',
    },
    {
      rules: {
        effectivePath: (original) => (header, request, namespaces) => {
          const first = header?.split('/').find((segment) => segment !== '')
          if (first !== undefined && !namespaces.some((path) => path === `${first}/`)) throw new ApiError(403, 'permission denied')
          return original(header, request, namespaces)
        },
      },
    },
  ),
]
