/** Bodies of answers in the contract's spelling. */
import { type Parsed, parseJson } from '../base/parse.ts'
import { textOf } from '../base/text.ts'
import { type Dialect, decodeBody } from './dialect.ts'
import type { WireAnswer } from './http.ts'

/** The body of an answer in the contract's spelling, or why it cannot be read. */
export const bodyOf = (dialect: Dialect, operation: string, bytes: Uint8Array): Parsed => {
  const parsed = parseJson(textOf(bytes))
  return 'value' in parsed ? { value: decodeBody(dialect, operation, parsed.value) } : parsed
}

/** What was read in order to learn from it, kept for the next reader of the answer: bodies may be large. */
const read = new WeakMap<WireAnswer, Parsed>()

/** Reads a body, and keeps what it says until it is received. */
export const readToLearn = (dialect: Dialect, operation: string, answer: WireAnswer): Parsed => {
  const parsed = bodyOf(dialect, operation, answer.bytes)
  read.set(answer, parsed)
  return parsed
}

/** The body of an answer that is received. */
export const receivedBody = (dialect: Dialect, operation: string, answer: WireAnswer): Parsed => {
  const parsed = read.get(answer) ?? bodyOf(dialect, operation, answer.bytes)
  read.delete(answer)
  return parsed
}
