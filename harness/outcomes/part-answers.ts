/** What one part of a run hands on of its answers, so that clauses which answers decide can be decided from all parts together. */
import type { AnswerFinding, AnswerRecord } from '../../specs/meta/results.ts'
import { asFinding, asRefusal, memberOf } from '../running/contract-checks.ts'
import type { RunContext } from '../sending/context.ts'
import type { NumberedExchange } from '../sending/history.ts'
import type { Target } from '../target/target.ts'
import { shownRecord } from './evidence.ts'

interface Found extends Omit<AnswerFinding, 'exchange'> {
  exchange: NumberedExchange
  pointer?: string
}

/** The records of a part, by clause; `text` says a value as the results do. */
export const answersOf = (context: RunContext, text: (value: unknown) => string): AnswerRecord[] => {
  const { ledger, secrets, targets } = context
  const lost = ledger.unanswered.all()
  const refused = ledger.refused.all()
  const clauses = new Set([...ledger.clauses.keys(), ...[...lost, ...refused].map(({ clause }) => clause)])
  const shown = ({ message, expected, seen, check, count, unanswered, unserved, exchange, ...found }: Found): AnswerFinding => ({
    message,
    expected: text(expected),
    seen: text(seen),
    check,
    count,
    ...(unanswered === undefined ? {} : { unanswered }),
    ...(unserved === undefined ? {} : { unserved }),
    ...memberOf(found),
    exchange: shownRecord(secrets, targets.get(exchange.operation.api) as Target, exchange),
  })
  return [...clauses].sort().map((clause) => {
    const entry = ledger.clauses.get(clause)
    const unanswered = lost.filter((one) => one.clause === clause).map((one) => ({ ...asFinding(one), unanswered: one.operation.id }))
    const unserved = refused.filter((one) => one.clause === clause).map((one) => ({ ...asRefusal(one), unserved: one.operation.id }))
    return { clause, reached: entry?.reached ?? 0, findings: [...(entry?.findings.values() ?? []), ...unanswered, ...unserved].map(shown) }
  })
}
