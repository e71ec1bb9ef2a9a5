/** Exit codes: a contract with scripts. */
export const exit = { passed: 0, failed: 1, usage: 2, incomplete: 3, errored: 4, interrupted: 130 } as const
