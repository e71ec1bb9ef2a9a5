/** Seeded choices among faults and mutants. */
import { seededRandom } from '../checks/random.ts'

/** A choice of at most `count`; the same seed and the same things in the same order give the same ones. */
export const sampleOf = <T>(all: readonly T[], count: number, seed: number): T[] =>
  seededRandom(seed, 'mutants')
    .shuffle([...all])
    .slice(0, count)

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
