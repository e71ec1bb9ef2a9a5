/** One spelling of what can become of an assertion, a check, a clause and a run; `results.schema.json` is the authority. */

/** What one decision of a check says about a clause. */
export type DecisionOutcome = 'verified' | 'violated' | 'observed'

/** How a check ended that was run. */
export type RunOutcome = 'passed' | 'failed' | 'observed' | 'blocked' | 'errored'
/** The outcome of a check in the results. */
export type CheckOutcome = RunOutcome | 'warned' | 'notClaimed'

/** What one check says about one clause; undecided: it failed elsewhere before it came to this clause. */
export type Vote = DecisionOutcome | 'blocked' | 'undecided' | 'errored' | 'notExercised' | 'notClaimed'
/** The outcome of a clause, from the votes of its checks and its level. */
export type ClauseOutcome = Exclude<Vote, 'undecided'> | 'warned' | 'excluded'

/** The verdict on an engine or a run. */
export type Verdict = 'conformant' | 'nonConformant' | 'incomplete' | 'partial' | 'notClaimed'
