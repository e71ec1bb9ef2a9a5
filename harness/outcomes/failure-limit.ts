/** A run that ends once so many required clauses are violated that no known deviation covers. */

import { type Deviation, matchDeviations } from '../planning/deviations.ts'
import type { FailureLimit } from '../running/schedule.ts'
import type { RunContext } from '../sending/context.ts'
import { failuresOf } from './failed-clauses.ts'

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
