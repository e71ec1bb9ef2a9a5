/** Legal alternatives of the core conventions: how a request is read. */

import { coreEngine } from '../../core/core-engine.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { CoreRules } from '../../core/rules.ts'
import { variantsOf } from '../../faults/declare.ts'
import { isEngineRoute } from '../../faults/request-kinds.ts'

const { rule, declared } = variantsOf(coreEngine)

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

rule('oversize-400', 'the status of an oversized body is open', 'a body that is too large is a bad request', {
  oversizeStatus: () => () => 400,
})
rule('oversize-cut', 'a closed connection counts as a refusal', 'a body that is too large ends the connection', {
  oversizeStatus: () => () => undefined,
})
rule('namespace-slash-demanded', 'header without trailing slash: open', 'a namespace header without a slash at its end names nothing', {
  effectivePath: (original) => (header, request, namespaces) =>
    header && !header.endsWith('/') ? 'unknown-namespace' : original(header, request, namespaces),
})
rule('list-any-value', 'values other than true: open', 'any value of the parameter list asks for a listing', {
  isListing: () => (method, query) => method === 'LIST' || (method === 'GET' && query.has('list')),
})
rule('bearer-case', 'case of the scheme: open', 'the scheme Bearer is case-sensitive', {
  tokenOf: (original) => (request, spelling) => {
    const { authorization = '' } = request.headers
    return original(
      authorization.startsWith('Bearer ') ? request : { ...request, headers: { ...request.headers, authorization: '' } },
      spelling,
    )
  },
})
rule('bearer-first', 'two different tokens: open', 'a bearer counts before the other header', {
  tokenOf: (original) => (request, spelling) => {
    const bearer = original({ ...request, headers: { authorization: request.headers.authorization ?? '' } }, spelling)
    return bearer ?? original(request, spelling)
  },
})
rule('any-scheme', 'other schemes are not forbidden', 'a token is taken under any scheme, or none', {
  tokenOf: (original) => (request, spelling) => original(request, spelling) ?? request.headers.authorization?.split(' ').at(-1),
})
rule('repeated-member-refused', 'repeated members: open', 'a body with one member twice is refused', {
  part: 'names',
  parseBody: refusingBodies(repeatsName),
})
rule('deep-body-refused', 'a thousand levels: open', 'a body of more than 500 levels is refused', {
  part: 'depth',
  parseBody: refusingBodies((body) => depthOf(body) > 500),
})
rule('invalid-utf8-replaced', 'bytes that are not UTF-8: open', 'bytes that are not UTF-8 are replaced', {
  part: 'bytes',
  parseBody: (original) => (bytes, request) => original(new TextEncoder().encode(new TextDecoder().decode(bytes)), request),
})
rule('other-media-type-415', 'other media types: open', 'a body under another media type is refused', {
  check: (original) => (call, route) => {
    original(call, route)
    const type = call.headers['content-type'] ?? 'application/json'
    if (isEngineRoute(route) && call.method === 'POST' && !/json|merge-patch/.test(type)) throw new ApiError(415, 'unsupported media type')
  },
})
rule('query-parameters', 'parameters in the query of a write: open', 'parameters of a write are read from the query string as well', {
  part: 'query',
  parseBody: (original) => (bytes, request) => {
    const { text: body, body: parsed } = original(bytes, request)
    const extra = [...request.query].filter(([name]) => !(name in parsed))
    if (extra.length === 0) return { text: body, body: parsed }
    const merged = { ...Object.fromEntries(extra), ...parsed }
    return { text: JSON.stringify(merged), body: merged }
  },
})

export const variants = declared
