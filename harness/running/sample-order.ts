/** Which checks a run of limited time tries, and in which order: each clause once, with what takes least, before any twice. */
import { seededRandom } from '../checks/seeded-random.ts'
import type { RunnableCheck } from '../checks/vocabulary.ts'

/** By so much at most the seed changes what a check counts, so that other seeds draw others. */
const JITTER = 1.5

/**
 * All checks in the order in which a sample takes them.
 *
 * @param costOf milliseconds that a check takes.
 * @param seed draws among checks that decide the same.
 * @returns `first`: checks that decide each clause, those of many clauses in little time first; `rest`: all others, drawn.
 */
export const sampled = (
  checks: readonly RunnableCheck[],
  costOf: (check: RunnableCheck) => number,
  seed: number,
): { first: RunnableCheck[]; rest: RunnableCheck[] } => {
  const random = seededRandom(seed, 'sample')
  const open = new Set(checks.flatMap(({ clauses }) => clauses))
  const gain = ({ clauses }: RunnableCheck): number => new Set(clauses.filter((clause) => open.has(clause))).size
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
    for (const clause of best.check.clauses) open.delete(clause)
  }
  const chosen = new Set(first)
  return { first, rest: weighted.map(({ check }) => check).filter((check) => !chosen.has(check)) }
}
