/** Operations that refuse all that the contract allows, while others of their engine work: what the clause that states them rules out. */
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Operation } from '../contract/contract.ts'
import type { NumberedExchange } from './history.ts'
import { clauseStating } from './unanswered.ts'

/** One operation that nothing was done with. */
export interface Unserved {
  operation: Operation
  /** Requests that were refused. */
  count: number
  /** The first of them, and the check that sent it. */
  exchange: NumberedExchange
  check: string
}

/** The operation does not exist, whatever a check needs. */
const ABSENT = [404, 405, 501]
/** What a token, a limit, a seal or a broken way may be the cause of. */
const OTHERS_DOING = [401, 403, 408, 429, 472, 473, 502, 503, 504]

const isDone = (status: number): boolean => status >= 200 && status < 300

const tells = (status: number, { needs }: Pick<CheckDefinition, 'needs'>): boolean =>
  ABSENT.includes(status) || (!OTHERS_DOING.includes(status) && (needs.backends ?? []).length === 0)

export class RefusedOperations {
  readonly #refused = new Map<string, Unserved>()
  /** Operations that did something once. */
  readonly #served = new Map<string, Operation>()
  #isOver = false

  /** Notes an answer to any request. */
  answered(operation: Operation, status: number): void {
    if (!isDone(status)) return
    this.#served.set(operation.id, operation)
    this.#refused.delete(operation.id)
  }

  /** Notes a refusal of what the contract allows. A backend may be the cause of one where the check has any. */
  refused(operation: Operation, status: number, exchange: NumberedExchange, check: Pick<CheckDefinition, 'id' | 'needs'>): void {
    if (this.#isOver || this.#served.has(operation.id) || !tells(status, check)) return
    const known = this.#refused.get(operation.id)
    if (known === undefined) this.#refused.set(operation.id, { operation, exchange, check: check.id, count: 1 })
    else known.count += 1
  }

  /** Takes no refusal for the target's own doing, neither those noted nor later ones: it has lost what it needs to serve them. */
  forget(): void {
    this.#isOver = true
    this.#refused.clear()
  }

  /** Those of engines of which another operation did something, with the clause that states each, however few the refusals. */
  all(): (Unserved & { clause: string })[] {
    const engines = new Set([...this.#served.values()].map(({ engine }) => engine))
    return [...this.#refused.values()].flatMap((one) => {
      const clause = clauseStating(one.operation)
      return clause === undefined || !engines.has(one.operation.engine) ? [] : [{ ...one, clause }]
    })
  }
}
