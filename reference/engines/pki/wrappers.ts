/** Ways of getting it wrong that several faults of the certificate authority share. */

import type { Call, Route } from '../../core/engine.ts'
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { refusal, requestBody } from '../../mutations/wrappers.ts'
import type { PkiRules } from './rules.ts'
import type { PkiState } from './state.ts'

export type Handle = Route<PkiState, PkiRules>['handle']

export type PkiCall = Call<PkiState, PkiRules>

/** Handles a request by other rules than the rest. */
export const byRules =
  (change: (rules: PkiRules) => Partial<PkiRules>) =>
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, rules: { ...call.rules, ...change(call.rules) } })

/** Leaves a duration of a request out that cannot be read. */
export const lenient = (field: string) =>
  requestBody<PkiCall>((body) => {
    const given = body[field]
    return given === undefined || (typeof given === 'string' && /^(\d+[smhd]?)*$/.test(given)) ? body : { ...body, [field]: '' }
  })

/** Fails where it should refuse. */
export const failing = (when: (call: PkiCall) => boolean) =>
  refusal<PkiCall>((refused, call) => (when(call) ? new ApiError(500, 'internal error') : refused))

/** An answer that looks like success. */
export const hollow = (): Reply => secret({ certificate: '-----BEGIN CERTIFICATE-----', issuing_ca: '', serial_number: '00' })

/** A PEM certificate whose signature differs in its last byte. */
export const withBadSignature = (pem: unknown): string => {
  const bytes = Buffer.from(String(pem).replace(/-----[A-Z ]+-----|\s/g, ''), 'base64')
  bytes[bytes.length - 1] = bytes[bytes.length - 1]! ^ 1
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n')
}

/** A value that is an object, where none may be. */
export const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Takes objects for some fields as another value. */
export const coercing = (fields: (field: string) => boolean, value: string | number | boolean | string[]) =>
  requestBody<PkiCall>((body) =>
    Object.fromEntries(Object.entries(body).map(([field, given]) => [field, fields(field) && isObject(given) ? value : given])),
  )

export const dataOf = (reply: Reply): JsonObject => ((reply.body as JsonObject | undefined)?.data ?? {}) as JsonObject
