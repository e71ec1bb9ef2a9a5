/** Statistics for checks: judged by a bound that a correct server exceeds with a stated, tiny probability. */

/**
 * The chi-square statistic of counts against an even distribution.
 *
 * @param counts how often each value was seen; at least two values, those never seen with 0.
 */
export const chiSquare = (counts: readonly number[]): number => {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

/**
 * A bound that a chi-square variable exceeds with at most this probability (Laurent and Massart, 2000).
 *
 * @param freedom degrees of freedom: one less than there are values.
 * @param rate of false positives, e.g. 1e-9; divided by the number of comparisons where there are several.
 */
export const chiSquareBound = (freedom: number, rate: number): number => {
  const t = -Math.log(rate)
  return freedom + 2 * Math.sqrt(freedom * t) + 2 * t
}
