/** Fields whose lists are JSON in one of two forms: an array in the body, or the text of one. */
import { invalid } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'

const MAKING_CAS = ['pki.generateRoot', 'pki.signIntermediate']
const SUBJECT = ['ou', 'organization', 'country', 'locality', 'province', 'street_address', 'postal_code']

/** What each list is called, its clause, the operations that take it, and its fields. */
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
