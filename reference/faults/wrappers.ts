/** Wrappers of handlers for faults and variants of any engine, each named by what it changes. */

import { secret } from '../core/envelope.ts'
import { ApiError } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import type { Reply } from '../core/reply.ts'

type Handler<C> = (call: C) => Reply | Promise<Reply>
export type Wrap<C> = (original: Handler<C>) => Handler<C>
type Value = JsonObject[string]

interface WithBody {
  body: JsonObject
}

/** Another request body than the one that was sent. */
export const requestBody =
  <C extends WithBody>(change: (body: JsonObject, call: C) => JsonObject): Wrap<C> =>
  (original) =>
  (call) =>
    original({ ...call, body: change(call.body, call) })

/** A request body without some of its fields. */
export const requestWithout = <C extends WithBody>(...fields: string[]): Wrap<C> =>
  requestBody((body) => Object.fromEntries(Object.entries(body).filter(([field]) => !fields.includes(field))))

/** A request body with a value where none was given. */
export const requestDefault = <C extends WithBody>(field: string, value: Value): Wrap<C> =>
  requestBody((body) => ({ [field]: value, ...body }))

/** Whether a value is an object or holds one, where none may be. */
export const isNested = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (!Array.isArray(value) || value.some((item) => typeof item === 'object'))

/** A request body in which an object, where a plain value belongs, is taken for another value; as absent where none is named. */
export const requestNestedAs = <C extends WithBody>(field: string, value: Value = null): Wrap<C> =>
  requestBody((body) => (isNested(body[field]) ? { ...body, [field]: value } : body))

/** Another reply. */
export const reply =
  <C>(change: (reply: Reply, call: C) => Reply): Wrap<C> =>
  (original) =>
  async (call) =>
    change(await original(call), call)

/** A reply with another status. */
export const replyStatus = <C>(status: number): Wrap<C> => reply((given) => ({ ...given, status }))

/** Another `data` in replies that have a body. */
export const replyData =
  <C>(change: (data: JsonObject, call: C) => JsonObject | Promise<JsonObject>): Wrap<C> =>
  (original) =>
  async (call) => {
    const given = await original(call)
    const body = given.body as JsonObject | undefined
    return body === undefined ? given : { ...given, body: { ...body, data: await change((body.data ?? {}) as JsonObject, call) } }
  }

/** A reply whose `data` lacks some members. */
export const replyDataWithout = <C>(...fields: string[]): Wrap<C> =>
  replyData((data) => Object.fromEntries(Object.entries(data).filter(([field]) => !fields.includes(field))))

/** A reply of 200 with an envelope where 204 would be sent. */
export const replyInsteadOf204 = <C>(envelope: () => Reply = () => secret(null)): Wrap<C> =>
  reply((given) => (given.status === 204 ? envelope() : given))

/** Another answer to what is refused: a reply, or another refusal. */
export const refusal =
  <C>(change: (refused: ApiError, call: C) => Reply | ApiError): Wrap<C> =>
  (original) =>
  async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause
      const instead = change(cause, call)
      if (instead instanceof ApiError) throw instead
      return instead
    }
  }

/** Another status of some refusals; by default of all. */
export const refusalStatus = <C>(status: number, when: (refused: ApiError) => boolean = () => true): Wrap<C> =>
  refusal((refused) => (when(refused) ? refused.with(status) : refused))

/** Success where the original refuses. */
export const insteadOfRefusal = <C>(answer: (call: C) => Reply, when: (call: C) => boolean = () => true): Wrap<C> =>
  refusal((refused, call) => (when(call) ? answer(call) : refused))

/** An answer without any work. */
export const insteadOfHandling =
  <C>(answer: (call: C) => Reply, when: (call: C) => boolean): Wrap<C> =>
  (original) =>
  (call) =>
    when(call) ? answer(call) : original(call)
