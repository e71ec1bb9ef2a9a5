/** Operations that the target gives no answer to, whatever is sent, while it answers others: what the clause that states them rules out. */
import type { Operation } from '../contract/contract.ts'
import type { NumberedExchange } from './history.ts'

/** So many lost answers in a row, with the target alive around each, cannot be an accident. */
export const OWN_DOING = 4

/** One operation without an answer. */
export interface Unanswered {
  operation: Operation
  /** Requests that got none. */
  count: number
  /** The first of them, and the check that sent it. */
  exchange: NumberedExchange
  check: string
}

/** The clause that promises an answer: that of the operation, else of its success. */
export const clauseStating = ({ clause, responses }: Operation): string | undefined =>
  clause ?? Object.entries(responses).find(([status, response]) => status.startsWith('2') && response.clause !== undefined)?.[1].clause

export class UnansweredOperations {
  readonly #lost = new Map<string, Unanswered>()
  readonly #answered = new Set<string>()

  /** Notes an answer: the operation is none of these, for the whole run. */
  answered({ id }: Operation): void {
    this.#answered.add(id)
    this.#lost.delete(id)
  }

  /**
   * Notes a request without an answer.
   *
   * @param isAlive whether the target answered a control request right after it; if it did not, counting starts over.
   */
  lost(operation: Operation, exchange: NumberedExchange, check: string, isAlive: boolean): void {
    const { id } = operation
    if (this.#answered.has(id)) return
    const known = this.#lost.get(id)
    if (!isAlive) this.#lost.delete(id)
    else if (known === undefined) this.#lost.set(id, { operation, exchange, check, count: 1 })
    else known.count += 1
  }

  /** Takes nothing that was lost so far for the target's own doing. */
  forget(): void {
    this.#lost.clear()
  }

  /** Those that a clause states. */
  of(clause: string): Unanswered[] {
    return [...this.#lost.values()].filter(({ operation, count }) => count >= OWN_DOING && clauseStating(operation) === clause)
  }

  /** All of them with the clause that states each, however few the requests: other parts of the run may have sent more. */
  all(): (Unanswered & { clause: string })[] {
    return [...this.#lost.values()].flatMap((one) => {
      const clause = clauseStating(one.operation)
      return clause === undefined ? [] : [{ ...one, clause }]
    })
  }

  /** Whether an operation that a clause states gave no answer yet, and too few times to tell. */
  isInDoubt(clause: string): boolean {
    return [...this.#lost.values()].some(({ operation, count }) => count < OWN_DOING && clauseStating(operation) === clause)
  }

  /** The clause that an operation without an answer violates; undefined while that is not shown. */
  violatedBy({ id }: Operation): string | undefined {
    const known = this.#lost.get(id)
    return known === undefined || known.count < OWN_DOING ? undefined : clauseStating(known.operation)
  }
}
