/** Where a decision or a block shows: the operation, its status, what its answer said, and the member that was wrong. */
import type { CheckResult, Decision, ExchangeRecord } from '../../specs/meta/results.ts'
import { isObject } from '../base/json.ts'

/** An answer that a decision names, or that stopped a check. */
export interface Place {
  operation: string
  status: number
  /** The errors of the answer but for values; empty where they say too little to tell one error from another. */
  said: string
}

const VALUES = /"[^"]*"|'[^']*'|`[^`]*`|‹[^›]*›|[\w./-]*\d[\w./-]*/g
/** Shorter texts, such as `not found`, stand for many errors. */
const TELLING = 16
/** A token, a limit or a missing object may each be the reason for one of these. */
const UNTOLD = [401, 403, 404, 405, 429]

const parsed = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

const saidBy = ({ response }: ExchangeRecord): string => {
  const body = parsed(response?.body)
  const errors = isObject(body) && Array.isArray(body.errors) ? JSON.stringify(body.errors).slice(1, -1) : ''
  const said = errors.replaceAll('\\"', "'").replaceAll(/^"|"$/g, '').replaceAll(VALUES, '#').trim()
  return said.length < TELLING || UNTOLD.includes(response?.status ?? 0) ? '' : said
}

const placeOf = (exchange: ExchangeRecord | undefined): Place | undefined =>
  exchange?.response === undefined ? undefined : { operation: exchange.operation, status: exchange.response.status, said: saidBy(exchange) }

/** The answer that a decision names; undefined where none was kept. */
export const placeOfDecision = ({ evidence }: CheckResult, { exchange }: Decision): Place | undefined =>
  placeOf(evidence.find(({ number }) => number === exchange))

/** The refusal that stopped a check. */
export const placeOfStop = ({ stoppedBy, evidence }: CheckResult): Place | undefined => {
  const { operation, status } = stoppedBy ?? {}
  if (operation === undefined || status === undefined) return undefined
  const shown = evidence.findLast((one) => one.operation === operation && one.response?.status === status)
  return placeOf(shown) ?? { operation, status, said: '' }
}

export const isFailure = ({ status }: Place): boolean => status >= 400

/** Whether two answers are one and the same error, told by what they say. */
export const isSameError = (left: Place, right: Place): boolean =>
  isFailure(left) && left.said !== '' && left.operation === right.operation && left.status === right.status && left.said === right.said

const kindOf = (value: unknown): string =>
  value === undefined ? 'nothing' : Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value

/** The last name of a JSON pointer. */
export const memberName = (pointer: string): string => pointer.slice(pointer.lastIndexOf('/') + 1)

/** Members in which what a decision saw differs from what it expected, with the kind of value that was seen; none where it compared no objects. */
export const differingMembers = ({ expected, seen }: Decision): Map<string, string> => {
  const [wanted, got] = [parsed(expected), parsed(seen)]
  if (!isObject(wanted) || !isObject(got)) return new Map()
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(got)])]
  const differing = names.filter((name) => JSON.stringify(wanted[name]) !== JSON.stringify(got[name]))
  return new Map(differing.map((name) => [name, kindOf(got[name])]))
}

/** The kind of value that a finding of a schema saw. */
export const kindSeen = ({ seen, message }: Decision): string =>
  message?.includes('must have required property') === true ? 'nothing' : kindOf(parsed(seen))
