import { invalid } from '../../core/errors.ts'
import { listOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Random } from '../../core/random.ts'

const LENGTH = 20

const present = (body: JsonObject, field: string): boolean => body[field] !== undefined && body[field] !== null && body[field] !== ''

/** A statement list: one text is a list of one, for a statement may hold commas. */
export const statementsOf = (body: JsonObject, field: string, fallback: string[]): string[] =>
  typeof body[field] === 'string' ? (body[field] === '' ? [] : [body[field]]) : listOf(body, field, fallback)

/** Throws 400 for the first field that a request leaves out. */
export const missing = (body: JsonObject, fields: string[]): void => {
  for (const field of fields) if (!present(body, field)) throw invalid(`${field} is required`)
}

/** A password with a letter of each case, a digit and a hyphen. */
export const newPassword = (random: Random): string => {
  for (;;) {
    const word = random.word(LENGTH - 1)
    const at = 1 + ((random.bytes(1)[0] ?? 0) % (LENGTH - 2))
    const password = `${word.slice(0, at)}-${word.slice(at)}`
    if (/[A-Z]/.test(password) && /[a-z]/.test(password) && /\d/.test(password)) return password
  }
}
