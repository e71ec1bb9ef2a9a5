/** Faults of request bodies, content types and limits. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { type Json, type JsonObject, stringify } from '../../core/json.ts'
import type { CoreRules } from '../../core/rules.ts'
import { faultsOf } from '../../faults/declare.ts'
import { isEngineRoute, isProvisioning } from '../../faults/request-kinds.ts'

const { rule, declared } = faultsOf(coreEngine)

rule('body-ignored', 'CORE-BODY-01', 'a body is taken for empty', {
  parseBody: (original) => (bytes, request) =>
    isProvisioning(request) ? original(bytes, request) : { text: '{"data":{}}', body: { data: {} } },
})

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

rule('not-json-stored', 'CORE-BODY-02', 'a body that is not JSON is taken for text', {
  parseBody: lenient((text) => (parsed(text) === undefined ? { value: text, data: { value: text } } : undefined)),
})
rule('form-body-taken', 'CORE-BODY-02', 'a body that is not JSON is taken for an empty object', {
  parseBody: lenient((text) => (/^\s*([[{"\d-]|null|true|false)/.test(text) ? undefined : {})),
})

/** Another status of what is refused. */
const refusedWith =
  (status: number) =>
  (original: ParseBody): ParseBody =>
  (bytes, request) => {
    try {
      return original(bytes, request)
    } catch {
      throw new ApiError(status)
    }
  }

rule('not-json-422', 'CORE-BODY-03', 'a body that is not JSON is refused with 422', { parseBody: refusedWith(422) })
rule('control-character-500', 'CORE-STATUS-13', 'a control character in a path ends in an internal error', {
  check: (original) => (call, route) => {
    if (/\p{Cc}/u.test(Object.values(call.params).join(''))) throw new ApiError(500, 'internal error')
    return original(call, route)
  },
})
rule('not-json-500', ['CORE-STATUS-13', 'CORE-BODY-03'], 'a body that is not JSON ends in an internal error', {
  parseBody: refusedWith(500),
})

/** Closes what is open at the end of a text that was cut short. */
const repaired = (text: string): JsonObject | undefined => {
  const found = ['}', '}}', '"}', '"}}', ']}', '1}', '1}}'].map((end) => parsed(text + end)).find((value) => value !== undefined)
  return found as JsonObject | undefined
}

rule('cut-short-repaired', 'CORE-BODY-04', 'a body that was cut short is completed', {
  parseBody: lenient((text) => (text.trim().startsWith('{') ? repaired(text) : undefined)),
})
rule('any-json-wrapped', ['CORE-BODY-05', 'KV-V1-05'], 'a body of another JSON type is wrapped into an object', {
  parseBody: lenient((text) => {
    const value = parsed(text)
    return value === undefined ? undefined : { value, data: { value } }
  }),
})
rule('list-body-empty', 'KV-V1-05', 'a list as body is taken for an empty object', {
  parseBody: lenient((text) => (text.trim().startsWith('[') ? {} : undefined)),
})

const refused = (where: (text: string) => boolean): Parameters<typeof rule>[3] => ({
  parseBody: (original) => (bytes, request) => {
    if (where(new TextDecoder().decode(bytes)) && !isProvisioning(request)) throw invalid('failed to parse JSON input')
    return original(bytes, request)
  },
})
rule(
  'white-space-refused',
  'CORE-BODY-10',
  'a body with line breaks is refused',
  refused((text) => text.includes('\n')),
)
rule(
  'blank-before-body',
  'CORE-BODY-10',
  'a body that begins with a blank is refused',
  refused((text) => /^\s/.test(text)),
)
rule('put-without-body', ['CORE-WRITE-01', 'KV-V1-03'], 'the body of PUT is not read', {
  parseBody: (original) => (bytes, request) =>
    original(request.method === 'PUT' && !isProvisioning(request) ? new Uint8Array() : bytes, request),
})
rule('answers-as-text', 'CORE-MEDIA-01', 'answers are labelled as plain text', {
  finish: (original) => (call, route, reply) => {
    const finished = original(call, route, reply)
    if (finished.body === undefined || !isEngineRoute(route)) return finished
    return { ...finished, headers: { 'content-type': 'text/plain' } }
  },
})
rule('errors-as-text', 'CORE-MEDIA-01', 'refusals are labelled as plain text', {
  failure: (original) => (status, body, request) => ({ ...original(status, body, request), headers: { 'content-type': 'text/plain' } }),
})
rule('wrong-method-as-text', 'CORE-MEDIA-01', 'the refusal of a method is sent as text', {
  failure: (original) => (status, body, request) =>
    status === 405
      ? { status, raw: { contentType: 'text/plain', bytes: Buffer.from(JSON.stringify(body)) } }
      : original(status, body, request),
})
rule('content-type-demanded', 'CORE-MEDIA-02', 'a body without a content type is refused', {
  check: (original) => (call, route) => {
    original(call, route)
    if (isEngineRoute(route) && call.method === 'POST' && !call.headers['content-type']) throw new ApiError(415, 'unsupported media type')
  },
})
rule('limit-half', 'CORE-LIMIT-01', 'the largest request is 16 MB', { requestTooLarge: () => (bytes) => bytes > 16 * 1024 * 1024 })
rule('limit-thirty-megabytes', 'CORE-LIMIT-01', 'requests above 30 MiB are refused', {
  requestTooLarge: () => (bytes) => bytes > 30 * 1024 * 1024,
})
rule('no-limit', 'CORE-LIMIT-02', 'requests of any size are taken', { requestTooLarge: () => () => false })
rule('limit-late', 'CORE-LIMIT-03', 'a body that is too large is carried out, then refused', {
  requestTooLarge: () => () => false,
  finish: (original) => (call, route, reply) =>
    call.text.length > 32 * 1024 * 1024 ? { status: 413, body: { errors: ['request body too large'] } } : original(call, route, reply),
})

export const faults = declared
