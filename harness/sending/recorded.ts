/** Answers as a run holds on to them: of a long one the beginning, its size and its hash. */
import { createHash } from 'node:crypto'
import type { WireAnswer } from '../target/http.ts'

/** So much of a long answer is kept: twice what a report shows of it. */
const SHOWN = 8 * 1024
/** Longer answers are cut when they are recorded: many checks at once would hold more than a machine has. */
const LONG = 64 * 1024

/** The beginning of a long answer, its size and its hash; a copy, since a piece holds on to the whole. */
const beginningOf = (answer: Uint8Array): Buffer => {
  const hash = createHash('sha256').update(answer).digest('hex')
  return Buffer.concat([answer.subarray(0, SHOWN), Buffer.from(`… (${answer.length} bytes, SHA-256 ${hash})`)])
}

/**
 * An exchange as it is recorded: what was asked stays whole, so that it can be asked again.
 *
 * @param exchange with an answer of any length, or without one.
 */
export const recorded = <E extends { answer?: WireAnswer }>(exchange: E): E => {
  const { answer } = exchange
  if (answer === undefined || answer.bytes.length <= LONG) return exchange
  return { ...exchange, answer: { ...answer, bytes: beginningOf(answer.bytes) } }
}
