/** Noise: what stands between us and a target, a gateway or a broken connection, and not the target. */
import { parseJson } from '../base/parse.ts'
import { textOf } from '../base/text.ts'
import type { Operation } from '../contract/contract.ts'
import type { Received } from './http.ts'

const OF_GATEWAYS = [502, 503, 504]

const isHtml = ({ headers }: Received): boolean => (headers['content-type'] ?? '').toLowerCase().startsWith('text/html')

/** Whether the body is JSON that the target itself must have written: its error body, or any object where the status is expected. */
const isOwnWords = (isExpected: boolean, { bytes }: Received): boolean => {
  const parsed = parseJson(textOf(bytes))
  if ('problem' in parsed || typeof parsed.value !== 'object' || parsed.value === null || Array.isArray(parsed.value)) return false
  return isExpected || Array.isArray(parsed.value.errors)
}

/**
 * What a gateway answered instead of the target: 502, 503 and 504 without the error body of the API, which the 503 of a sealed server has,
 * and a page of HTML instead of a success or a failure. A refusal (4xx) in HTML is the target's.
 *
 * @param operation what was asked; undefined for what prepares a target.
 * @param isTakenAway whether a check has taken the server away, by sealing it for one: its 503 is expected then, in whatever words.
 * @returns the answer in words, or undefined where the target answered.
 */
export const noiseIn = (answer: Received, operation?: Pick<Operation, 'responses'>, isTakenAway = false): string | undefined => {
  const { status } = answer
  const response = operation?.responses[String(status)]
  const words = `a gateway answered ${status}${isHtml(answer) ? ' with a page of HTML' : ''}`
  if (OF_GATEWAYS.includes(status)) return isOwnWords(response !== undefined || isTakenAway, answer) ? undefined : words
  if (!isHtml(answer) || (status >= 300 && status < 500)) return undefined
  return response?.mediaTypes.some((type) => type === 'text/html' || type === '*/*') ? undefined : words
}

const FIRST_PAUSE = 50
const LONGEST_PAUSE = 2000

/** How often a request that may be repeated is sent because of noise. */
export const SENDINGS = 5

/** Milliseconds before a request is sent again. */
export const pauseAfter = (attempt: number): number => Math.min(FIRST_PAUSE * 2 ** attempt, LONGEST_PAUSE)
