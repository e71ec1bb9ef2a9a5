/** Searches an order of concurrent operations that a sequential model allows. */
import { AssertionFailure } from '../base/errors.ts'
import type { Json } from '../base/json.ts'
import { countingExpect } from './expect.ts'
import type { AnyCommand } from './model.ts'

/** One operation of a concurrent history, with the moments at which it began and ended (any clock that only grows). */
export interface Operation<S, W> {
  command: AnyCommand<S, W>
  input: Json
  began: number
  /** Infinity where the answer was lost: the operation may take effect at any later time, or never. */
  ended: number
  lost: boolean
  seen: unknown
  /** For the message of a failure. */
  text: string
}

/** What no order explains: how far the longest one came, and the answer that it was stuck at. */
export interface Unexplained {
  message: string
  /** Number of the exchange of that answer, where it is one. */
  exchange: number | undefined
}

interface DeadEnd {
  /** Operations that the longest order placed. */
  order: string[]
  stuck: string
  exchange: number | undefined
}

const quiet = countingExpect(() => undefined)

const objectionTo = <S, W>(operation: Operation<S, W>, state: S): AssertionFailure | undefined => {
  try {
    operation.command.expects(state, operation.input, operation.seen, quiet)
    return undefined
  } catch (error) {
    if (error instanceof AssertionFailure) return error
    throw error
  }
}

/**
 * Whether some order of the operations explains every answer: an order that keeps what ended before something else began in front of it, and
 * in which each answer is one that the model allows at its place. Lost operations are placed anywhere after their beginning, or left out.
 *
 * @returns undefined where such an order exists, else how far the best one came.
 */
export const unexplained = <S, W>(operations: Operation<S, W>[], initial: S): Unexplained | undefined => {
  const tried = new Set<string>()
  let best = undefined as DeadEnd | undefined
  const search = (rest: Operation<S, W>[], state: S, order: string[]): boolean => {
    if (rest.every((operation) => operation.lost)) return true
    const key = `${rest.map((operation) => operations.indexOf(operation)).join(',')} ${JSON.stringify(state)}`
    if (tried.has(key)) return false
    tried.add(key)
    const horizon = Math.min(...rest.map((operation) => operation.ended))
    for (const operation of rest.filter((candidate) => candidate.began <= horizon)) {
      const objection = operation.lost ? undefined : objectionTo(operation, state)
      if (objection !== undefined) {
        if (best === undefined || order.length > best.order.length)
          best = { order, stuck: `${operation.text}: ${objection.message}`, exchange: objection.exchange }
        continue
      }
      const next = operation.command.next(state, operation.input, operation.lost ? undefined : operation.seen)
      const others = rest.filter((other) => other !== operation)
      if (search(others, next, [...order, operation.text])) return true
    }
    return false
  }
  if (search(operations, initial, []) || best === undefined) return undefined
  const { order, stuck, exchange } = best
  const before = order.length === 0 ? 'at the beginning' : `after ${order.join('; ')}`
  return { message: `no order of the concurrent operations explains the answers; ${before} stuck at ${stuck}`, exchange }
}
