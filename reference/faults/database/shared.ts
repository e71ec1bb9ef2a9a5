/** Ways of getting it wrong that several faults of the database engine share. */
import type { JsonObject, Reply } from '../../core/engine.ts'
import { type Fault, fault, type Mutation } from '../../core/mutation.ts'
import { type DatabaseRoute, databaseEngine } from '../../engines/database/index.ts'
import type { DatabaseRules } from '../../engines/database/rules.ts'

export type Handle = DatabaseRoute['handle']
type DatabaseCall = Parameters<Handle>[0]

/** Declares a fault of the engine. */
export const databaseFault = (id: string, clauses: string[], title: string, mutation: Mutation<DatabaseRules, Handle>): Fault =>
  fault(databaseEngine, { id: `database-${id}`, engine: 'database', title, clauses }, mutation)

const isNested = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (!Array.isArray(value) || value.some((item) => typeof item === 'object'))

export const withBody =
  (change: (body: JsonObject, call: DatabaseCall) => JsonObject) =>
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, body: change(call.body, call) })

/** Takes an object where a plain value belongs, as though `value` were written. */
export const tolerating = (field: string, value: JsonObject[string]) =>
  withBody((body) => (isNested(body[field]) ? { ...body, [field]: value } : body))

/** Puts a value where none was given. */
export const filling = (field: string, value: JsonObject[string]) => withBody((body) => ({ [field]: value, ...body }))

/** Changes `data` of successful answers. */
export const withData =
  (change: (data: JsonObject, call: DatabaseCall) => JsonObject) =>
  (original: Handle): Handle =>
  async (call) => {
    const reply = await original(call)
    const body = reply.body as JsonObject | undefined
    return body === undefined ? reply : { ...reply, body: { ...body, data: change(body.data as JsonObject, call) } }
  }

/** Answers with success where the original throws. */
export const forgiving =
  (reply: (call: DatabaseCall) => Reply) =>
  (original: Handle): Handle =>
  async (call) => {
    try {
      return await original(call)
    } catch {
      return reply(call)
    }
  }

/** Acknowledges writes of one sort without doing anything. */
export const idle =
  (when: (call: DatabaseCall) => boolean, reply: Reply) =>
  (original: Handle): Handle =>
  (call) =>
    when(call) ? reply : original(call)

export const nameOf = (call: DatabaseCall): string => call.params.name ?? ''
