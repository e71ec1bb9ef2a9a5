/** Legal alternatives of the core conventions. */
import { coreEngine } from '../core/core-engine.ts'
import type { JsonObject, Reply } from '../core/engine.ts'
import { secret } from '../core/envelope.ts'
import { ApiError, invalid } from '../core/errors.ts'
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

const refusingBodies =
  (refused: (text: string) => boolean) =>
  (original: CoreRules['parseBody']): CoreRules['parseBody'] =>
  (bytes, request) => {
    const parsed = original(bytes, request)
    if (refused(parsed.text)) throw invalid('this body is not supported')
    return parsed
  }

const depthOf = (text: string): number => {
  let depth = 0
  let deepest = 0
  for (const character of text) {
    if (character === '[' || character === '{') depth += 1
    if (character === ']' || character === '}') depth -= 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

/** Member names of an object's text, as far as they stand at its top. */
const repeatsName = (text: string): boolean => {
  const names = [...text.matchAll(/[{,]\s*"((?:[^"\\]|\\.)*)"\s*:/g)].map(([, name]) => name)
  return !/[{[].*[{[]/s.test(text) && new Set(names).size < names.length
}

const text = (status: number, body: string): Reply => ({ status, raw: { contentType: 'text/plain', bytes: Buffer.from(body) } })

export const coreVariants: Variant[] = [
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
    {
      id: 'core-oversize-400',
      engine: 'core',
      title: 'a body that is too large is a bad request',
      reading: 'the status of an oversized body is open',
    },
    { rules: { oversizeStatus: () => () => 400 } },
  ),
  variant(
    coreEngine,
    {
      id: 'core-oversize-cut',
      engine: 'core',
      title: 'a body that is too large ends the connection',
      reading: 'a closed connection counts as a refusal',
    },
    { rules: { oversizeStatus: () => () => undefined } },
  ),
  variant(
    coreEngine,
    {
      id: 'core-namespace-slash-demanded',
      engine: 'core',
      title: 'a namespace header without a slash at its end names nothing',
      reading: 'header without trailing slash: open',
    },
    {
      rules: {
        effectivePath: (original) => (header, request, namespaces) =>
          header && !header.endsWith('/') ? 'unknown-namespace' : original(header, request, namespaces),
      },
    },
  ),
  variant(
    coreEngine,
    {
      id: 'core-list-any-value',
      engine: 'core',
      title: 'any value of the parameter list asks for a listing',
      reading: 'values other than true: open',
    },
    { rules: { isListing: () => (method, query) => method === 'LIST' || (method === 'GET' && query.has('list')) } },
  ),
  variant(
    coreEngine,
    { id: 'core-bearer-case', engine: 'core', title: 'the scheme Bearer is case-sensitive', reading: 'case of the scheme: open' },
    {
      rules: {
        tokenOf: (original) => (request, spelling) => {
          const { authorization = '' } = request.headers
          return original(
            authorization.startsWith('Bearer ') ? request : { ...request, headers: { ...request.headers, authorization: '' } },
            spelling,
          )
        },
      },
    },
  ),
  variant(
    coreEngine,
    { id: 'core-bearer-first', engine: 'core', title: 'a bearer counts before the other header', reading: 'two different tokens: open' },
    {
      rules: {
        tokenOf: (original) => (request, spelling) => {
          const bearer = original({ ...request, headers: { authorization: request.headers.authorization ?? '' } }, spelling)
          return bearer ?? original(request, spelling)
        },
      },
    },
  ),
  variant(
    coreEngine,
    {
      id: 'core-any-scheme',
      engine: 'core',
      title: 'a token is taken under any scheme, or none',
      reading: 'other schemes are not forbidden',
    },
    {
      rules: {
        tokenOf: (original) => (request, spelling) => original(request, spelling) ?? request.headers.authorization?.split(' ').at(-1),
      },
    },
  ),
  variant(
    coreEngine,
    {
      id: 'core-repeated-member-refused',
      engine: 'core',
      title: 'a body with one member twice is refused',
      reading: 'repeated members: open',
    },
    { rules: { parseBody: refusingBodies(repeatsName) } },
  ),
  variant(
    coreEngine,
    {
      id: 'core-deep-body-refused',
      engine: 'core',
      title: 'a body of more than 500 levels is refused',
      reading: 'a thousand levels: open',
    },
    { rules: { parseBody: refusingBodies((body) => depthOf(body) > 500) } },
  ),
  variant(
    coreEngine,
    {
      id: 'core-invalid-utf8-replaced',
      engine: 'core',
      title: 'bytes that are not UTF-8 are replaced',
      reading: 'bytes that are not UTF-8: open',
    },
    {
      rules: { parseBody: (original) => (bytes, request) => original(new TextEncoder().encode(new TextDecoder().decode(bytes)), request) },
    },
  ),
  variant(
    coreEngine,
    {
      id: 'core-other-media-type-415',
      engine: 'core',
      title: 'a body under another media type is refused',
      reading: 'other media types: open',
    },
    {
      rules: {
        check: (original) => (call, route) => {
          original(call, route)
          const type = call.headers['content-type'] ?? 'application/json'
          if (isEngineRoute(route) && call.method === 'POST' && !/json|merge-patch/.test(type))
            throw new ApiError(415, 'unsupported media type')
        },
      },
    },
  ),
  variant(
    coreEngine,
    {
      id: 'core-query-parameters',
      engine: 'core',
      title: 'parameters of a write are read from the query string as well',
      reading: 'parameters in the query of a write: open',
    },
    {
      rules: {
        parseBody: (original) => (bytes, request) => {
          const { text: body, body: parsed } = original(bytes, request)
          const extra = [...request.query].filter(([name]) => !(name in parsed))
          if (extra.length === 0) return { text: body, body: parsed }
          const merged = { ...Object.fromEntries(extra), ...parsed }
          return { text: JSON.stringify(merged), body: merged }
        },
      },
    },
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
