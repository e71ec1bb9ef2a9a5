/** Faults of request bodies, content types and limits. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject } from '../../core/engine.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { stringify } from '../../core/json.ts'
import { type Fault, fault } from '../../core/mutation.ts'
import type { CoreRules } from '../../core/rules.ts'
import { isEngineRoute, isProvisioning } from './shared.ts'

type ParseBody = CoreRules['parseBody']

/** Takes over where the body is refused, or wherever `rescue` gives something; other bodies are parsed as ever. */
const lenient =
  (rescue: (text: string) => JsonObject | undefined) =>
  (original: ParseBody): ParseBody =>
  (bytes, request) => {
    try {
      return original(bytes, request)
    } catch (cause) {
      const body = rescue(new TextDecoder().decode(bytes))
      if (!body) throw cause
      return { text: stringify(body), body }
    }
  }

const parsed = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** Closes what is open at the end of a text that was cut short. */
const repaired = (text: string): JsonObject | undefined => {
  const found = ['}', '}}', '"}', '"}}', ']}', '1}', '1}}'].map((end) => parsed(text + end)).find((value) => value !== undefined)
  return found as JsonObject | undefined
}

export const bodyFaults: Fault[] = [
  fault(
    coreEngine,
    { id: 'core-body-ignored', engine: 'core', title: 'a body is taken for empty', clauses: ['CORE-BODY-01'] },
    {
      rules: {
        parseBody: (original) => (bytes, request) =>
          isProvisioning(request) ? original(bytes, request) : { text: '{"data":{}}', body: { data: {} } },
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-not-json-stored', engine: 'core', title: 'a body that is not JSON is taken for text', clauses: ['CORE-BODY-02'] },
    { rules: { parseBody: lenient((text) => (parsed(text) === undefined ? { value: text, data: { value: text } } : undefined)) } },
  ),
  fault(
    coreEngine,
    { id: 'core-not-json-422', engine: 'core', title: 'a body that is not JSON is refused with 422', clauses: ['CORE-BODY-03'] },
    {
      rules: {
        parseBody: (original) => (bytes, request) => {
          try {
            return original(bytes, request)
          } catch {
            throw new ApiError(422, 'unprocessable')
          }
        },
      },
    },
  ),
  fault(
    coreEngine,
    {
      id: 'core-not-json-500',
      engine: 'core',
      title: 'a body that is not JSON ends in an internal error',
      clauses: ['CORE-STATUS-13', 'CORE-BODY-03'],
    },
    {
      rules: {
        parseBody: (original) => (bytes, request) => {
          try {
            return original(bytes, request)
          } catch {
            throw new ApiError(500, 'internal error')
          }
        },
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-cut-short-repaired', engine: 'core', title: 'a body that was cut short is completed', clauses: ['CORE-BODY-04'] },
    { rules: { parseBody: lenient((text) => (text.trim().startsWith('{') ? repaired(text) : undefined)) } },
  ),
  fault(
    coreEngine,
    {
      id: 'core-any-json-wrapped',
      engine: 'core',
      title: 'a body of another JSON type is wrapped into an object',
      clauses: ['CORE-BODY-05', 'KV-V1-05'],
    },
    {
      rules: {
        parseBody: lenient((text) => {
          const value = parsed(text)
          return value === undefined ? undefined : { value, data: { value } }
        }),
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-white-space-refused', engine: 'core', title: 'a body with line breaks is refused', clauses: ['CORE-BODY-10'] },
    {
      rules: {
        parseBody: (original) => (bytes, request) => {
          if (new TextDecoder().decode(bytes).includes('\n')) throw invalid('failed to parse JSON input')
          return original(bytes, request)
        },
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-answers-as-text', engine: 'core', title: 'answers are labelled as plain text', clauses: ['CORE-MEDIA-01'] },
    {
      rules: {
        finish: (original) => (call, route, reply) => {
          const finished = original(call, route, reply)
          if (finished.body === undefined || !isEngineRoute(route)) return finished
          return { ...finished, headers: { 'content-type': 'text/plain' } }
        },
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-errors-as-text', engine: 'core', title: 'refusals are labelled as plain text', clauses: ['CORE-MEDIA-01'] },
    {
      rules: {
        failure:
          (original) =>
          (...failed) => ({ ...original(...failed), headers: { 'content-type': 'text/plain' } }),
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-content-type-demanded', engine: 'core', title: 'a body without a content type is refused', clauses: ['CORE-MEDIA-02'] },
    {
      rules: {
        check: (original) => (call, route) => {
          original(call, route)
          if (isEngineRoute(route) && call.method === 'POST' && !call.headers['content-type'])
            throw new ApiError(415, 'unsupported media type')
        },
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-limit-half', engine: 'core', title: 'the largest request is 16 MB', clauses: ['CORE-LIMIT-01'] },
    { rules: { requestTooLarge: () => (bytes) => bytes > 16 * 1024 * 1024 } },
  ),
  fault(
    coreEngine,
    { id: 'core-no-limit', engine: 'core', title: 'requests of any size are taken', clauses: ['CORE-LIMIT-02'] },
    { rules: { requestTooLarge: () => () => false } },
  ),
  fault(
    coreEngine,
    { id: 'core-limit-late', engine: 'core', title: 'a body that is too large is carried out, then refused', clauses: ['CORE-LIMIT-03'] },
    {
      rules: {
        requestTooLarge: () => () => false,
        finish: (original) => (call, route, reply) =>
          call.text.length > 32 * 1024 * 1024
            ? { status: 413, body: { errors: ['request body too large'] } }
            : original(call, route, reply),
      },
    },
  ),
]
