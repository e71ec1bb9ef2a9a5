/** Seeded choices among faults and mutants. */
import { createHash } from 'node:crypto'
import { seededRandom } from '../checks/seeded-random.ts'

/** A choice of at most `count`; the same seed and the same things in the same order give the same ones. */
export const sampleOf = <T>(all: readonly T[], count: number, seed: number): T[] =>
  seededRandom(seed, 'mutants')
    .shuffle([...all])
    .slice(0, count)

/**
 * A choice of at most `count` that hardly changes when a few things come or go: each has its own place in the order that the seed gives.
 *
 * @param nameOf what tells a thing from the others for good
 */
export const steadySampleOf = <T>(all: readonly T[], nameOf: (one: T) => string, count: number, seed: number): T[] => {
  const placeOf = (one: T): string =>
    createHash('sha256')
      .update(`${seed} ${nameOf(one)}`)
      .digest('hex')
  return all
    .map((one) => ({ one, place: placeOf(one) }))
    .sort((left, right) => (left.place < right.place ? -1 : 1))
    .slice(0, count)
    .map(({ one }) => one)
}

/** At most `count` of each engine, in the order in which they were given. */
export const sampleByEngine = <T extends { engine: string }>(all: readonly T[], count: number, seed: number): T[] => {
  const engines = [...new Set(all.map(({ engine }) => engine))]
  const drawn = (engine: string) =>
    sampleOf(
      all.filter((one) => one.engine === engine),
      count,
      seed,
    )
  const chosen = new Set(engines.flatMap(drawn))
  return all.filter((one) => chosen.has(one))
}

/** So many faults of each clause at most, in the order in which they were given; one that names several counts for those that lack some. */
export const sampleByClause = <T extends { clauses: readonly string[] }>(all: readonly T[], count: number, seed: number): T[] => {
  const drawn = new Map<string, number>()
  const chosen = new Set<T>()
  for (const one of sampleOf(all, all.length, seed)) {
    if (one.clauses.every((clause) => (drawn.get(clause) ?? 0) >= count)) continue
    chosen.add(one)
    for (const clause of one.clauses) drawn.set(clause, (drawn.get(clause) ?? 0) + 1)
  }
  return all.filter((one) => chosen.has(one))
}
