/** Decides contract checks from all exchanges of a run, and sends more where none reached them. */

import { Refused } from '../base/errors.ts'
import { registeredSamples } from '../checks/check.ts'
import type { ContractCheck, RunnableCheck } from '../checks/vocabulary.ts'
import { answerClauses } from '../planning/catalogue.ts'
import type { RunContext } from '../sending/context.ts'
import type { Unserved } from '../sending/refused.ts'
import { OWN_DOING, type Unanswered } from '../sending/unanswered.ts'
import type { CheckRun } from './check-run.ts'

/** How many operations are tried for a clause that nothing else reached. */
const TRIED_OPERATIONS = 4
const DEADLINE = 60_000

/** Checks that send sample requests of operations whose answers decide the clause. */
export const exercisesOf = (context: Pick<RunContext, 'contract' | 'targets'>, check: ContractCheck): RunnableCheck[] => {
  const [clause] = check.clauses
  const samples = registeredSamples().filter(({ operation }) => {
    const found = context.contract.operations.get(operation)
    return found !== undefined && context.targets.has(found.api) && answerClauses(found).has(clause)
  })
  return samples.slice(0, TRIED_OPERATIONS).map((sample) => ({
    ...check,
    id: `${check.id}/${sample.operation}`,
    needs: sample.needs ?? {},
    deadline: DEADLINE,
    async body({ bench, expect }) {
      const answer = await bench.call(sample.operation, await sample.input(bench))
      expect(answer.status).toBeGreaterThan(0)
      if (!answer.ok) throw new Refused(sample.operation, answer.status, '')
    },
  }))
}

/** An operation without an answer as what it violates. */
export const asFinding = ({ operation, exchange, check, count }: Unanswered) => {
  const seen = exchange.failure?.reason ?? 'none'
  return {
    message: `${operation.id} got no answer, while the target answered others: ${seen}`,
    expected: 'an answer',
    seen,
    exchange,
    check,
    count,
  }
}

/** An operation that refuses everything as what it violates. */
export const asRefusal = ({ operation, exchange, check, count }: Unserved) => {
  const seen = `refused with ${exchange.answer?.status}`
  return {
    message: `${operation.id} refused every request that the contract allows`,
    expected: 'success (2xx)',
    seen,
    exchange,
    check,
    count,
  }
}

/** Operations that refused what the contract allows often enough, once all checks are done; each with the clause that it violates. */
export const refusedOperations = ({ ledger }: Pick<RunContext, 'ledger'>): (Unserved & { clause: string })[] =>
  ledger.refused.all().filter(({ count }) => count >= OWN_DOING)

/** The member that a finding of a schema is about. */
export const memberOf = ({ pointer }: { pointer?: string; exchange?: unknown }): { member?: string } =>
  pointer === undefined || pointer === '' ? {} : { member: pointer }

/**
 * The result of a contract check, read from the ledger.
 *
 * @param asked what came of the requests that were sent for its clause alone.
 */
export const contractRun = (context: RunContext, check: ContractCheck, durationMs: number, asked: readonly CheckRun[] = []): CheckRun => {
  const [clause] = check.clauses
  const entry = context.ledger.clauses.get(clause)
  const unanswered = context.ledger.unanswered.of(clause)
  const unserved = refusedOperations(context).filter((one) => one.clause === clause)
  const base = { check, decisions: [], exchanges: [], exchangeCount: entry?.reached ?? 0, durationMs, notes: {} }
  if ((entry === undefined || entry.reached === 0) && unanswered.length === 0 && unserved.length === 0) {
    return {
      ...base,
      outcome: 'blocked',
      reason: 'no answer in this run reached this clause',
      remedy: 'select more checks, or see which of them were blocked',
      ...(asked.length > 0 && asked.every(({ refused }) => refused !== undefined) ? { refused: asked[0]!.refused } : {}),
    }
  }
  const findings = [...(entry?.findings.values() ?? []), ...unanswered.map(asFinding), ...unserved.map(asRefusal)]
  if (findings.length === 0) return { ...base, outcome: 'passed', decisions: [{ clause, outcome: 'verified' }] }
  // Each number counts within the check that made the exchange: here exchanges get new numbers.
  const exchanges = findings.map(({ exchange }, index) => {
    const { before, ...shown } = exchange
    // All that its check had exchanged, or nothing that could be sent again.
    const isWhole = before !== undefined && before.length === exchange.number - 1
    return { ...shown, number: index + 1, ...(isWhole ? { before } : {}) }
  })
  const failed = [...unanswered, ...unserved]
  const among = Math.max(entry?.reached ?? 0, ...unserved.map(({ count }) => count)) + unanswered.reduce((sum, { count }) => sum + count, 0)
  const decisions = findings.map(({ message, count, check: seenIn, expected, seen, ...found }, index) => ({
    clause,
    outcome: 'violated' as const,
    message: `${message} (${count} of ${among} ${failed.length === 0 ? 'answers' : 'requests'}; seen in ${seenIn})`,
    expected,
    seen,
    exchange: exchanges[index]!.number,
    ...memberOf(found),
  }))
  return { ...base, outcome: 'failed', reason: decisions[0]!.message, decisions, exchanges }
}

/** True when nothing has reached the clause of a contract check yet. */
export const isUnreached = (context: RunContext, check: ContractCheck): boolean =>
  (context.ledger.clauses.get(check.clauses[0])?.reached ?? 0) === 0 && context.ledger.unanswered.of(check.clauses[0]).length === 0
