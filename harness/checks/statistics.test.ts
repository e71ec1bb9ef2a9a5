import { expect, test } from 'vitest'
import { chiSquare, chiSquareBound } from './statistics.ts'

test('the statistic of known tables', () => {
  expect(chiSquare([10, 10, 10])).toBe(0)
  // 60 throws of a die, as textbooks have it.
  expect(chiSquare([5, 8, 9, 8, 10, 20])).toBeCloseTo(13.4, 10)
  expect(chiSquare([0, 20])).toBe(20)
})

test('the bound lies above the quantiles of printed tables, and grows with what is demanded', () => {
  // 0.001 quantiles of 1, 9 and 99 degrees of freedom.
  for (const [freedom, quantile] of [
    [1, 10.828],
    [9, 27.877],
    [99, 148.23],
  ] as const) {
    expect(chiSquareBound(freedom, 0.001)).toBeGreaterThan(quantile)
    expect(chiSquareBound(freedom, 0.001)).toBeLessThan(quantile * 2)
  }
  expect(chiSquareBound(9, 1e-9)).toBeGreaterThan(chiSquareBound(9, 1e-6))
})
