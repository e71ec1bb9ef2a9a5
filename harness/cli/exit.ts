/** Exit codes: a contract with scripts. */
import type { Results } from '../../specs/meta/results.ts'

export const exit = { passed: 0, failed: 1, usage: 2, incomplete: 3, errored: 4, interrupted: 130 } as const

/** The exit code of a run that came to results. */
export const exitOf = ({ gate }: Pick<Results, 'gate'>): number => exit[gate]
