/** One spelling of what can become of an assertion, a check, a clause and a run; `results.schema.json` is the authority. */
import type { CheckOutcome, ClauseOutcome, Decision } from './results.ts'

/** What one decision of a check says about a clause. */
export type DecisionOutcome = Decision['outcome']

/** How a check ended that was run. */
export type RunOutcome = Exclude<CheckOutcome, 'warned' | 'notClaimed'>

/** What one check says about one clause; undecided: it failed elsewhere before it came to this clause. */
export type Vote = Exclude<ClauseOutcome, 'warned' | 'excluded'> | 'undecided'
