/** Members of JSON bodies at places such as `data.keys`, in requests and in replies; of a list on the way each item is meant. */
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { AnyCall, Wrap } from './family.ts'

const isObject = (value: Json | undefined): value is JsonObject => value !== null && typeof value === 'object' && !Array.isArray(value)

/** The object with another value of a member at a path; without it where the change gives undefined. What lacks the way to it stays as it is. */
const withMember = (body: JsonObject, path: string, change: (value: Json | undefined) => Json | undefined): JsonObject => {
  const [first = '', ...rest] = path.split('.')
  const { [first]: value, ...others } = body
  if (rest.length > 0) {
    const inside = (part: Json): Json => (isObject(part) ? withMember(part, rest.join('.'), change) : part)
    if (Array.isArray(value)) return { ...body, [first]: value.map(inside) }
    return isObject(value) ? { ...body, [first]: inside(value) } : body
  }
  const changed = change(value)
  if (changed === value) return body
  return changed === undefined ? others : { ...body, [first]: changed }
}

/** The value of a member at a path, undefined where there is none. */
export const memberOf = (body: Json | undefined, path: string): Json | undefined =>
  path.split('.').reduce<Json | undefined>((value, name) => (isObject(value) ? value[name] : undefined), body)

/** The body of a request as an object; undefined unless it is a JSON object. */
export const bodyOf = ({ body }: AnyCall): JsonObject | undefined => {
  if (!(body instanceof Uint8Array)) return body
  try {
    const parsed = JSON.parse(new TextDecoder().decode(body)) as Json
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** The request with another body. */
const withBody = (call: AnyCall, body: JsonObject): AnyCall => ({
  ...call,
  body: call.body instanceof Uint8Array ? new TextEncoder().encode(JSON.stringify(body)) : body,
})

/** Handles a request with another value of a member of its body. */
export const requestMember =
  (path: string, change: (value: Json | undefined, call: AnyCall) => Json | undefined): Wrap =>
  (original) =>
  (call) => {
    const body = bodyOf(call)
    return original(
      body === undefined
        ? call
        : withBody(
            call,
            withMember(body, path, (value) => change(value, call)),
          ),
    )
  }

/** Answers with another value of a member of the reply's body. */
export const replyMember =
  (path: string, change: (value: Json | undefined, call: AnyCall) => Json | undefined): Wrap =>
  (original) =>
  async (call) => {
    const reply: Reply = await original(call)
    if (!isObject(reply.body)) return reply
    return { ...reply, body: withMember(reply.body, path, (value) => (value === undefined ? undefined : change(value, call))) }
  }
