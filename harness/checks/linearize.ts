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

interface Dead {
  /** How many operations the longest order placed. */
  placed: number
  order: string[]
  stuck: string
}

const quiet = countingExpect(() => undefined)

const allows = <S, W>(operation: Operation<S, W>, state: S): string | undefined => {
  try {
    operation.command.expects(state, operation.input, operation.seen, quiet)
    return undefined
  } catch (error) {
    if (error instanceof AssertionFailure) return error.message
    throw error
  }
}

/**
 * Whether some order of the operations explains every answer: an order that keeps what ended before something else began in front of it, and
 * in which each answer is one that the model allows at its place. Lost operations are placed anywhere after their beginning, or left out.
 *
 * @returns undefined where such an order exists, else how far the best one came.
 */
export const unexplained = <S, W>(operations: Operation<S, W>[], initial: S): string | undefined => {
  const tried = new Set<string>()
  let best: Dead = { placed: -1, order: [], stuck: '' }
  const search = (rest: Operation<S, W>[], state: S, order: string[]): boolean => {
    if (rest.every((operation) => operation.lost)) return true
    const key = `${rest.map((operation) => operations.indexOf(operation)).join(',')} ${JSON.stringify(state)}`
    if (tried.has(key)) return false
    tried.add(key)
    const horizon = Math.min(...rest.map((operation) => operation.ended))
    for (const operation of rest.filter((candidate) => candidate.began <= horizon)) {
      const objection = operation.lost ? undefined : allows(operation, state)
      if (objection !== undefined) {
        if (order.length > best.placed) best = { placed: order.length, order, stuck: `${operation.text}: ${objection}` }
        continue
      }
      const next = operation.command.next(state, operation.input, operation.lost ? undefined : operation.seen)
      const others = rest.filter((other) => other !== operation)
      if (search(others, next, [...order, operation.text])) return true
    }
    return false
  }
  if (search(operations, initial, [])) return undefined
  const before = best.order.length === 0 ? 'at the beginning' : `after ${best.order.join('; ')}`
  return `no order of the concurrent operations explains the answers; ${before} stuck at ${best.stuck}`
}
