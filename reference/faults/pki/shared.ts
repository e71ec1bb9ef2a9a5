/** Ways to write a fault of the certificate authority in a line or two. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Call, Json, JsonObject, Reply, Route } from '../../core/engine.ts'
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { type Fault, fault, type Mutation } from '../../core/mutation.ts'
import { pkiEngine } from '../../engines/pki/index.ts'
import type { PkiRules } from '../../engines/pki/rules.ts'
import type { PkiState } from '../../engines/pki/state.ts'
import { forgivingCalls } from '../forgiving.ts'

type Handle = Route<PkiState, PkiRules>['handle']
type PkiCall = Call<PkiState, PkiRules>

/** A fault of the engine; its id gets the engine's prefix. */
export const pkiFault = (name: string, title: string, clauses: string | string[], mutation: Mutation<PkiRules, Handle>): Fault =>
  fault(pkiEngine, { id: `pki-${name}`, engine: 'pki', title, clauses: [clauses].flat() }, mutation)

/** A fault in how the service guards the engine's routes. */
export const guardFault = (
  name: string,
  title: string,
  clause: string,
  rules: Mutation<typeof coreEngine.rules, unknown>['rules'],
): Fault => fault(coreEngine, { id: `pki-${name}`, engine: 'pki', title, clauses: [clause] }, { ...(rules === undefined ? {} : { rules }) })

/** Changes `data` of an answer. */
export const onData =
  (change: (data: JsonObject, call: PkiCall) => JsonObject | Promise<JsonObject>) =>
  (original: Handle): Handle =>
  async (call) => {
    const reply = await original(call)
    const body = (reply.body ?? {}) as JsonObject
    return { ...reply, body: { ...body, data: await change((body.data ?? {}) as JsonObject, call) } }
  }

/** Changes the body of a request before it is handled. */
export const onBody =
  (change: (body: JsonObject) => JsonObject) =>
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, body: change({ ...call.body }) })

/** Handles a request by other rules than the rest. */
export const byRules =
  (change: (rules: PkiRules) => Partial<PkiRules>) =>
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, rules: { ...call.rules, ...change(call.rules) } })

/** Leaves fields of a request out. */
export const without = (...fields: string[]) =>
  onBody((body) => Object.fromEntries(Object.entries(body).filter(([field]) => !fields.includes(field))))

/** Leaves a duration of a request out that cannot be read. */
export const lenient = (field: string) =>
  onBody((body) => {
    const given: Json | undefined = body[field]
    return given === undefined || (typeof given === 'string' && /^(\d+[smhd]?)*$/.test(given)) ? body : { ...body, [field]: '' }
  })

/** Answers what should be refused. */
export const forgiving = forgivingCalls<PkiCall>

/** Fails where it should refuse. */
export const failing =
  (when: (call: PkiCall) => boolean) =>
  (original: Handle): Handle =>
    forgiving(() => {
      throw new ApiError(500, 'internal error')
    }, when)(original)

/** An answer that looks like success. */
export const hollow = (): Reply => secret({ certificate: '-----BEGIN CERTIFICATE-----', issuing_ca: '', serial_number: '00' })

/** A PEM certificate whose signature differs in its last byte. */
export const spoiled = (pem: unknown): string => {
  const bytes = Buffer.from(String(pem).replace(/-----[A-Z ]+-----|\s/g, ''), 'base64')
  bytes[bytes.length - 1] = bytes[bytes.length - 1]! ^ 1
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n')
}

/** A value that is an object, where none may be. */
export const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Takes objects for some fields as another value. */
export const coercing = (fields: (field: string) => boolean, value: string | number | boolean | string[]) =>
  onBody((body) =>
    Object.fromEntries(Object.entries(body).map(([field, given]) => [field, fields(field) && isObject(given) ? value : given])),
  )
