/** A run that ends once so many required clauses are violated that no known deviation covers. */
import type { CheckRun } from './check-run.ts'
import type { RunContext } from './context.ts'
import { type Deviation, matchDeviations } from './deviations.ts'
import { failuresOf } from './failed-clauses.ts'

export interface FailureLimit {
  /** Violated clauses that end the run. */
  most: number
  /** Aborted once there are so many. */
  signal: AbortSignal
  finished(run: CheckRun): void
}

/**
 * Counts violated required clauses as checks end, each once.
 *
 * @param most at least 1.
 * @param known deviations, whose failures are not counted.
 * @param today `YYYY-MM-DD`, after which none of them has expired.
 */
export const failureLimit = (context: RunContext, most: number, known: readonly Deviation[], today: string): FailureLimit => {
  const reached = new AbortController()
  const clauses = new Set<string>()
  return {
    most,
    signal: reached.signal,
    finished(run) {
      for (const { clause, level, outcome } of matchDeviations(known, failuresOf(context, [run]), [], [], today).uncovered)
        if (level === 'required' && outcome === 'violated') clauses.add(clause)
      if (clauses.size >= most) reached.abort()
    },
  }
}
