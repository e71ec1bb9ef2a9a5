/** Whether the evidence of a kill shows what its message speaks of. */
import type { CheckRun } from '../running/check-run.ts'
import { holdsEvery, leavesOf } from '../sending/shown-values.ts'

type Decision = CheckRun['decisions'][number]

/** An answer as the messages of assertions name it. */
const NAMED = /([\w-]+\.[\w.]+) answered (\d{3})\b/

/** What is wrong with the evidence of one decision: the exchange that it shows is another than the one that its message speaks of. */
export const misleading = ({ exchanges }: Pick<CheckRun, 'exchanges'>, decision: Decision): string | undefined => {
  const { clause, message = '', seen, exchange, beside = [] } = decision
  if (message.includes('[object Object]')) return `${clause}: the message shows no value: ${message}`
  const shown = exchanges.filter(({ number }) => number === exchange || beside.includes(number))
  if (shown.length === 0) return exchanges.length === 0 ? undefined : `${clause}: none of its exchanges is kept`
  const [, operation, status] = NAMED.exec(message) ?? []
  const answers = (one: CheckRun['exchanges'][number]): boolean => one.operation.id === operation && String(one.answer?.status) === status
  if (operation !== undefined && !shown.some(answers))
    return `${clause}: ${operation} answered ${status}, and ${shown[0]!.operation.id} is shown`
  const leaves = leavesOf(seen).filter(({ isTelling }) => isTelling)
  const holds = ({ answer }: CheckRun['exchanges'][number]): boolean => answer !== undefined && holdsEvery(answer, leaves)
  if (leaves.length === 0 || shown.some(holds)) return undefined
  // A value that no answer holds was made of one.
  const other = exchanges.findLast(holds)
  return other === undefined
    ? undefined
    : `${clause}: exchange ${exchange} is shown, and ${other.number} (${other.operation.id}) holds the value`
}

/** The evidence of a kill: how many decisions were looked at, and what is wrong with the others. */
export interface ShownEvidence {
  tried: number
  wrong: string[]
}

/** Looks at the evidence of every decision against a clause of a fault. */
export const evidenceOf = (runs: readonly CheckRun[], clauses: readonly string[]): ShownEvidence => {
  const decided = runs.flatMap((run) =>
    run.decisions
      .filter(({ clause, outcome, exchange }) => outcome === 'violated' && exchange !== undefined && clauses.includes(clause))
      .map((decision) => ({ run, decision })),
  )
  const wrong = decided.flatMap(({ run, decision }) => misleading(run, decision)?.replace(/^/, `${run.check.id}: `) ?? [])
  return { tried: decided.length, wrong }
}
