/** What known deviations are held against: each finding, and each clause that a check left undecided. */
import { jsonOf } from '../base/json.ts'
import type { Failure } from '../planning/deviations.ts'
import type { CheckRun } from '../running/check-run.ts'
import type { RunContext } from '../sending/context.ts'
import { voteOf } from './verdict.ts'

const valueIn = (value: unknown): string => (typeof value === 'string' ? value : jsonOf(value))

/** The failures of all checks, one for each message. */
export const failuresOf = (context: RunContext, runs: CheckRun[]): Failure[] =>
  runs.flatMap((run) =>
    run.check.clauses.flatMap((clause): Failure[] => {
      const level = context.contract.clauses.get(clause)?.level ?? 'open'
      const vote = voteOf(run, clause)
      if (vote !== 'violated' && vote !== 'blocked' && vote !== 'undecided') return []
      const violated = run.decisions.filter((one) => one.clause === clause && one.outcome === 'violated')
      const reasons =
        vote === 'violated'
          ? violated.map((one) => [one.message ?? run.reason, valueIn(one.expected), valueIn(one.seen)].join('\n'))
          : [run.reason ?? '']
      return reasons.map((reason) => ({ clause, level, check: run.check.id, outcome: vote === 'violated' ? vote : 'blocked', reason }))
    }),
  )
