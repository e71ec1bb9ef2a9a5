/** A seeded choice among mutants. */
import { createHash } from 'node:crypto'

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
