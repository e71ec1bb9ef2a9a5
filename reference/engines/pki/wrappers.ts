/** What several faults and variants of the certificate authority share. */
import type { Call, Route } from '../../core/engine.ts'
import { secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { refusal, requestBody } from '../../faults/wrappers.ts'
import type { PkiRules } from './rules.ts'
import type { PkiState } from './state.ts'

export type Handle = Route<PkiState, PkiRules>['handle']

export type PkiCall = Call<PkiState, PkiRules>

/** Handles a request by other rules than the rest. */
export const withRules =
  (change: (rules: PkiRules, call: PkiCall) => Partial<PkiRules>) =>
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, rules: { ...call.rules, ...change(call.rules, call) } })

/** The call on a state of which some parts are others; what is put into its maps stays. */
export const onState = (call: PkiCall, parts: Partial<PkiState>): PkiCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as PkiState, parts),
})

/** Leaves a duration of a request out that cannot be read. */
export const lenient = (field: string) =>
  requestBody<PkiCall>((body) => {
    const given = body[field]
    return given === undefined || (typeof given === 'string' && /^(\d+[smhd]?)*$/.test(given)) ? body : { ...body, [field]: '' }
  })

/** A parameter that is sent with one value is taken for another. */
export const taken = (field: string, sent: Json, as: Json) =>
  requestBody<PkiCall>((body) => (body[field] === sent ? { ...body, [field]: as } : body))

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

export const dataOf = (reply: Reply): JsonObject => ((reply.body as JsonObject | undefined)?.data ?? {}) as JsonObject

const MAKING_CAS = ['pki.generateRoot', 'pki.signIntermediate']
const SUBJECT = ['ou', 'organization', 'country', 'locality', 'province', 'street_address', 'postal_code']

/** Lists that are JSON in one of two forms, an array or the text of one: name, clause, operations, fields. */
export const LISTS: [name: string, clause: string, operations: string[], fields: string[]][] = [
  ['uri-patterns', 'PKI-URISANS-06', ['pki.writeRole'], ['allowed_uri_sans']],
  ['other-names', 'PKI-OTHERSANS-10', ['pki.issue', 'pki.sign'], ['other_sans']],
  ['subject-values', 'PKI-SUBJECT-09', MAKING_CAS, SUBJECT],
]

const isListText = (value: Json | undefined): value is string => typeof value === 'string' && value.trimStart().startsWith('[')

const inFields =
  (fields: readonly string[], change: (value: Json, field: string) => Json) =>
  (body: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(body).map(([field, value]) => [field, fields.includes(field) ? change(value, field) : value]))

/** A text is separated by commas, whatever it begins with. */
export const textsSplit = (fields: readonly string[]) => inFields(fields, (value) => (isListText(value) ? value.split(',') : value))

/** An array is refused. */
export const arraysRefused = (fields: readonly string[]) =>
  inFields(fields, (value, field) => {
    if (Array.isArray(value)) throw invalid(`${field} must be a string`)
    return value
  })

/** Lists in either form are changed. */
export const listsChanged = (fields: readonly string[], change: (items: Json[]) => Json) =>
  inFields(fields, (value) => {
    if (Array.isArray(value)) return change(value)
    return isListText(value) ? change(JSON.parse(value) as Json[]) : value
  })
