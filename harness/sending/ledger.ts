/** What all exchanges of a run say about the clauses that schemas decide, and how much of the contract they covered. */

import type { Json } from '../base/json.ts'
import type { Operation } from '../contract/contract.ts'
import { type Finding, type Judgement, judgeAnswer } from '../contract/validate.ts'
import type { NumberedExchange } from './history.ts'
import { RefusedOperations } from './refused.ts'
import { UnansweredOperations } from './unanswered.ts'

export interface LedgerFinding extends Finding {
  check: string
  exchange: NumberedExchange
  /** How many answers failed in this way. */
  count: number
}

interface ClauseEntry {
  reached: number
  /** Ids of the checks whose exchanges reached the clause. */
  by: Set<string>
  /** Ids of those whose exchanges broke it. */
  foundBy: Set<string>
  /** By message: what differs in kind is told apart. */
  findings: Map<string, LedgerFinding>
}

interface Judged {
  status: number
  contentType: string | undefined
  body: Json | undefined
  unreadable?: string
  size: number
}

/** One answer kept for offline faults. */
export interface RecordedAnswer extends Judged {
  operation: Operation
  check: string
}

const KEPT_FINDINGS = 40
const REST = 'answers that fail in further ways'
const KEPT_ANSWERS = 3

export class Ledger {
  readonly clauses = new Map<string, ClauseEntry>()
  readonly unanswered = new UnansweredOperations()
  readonly refused = new RefusedOperations()
  readonly statuses = new Map<string, Map<number, number>>()
  /** Up to three answers per operation and status, when recording is on. */
  readonly recorded: RecordedAnswer[] = []
  readonly #recording: boolean
  readonly #kept = new Map<string, number>()

  constructor(recording = false) {
    this.#recording = recording
  }

  /** Takes a restart of the target for the cause of what it refuses and leaves unanswered. */
  restarted(): void {
    this.unanswered.forget()
    this.refused.forget()
  }

  /**
   * Counts an answer and tells what was found.
   *
   * @param judged false for requests outside the contract's methods.
   * @param before what the check had exchanged up to it; asked for a finding that is new.
   */
  add(
    operation: Operation,
    answer: Judged,
    check: string,
    exchange: NumberedExchange,
    judged: boolean,
    before: () => readonly NumberedExchange[] = () => [],
  ): Judgement | undefined {
    const statuses = this.statuses.get(operation.id) ?? new Map<number, number>()
    this.statuses.set(operation.id, statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1))
    this.refused.answered(operation, answer.status)
    if (!judged) return undefined
    const judgement = judgeAnswer(operation, answer)
    const { findings, reached } = judgement
    for (const clause of reached) {
      const entry = this.#entry(clause)
      entry.reached += 1
      entry.by.add(check)
    }
    for (const finding of findings) {
      const { findings: known, foundBy } = this.#entry(finding.clause)
      foundBy.add(check)
      const message = known.has(finding.message) || known.size < KEPT_FINDINGS ? finding.message : REST
      const same = known.get(message)
      if (same === undefined) known.set(message, { ...finding, message, check, exchange: { ...exchange, before: before() }, count: 1 })
      else same.count += 1
    }
    if (this.#recording && findings.length === 0) this.#record(operation, answer, check)
    return judgement
  }

  #entry(clause: string): ClauseEntry {
    const entry = this.clauses.get(clause) ?? { reached: 0, by: new Set(), foundBy: new Set(), findings: new Map() }
    this.clauses.set(clause, entry)
    return entry
  }

  #record(operation: Operation, answer: Judged, check: string): void {
    const key = `${operation.id} ${answer.status}`
    const kept = this.#kept.get(key) ?? 0
    if (kept >= KEPT_ANSWERS) return
    this.#kept.set(key, kept + 1)
    this.recorded.push({ ...answer, operation, check })
  }
}
