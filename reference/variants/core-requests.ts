/** Legal alternatives of the core conventions: how a request is read. */
import { coreEngine } from '../core/core-engine.ts'
import { ApiError, invalid } from '../core/errors.ts'
import { type Variant, variant } from '../core/mutation.ts'
import type { CoreRules, RouteFacts } from '../core/rules.ts'

const isEngineRoute = ({ id }: RouteFacts): boolean => !/^(sys|token|core)\./.test(id)

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

export const coreRequestVariants: Variant[] = [
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
]
