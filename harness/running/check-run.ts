/** What became of one check that was run. */
import type { RunOutcome } from '../../specs/meta/outcomes.ts'
import type { Notes } from '../checks/notes.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { NumberedExchange } from '../sending/history.ts'
import type { ClauseDecision } from '../sending/session.ts'

/** Outcome of one check before levels and deviations are taken into account. */
export interface CheckRun {
  check: CheckDefinition
  outcome: RunOutcome
  reason?: string
  remedy?: string
  decisions: ClauseDecision[]
  exchanges: NumberedExchange[]
  exchangeCount: number
  durationMs: number
  /** Milliseconds of it in which the check let time pass. */
  restedMs?: number
  notes: Pick<Notes, 'counterexample' | 'stability' | 'path' | 'caseFrom'>
  /** Blocked, for the target does not serve what the check is about, or refuses its set-up, and it is one of many: other checks decide its clauses. */
  leftToOthers?: boolean
  /** The first noise that exchanges of it, or of its repetitions, met, in words. */
  noise?: string
  /** Blocked by noise, and by nothing else. */
  endedByNoise?: boolean
  /** Blocked by what no answer of the target decided: lost on the way, too late, or absent. */
  unanswered?: boolean
  /** Blocked, and connections to the target broke meanwhile. */
  brokenOff?: true
  /** Blocked, for the target lacks this feature. */
  lacks?: string
  /** Blocked, for this clause has to hold first. */
  restsOn?: string
  /** Blocked by a plain request that was answered with a failure. */
  refused?: { operation: string; status: number }
}
