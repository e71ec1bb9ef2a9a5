/** Which checks a run of quick effort or of limited time tries, and in which order: each clause once, with what costs least, before any twice. */

import { DRAWN } from '../checks/check.ts'
import { seededRandom } from '../checks/seeded-random.ts'
import type { RunnableCheck } from '../checks/vocabulary.ts'

/** By so much at most the seed changes what a check counts, so that other seeds draw others. */
const JITTER = 1.5

/**
 * All checks in the order in which a sample takes them.
 *
 * @param costOf what a check costs, in any unit.
 * @param seed draws among checks that decide the same.
 * @param clauses what has to be decided; default: all clauses of the checks.
 * @returns `first`: checks that decide each clause, those of many clauses at little cost first; `rest`: all others, drawn.
 */
export const sampled = (
  checks: readonly RunnableCheck[],
  costOf: (check: RunnableCheck) => number,
  seed: number,
  clauses: readonly string[] = checks.flatMap((check) => check.clauses),
): { first: RunnableCheck[]; rest: RunnableCheck[] } => {
  const random = seededRandom(seed, 'sample')
  const open = new Set(clauses)
  // What draws its cases comes to some of its clauses only by chance: it counts for those that nothing else decides.
  const certain = new Set(checks.filter(({ kind }) => !DRAWN.includes(kind)).flatMap((check) => check.clauses))
  const decides = (check: RunnableCheck): string[] =>
    DRAWN.includes(check.kind) ? check.clauses.filter((clause) => !certain.has(clause)) : check.clauses
  const gain = (check: RunnableCheck): number => new Set(decides(check).filter((clause) => open.has(clause))).size
  const weighted = random.shuffle(checks).map((check) => ({ check, cost: costOf(check) * JITTER ** (random.integer(0, 100) / 100) }))
  const first: RunnableCheck[] = []
  // The value of a check only shrinks: one that is still worth as much as the next one was is the best of all.
  const byValue = weighted.map((one) => ({ ...one, value: gain(one.check) / one.cost })).sort((left, right) => left.value - right.value)
  while (open.size > 0 && byValue.length > 0) {
    const best = byValue.pop()!
    const value = gain(best.check) / best.cost
    if (value === 0) continue
    if (value < best.value) {
      const at = byValue.findLastIndex((one) => one.value <= value) + 1
      byValue.splice(at, 0, { ...best, value })
      continue
    }
    first.push(best.check)
    for (const clause of decides(best.check)) open.delete(clause)
  }
  const chosen = new Set(first)
  return { first, rest: weighted.map(({ check }) => check).filter((check) => !chosen.has(check)) }
}
