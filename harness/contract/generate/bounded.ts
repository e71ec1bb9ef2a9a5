/** A filter that gives up: an unsatisfiable schema must fail with a message, not hang. */
import type { Arbitrary } from 'fast-check'

/** Thrown where no value passed a filter in a row of attempts. */
export class Unsatisfiable extends Error {
  override name = 'Unsatisfiable'
}

/** Values of `source` that `predicate` accepts; throws {@link Unsatisfiable} after `attempts` refusals in a row. */
export const bounded = <T>(source: Arbitrary<T>, predicate: (value: T) => boolean, what: string, attempts = 2_000): Arbitrary<T> => {
  let refused = 0
  return source.filter((value) => {
    if (predicate(value)) {
      refused = 0
      return true
    }
    refused += 1
    if (refused < attempts) return false
    refused = 0
    throw new Unsatisfiable(`no value in ${attempts} attempts: ${what}`)
  })
}
